// CUB's radix sort kernels under our own policies: its older versions with narrower digits, on this device.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/cub_radix_lsd/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_cub_radix_lsd(const Problem&, const Parameters&, const Resources&);

namespace {

class CubRadixLsd final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    // Each combination is compiled for several digit widths and two forms; only those that papers measure, and f32, are
    // built.
    const bool takes_value = problem.value == ValueType::none ||
                             (problem.key == KeyType::u32 && problem.value == ValueType::u32) ||
                             (problem.key == KeyType::u64 && problem.value == ValueType::u64);
    if (!takes_value) return "takes pairs of u32 and u32 or of u64 and u64 only";
    if (auto reason = cub_lsd::declines(chosen("form", parameters.word("form"), cub_lsd::kForms),
                                        static_cast<int>(parameters.integer("digit_bits")))) {
      return reason;
    }
    return declines_unequal_zeros(problem);
  }
};

const Register registered{std::make_unique<CubRadixLsd>(
    Info{.name = "cub_radix_lsd",
         .title = "CUB's radix sort kernels with digits of 4 to 8 bits",
         .source = "CUB, CUDA Core Compute Libraries",
         .family = "radix",
         .version = SORTLAB_CUB_VERSION,
         .keys = {KeyType::u32, KeyType::u64, KeyType::f32},
         .stable = true,
         .parameters =
             {{.name = "digit_bits",
               .meaning = "width of a digit in bits, at least 5 with form=onesweep, at most 7 with form=two_read; 5 "
                          "represents CUB 1.5.1, 7 represents 1.6.4",
               .standard = std::int64_t{8},
               .range = {cub_lsd::kMinBits, cub_lsd::kMaxBits}},
              {.name = "form",
               .meaning = "form of a pass: one read of the keys (onesweep), or an upsweep and a downsweep (two_read)",
               .standard = std::string{"onesweep"},
               .choices = choice_words(cub_lsd::kForms)}},
         .presets = {{"cub_1_5_1", {{"digit_bits", "5"}, {"form", "two_read"}}},
                     {"cub_1_6_4", {{"digit_bits", "7"}, {"form", "two_read"}}}},
         .roles = {{"cub_5bit", {{"digit_bits", "5"}, {"form", "two_read"}}},
                   {"cub_7bit", {{"digit_bits", "7"}, {"form", "two_read"}}}}},
    &make_cub_radix_lsd)};

}  // namespace
}  // namespace sortlab
