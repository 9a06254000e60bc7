#include "algorithms/cub_radix_lsd/lsd_sorter.cuh"
#include "algorithms/cub_radix_lsd/sorters.hpp"

namespace sortlab::cub_lsd {

std::unique_ptr<Sorter> make_two_read(const Problem& problem, int digit_bits, const Resources& resources) {
  return make_sorter<Form::two_read>(problem, digit_bits, resources);
}

}  // namespace sortlab::cub_lsd
