// Size of a pair where keys and values lie together.
#pragma once

#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab {

/// Bytes of one Pair, padding included; of a key alone where there are no values.
inline std::uint64_t pair_bytes(KeyType key, ValueType value) {
  return with_key_type(key, [&]<class K>() -> std::uint64_t {
    return with_value_type(value, [&]<class V>() -> std::uint64_t {
      if constexpr (std::is_same_v<V, NoValue>) {
        return sizeof(K);
      } else {
        return sizeof(Pair<K, V>);
      }
    });
  });
}

}  // namespace sortlab
