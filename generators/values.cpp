// The values of key-value pairs: record ids.
#include "generators/fill_keys.hpp"

namespace sortlab {

void fill_values(ValueType type, std::uint64_t n, void* values, int threads) {
  with_value_type(type, [&]<class V>() {
    if constexpr (!std::is_same_v<V, NoValue>) {
      in_parallel(n, threads, kChunk, [=](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) store<V>(values, i, static_cast<V>(i));
      });
    }
  });
}

}  // namespace sortlab
