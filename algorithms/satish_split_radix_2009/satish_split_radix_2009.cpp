// The radix sort of CUDPP and of early versions of Thrust.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/satish_split_radix_2009/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_split_radix_2009(const Problem&, const Parameters&, const Resources&);

namespace {

using split_radix_2009::kCompiledItems;
using split_radix_2009::kPaper;
using split_radix_2009::kTuned;
using split_radix_2009::Setting;

class SatishSplitRadix2009 final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return split_radix_2009::declines({.digit_bits = static_cast<int>(parameters.integer("digit_bits")),
                                       .threads = static_cast<int>(parameters.integer("threads")),
                                       .items = static_cast<int>(parameters.integer("items"))});
  }
};

GivenParameters given(const Setting& setting) {
  return {{"digit_bits", std::to_string(setting.digit_bits)},
          {"threads", std::to_string(setting.threads)},
          {"items", std::to_string(setting.items)}};
}

const Register registered{std::make_unique<SatishSplitRadix2009>(
    Info{.name = "satish_split_radix_2009",
         .title = "Split radix sort (LSD) of Satish, Harris and Garland",
         .source = "Satish, Harris, Garland, IPDPS 2009, section 4",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "satish2010",
         .stable = true,
         .parameters = {{.name = "digit_bits",
                         .meaning =
                             "width of a digit in bits (D), one split per bit; K-bit keys take ceil(K / D) passes",
                         .standard = std::int64_t{kPaper.digit_bits},
                         .range = {1, split_radix_2009::kMaxDigitBits}},
                        {.name = "threads",
                         .meaning = "threads per block, which sorts one tile",
                         .standard = std::int64_t{kPaper.threads},
                         .range = {split_radix_2009::kMinThreads, split_radix_2009::kMaxThreads}},
                        {.name = "items",
                         .meaning = "elements per thread: " + listed(kCompiledItems),
                         .standard = std::int64_t{kPaper.items},
                         .range = {kCompiledItems.front(), kCompiledItems.back()}}},
         .presets = {{"paper", given(kPaper)}, {"tuned", given(kTuned)}},
         .roles = {{"ipdps09_radix", given(kPaper)}},
         .phases = {"sort tiles", "find offsets", "scan", "scatter"}},
    &make_satish_split_radix_2009)};

}  // namespace
}  // namespace sortlab
