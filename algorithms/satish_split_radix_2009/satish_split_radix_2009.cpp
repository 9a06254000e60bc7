// The radix sort of CUDPP and of Thrust's first years.
#include <algorithm>

#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_split_radix_2009(const Problem&, const Parameters&, const Resources&);

namespace {

class SatishSplitRadix2009 final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    if (parameters.integer("threads") % 32 != 0) return "threads must be a multiple of 32, the threads of a warp";
    constexpr std::array<std::int64_t, 3> compiled{2, 4, 8};
    if (std::ranges::find(compiled, parameters.integer("items")) == compiled.end()) return "items must be 2, 4 or 8";
    return std::nullopt;
  }
};

const Register registered{std::make_unique<SatishSplitRadix2009>(
    Info{.name = "satish_split_radix_2009",
         .title = "Split radix sort (LSD) of Satish, Harris and Garland",
         .source = "Satish, Harris, Garland, IPDPS 2009, section 4",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "satish2010",
         .version = "",
         .keys = {kKeyTypes.begin(), kKeyTypes.end()},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .stable = true,
         .parameters = {{.name = "digit_bits",
                         .meaning = "bits of a digit (D), each a split; keys take ceil(K / D) passes",
                         .standard = std::int64_t{4},
                         .range = {1, 8}},
                        {.name = "threads",
                         .meaning = "threads of a block, which sorts a tile",
                         .standard = std::int64_t{256},
                         .range = {32, 512}},
                        {.name = "items",
                         .meaning = "elements a thread: 2, 4 or 8",
                         .standard = std::int64_t{4},
                         .range = {2, 8}}},
         .presets = {{"paper", {{"digit_bits", "4"}, {"threads", "256"}, {"items", "4"}}}},
         .phases = {"sort tiles", "find offsets", "scan", "scatter"}},
    make_satish_split_radix_2009)};

}  // namespace
}  // namespace sortlab
