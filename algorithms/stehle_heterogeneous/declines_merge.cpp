#include "algorithms/common/adapters/common_types.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"

namespace sortlab::heterogeneous {

std::optional<std::string> declines_merge(Merge merge, KeyType key, ValueType value) {
  if (merge != Merge::libstdcxx) return std::nullopt;
  const bool common = with_key_type(
      key, [&]<class K>() { return with_value_type(value, []<class V>() { return is_common_type<K, V>(); }); });
  if (common) return std::nullopt;
  return "merge=libstdcxx is compiled for u32, u64, f32 and f64, alone or with values of their width";
}

}  // namespace sortlab::heterogeneous
