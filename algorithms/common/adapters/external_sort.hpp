// The interface of external sorts in separate objects (sortlab_sealed_object).
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/common/adapters/common_types.hpp"
#include "algorithms/common/adapters/element_key.hpp"

/// The interface of a sealed object, which exports only the names in this namespace.
namespace sortlab::external {

/// Sorts arrays of one element type, a key or Pair<K, V>, in ascending order. It may keep its threads.
class Sort {
 public:
  virtual ~Sort() = default;
  virtual void operator()(void* elements, std::uint64_t n) = 0;
};

/// Makes a sort, or null for types that are not common types.
using MakeSort = std::unique_ptr<Sort> (*)(KeyType, ValueType, int threads);

/// Makes a `Make<K, Element>` for common types. Its constructor takes the number of threads.
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
