// Maps a problem's run-time types to the template arguments of a sort.
#pragma once

#include <memory>
#include <utility>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// Calls `f.template operator()<K, V>()` with the types of keys and values; V is NoValue if there are no values.
template <class F>
constexpr decltype(auto) with_types(KeyType key, ValueType value, F&& f) {
  return with_key_type(key, [&]<class K>() -> decltype(auto) {
    return with_value_type(value, [&]<class V>() -> decltype(auto) { return f.template operator()<K, V>(); });
  });
}

/// Makes a `Ready<K, V>` for the types of `problem` from `arguments`. It is not compiled for keys of more than
/// `kWidestKey` bytes: it then returns null, and Info must not name such a key type.
template <template <class K, class V> class Ready, std::size_t kWidestKey = sizeof(uint128), class... Arguments>
std::unique_ptr<Sorter> make_for_types(const Problem& problem, const Arguments&... arguments) {
  return with_types(problem.key, problem.value, [&]<class K, class V>() -> std::unique_ptr<Sorter> {
    if constexpr (sizeof(K) <= kWidestKey) {
      return std::make_unique<Ready<K, V>>(arguments...);
    } else {
      return nullptr;
    }
  });
}

}  // namespace sortlab
