// External sorts in separate objects (sortlab_sealed_object): their interface, and a plug-in around it.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/common/adapters/common_types.hpp"

/// A sealed object's interface to the program; it exports only the names in this namespace.
namespace sortlab::external {

/// Sorts arrays of one type of element, keys or Pair<K, V>, ascending, with threads that it may keep.
class Sort {
 public:
  virtual ~Sort() = default;
  virtual void operator()(void* elements, std::uint64_t n) = 0;
};

/// Null for types that are not common.
using MakeSort = std::unique_ptr<Sort> (*)(KeyType, ValueType, int threads);

/// A sort of common types from `Make<Element>`, whose constructor takes the number of threads.
template <template <class K, class Element> class Make>
std::unique_ptr<Sort> make_sort(KeyType key, ValueType value, int threads) {
  return with_key_type(key, [&]<class K>() -> std::unique_ptr<Sort> {
    return with_value_type(value, [&]<class V>() -> std::unique_ptr<Sort> {
      if constexpr (!is_common_type<K, V>()) {
        return nullptr;
      } else if constexpr (std::is_same_v<V, NoValue>) {
        return std::make_unique<Make<K, K>>(threads);
      } else {
        return std::make_unique<Make<K, Pair<K, V>>>(threads);
      }
    });
  });
}

}  // namespace sortlab::external
