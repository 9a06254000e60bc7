#include "algorithms/cub_radix_lsd/lsd_sorter.cuh"
#include "algorithms/cub_radix_lsd/sorters.hpp"

namespace sortlab::cub_lsd {

std::unique_ptr<Sorter> make_onesweep(const Problem& problem, int digit_bits, const Resources& resources) {
  return make_sorter<Form::onesweep>(problem, digit_bits, resources);
}

}  // namespace sortlab::cub_lsd
