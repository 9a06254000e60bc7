#include "algorithms/cub_radix_tuned/sorters.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_cub_radix_tuned(const Problem& problem, const Parameters& parameters,
                                             const Resources& resources) {
  const auto make = problem.key == KeyType::u32 ? cub_tuned::make_of_32 : cub_tuned::make_of_64;
  return make(problem, cub_tuned::setting_from(parameters), resources);
}

}  // namespace sortlab
