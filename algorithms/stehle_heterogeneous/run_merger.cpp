#include "algorithms/stehle_heterogeneous/run_merger.hpp"

#include <algorithm>
#include <vector>

namespace sortlab::heterogeneous {

std::unique_ptr<RunMerger> make_run_merger(Merge merge, const Problem& problem, const Resources& resources) {
  switch (merge) {
    case Merge::ours: return make_our_merger(problem, resources);
    case Merge::libstdcxx: return make_libstdcxx_merger(problem, resources);
  }
  throw_no_code_for("merge", "?");
}

void sort_remainder(KeyType key, ValueType value, Array keys, Array values) {
  with_key_type(key, [&]<class K>() {
    with_value_type(value, [&]<class V>() {
      K* const k = static_cast<K*>(keys.data);
      V* const v = static_cast<V*>(values.data);
      for (std::uint64_t i = 1; i < keys.count; ++i) {
        for (std::uint64_t j = i; j > 0 && KeyLess{}(k[j], k[j - 1]); --j) {
          std::swap(k[j], k[j - 1]);
          if constexpr (!std::is_same_v<V, NoValue>) std::swap(v[j], v[j - 1]);
        }
      }
    });
  });
}

}  // namespace sortlab::heterogeneous
