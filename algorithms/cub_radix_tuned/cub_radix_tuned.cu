#include "algorithms/cub_radix_tuned/sorters.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_cub_radix_tuned(const Problem& problem, const Parameters& parameters,
                                             const Resources& resources) {
  const cub_tuned::Setting setting = cub_tuned::setting_from(parameters);
  if (problem.key == KeyType::u32) return cub_tuned::make_sorter_32(problem, setting, resources);
  if (problem.key == KeyType::u64) return cub_tuned::make_sorter_64(problem, setting, resources);
  throw_no_code_for("key", to_name(problem.key));
}

}  // namespace sortlab
