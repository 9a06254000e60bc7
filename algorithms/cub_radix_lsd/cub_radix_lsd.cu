#include "algorithms/cub_radix_lsd/sorters.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_cub_radix_lsd(const Problem& problem, const Parameters& parameters,
                                           const Resources& resources) {
  const auto make = parameters.word("form") == "onesweep" ? cub_lsd::make_onesweep : cub_lsd::make_two_read;
  return make(problem, static_cast<int>(parameters.integer("digit_bits")), resources);
}

}  // namespace sortlab
