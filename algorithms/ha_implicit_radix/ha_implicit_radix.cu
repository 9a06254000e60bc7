#include "algorithms/ha_implicit_radix/sorters.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_ha_implicit_radix(const Problem& problem, const Parameters& parameters,
                                               const Resources& resources) {
  return byte_size(problem.key) == 4 ? ha::make_sorter_of_32(problem, parameters, resources)
                                     : ha::make_sorter_of_64(problem, parameters, resources);
}

}  // namespace sortlab
