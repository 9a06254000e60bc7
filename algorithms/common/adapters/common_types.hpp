// Key and value types of libraries that take a second or more to compile for each type.
#pragma once

#include <type_traits>

#include "core/key_types.hpp"

namespace sortlab {

/// u32, u64, f32 and f64, alone or with values of their width.
template <class K, class V>
constexpr bool is_common_type() {
  if (sizeof(K) > 8 || (std::is_integral_v<K> && std::is_signed_v<K>)) return false;
  return std::is_same_v<V, NoValue> || sizeof(K) == sizeof(V);
}

/// The base of a SimpleSort's class that is compiled for these alone, and for one order.
struct CommonTypes {
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>();
  static constexpr bool total_order = false;  // would be compiled once more
};

}  // namespace sortlab
