#include "algorithms/cub_radix_tuned/make_sorter.cuh"

namespace sortlab::cub_tuned {

std::unique_ptr<Sorter> make_sorter_32(const Problem& problem, const Setting& setting, const Resources& resources) {
  using Key = std::uint32_t;
  if (problem.value == ValueType::none) return make_sorter<Key, NoValue, kSettings4>(problem, setting, resources);
  if (problem.value != ValueType::u32) throw_no_code_for("value", to_name(problem.value));
  return make_sorter<Key, std::uint32_t, kSettings4>(problem, setting, resources);
}

}  // namespace sortlab::cub_tuned
