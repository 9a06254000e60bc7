#include "algorithms/cub_radix_lsd/plan.hpp"
#include "algorithms/cub_radix_lsd/sorters.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_cub_radix_lsd(const Problem& problem, const Parameters& parameters,
                                           const Resources& resources) {
  const auto form = chosen("form", parameters.word("form"), cub_lsd::kForms);
  const auto make = form == cub_lsd::Form::onesweep ? cub_lsd::make_onesweep : cub_lsd::make_two_read;
  return make(problem, static_cast<int>(parameters.integer("digit_bits")), resources);
}

}  // namespace sortlab
