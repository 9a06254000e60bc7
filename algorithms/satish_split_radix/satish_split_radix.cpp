#include <algorithm>

#include "algorithms/common/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_split_radix(const Problem&, const Parameters&, const Resources&);

namespace {

class SatishSplitRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    const bool vertical = parameters.word("split") == "vertical";
    constexpr std::array<std::int64_t, 5> vertical_items{4, 8, 13, 16, 24};
    constexpr std::array<std::int64_t, 3> warp_items{8, 16, 32};
    const std::int64_t items = parameters.integer("items");
    if (vertical && std::ranges::find(vertical_items, items) == vertical_items.end()) {
      return "items must be 4, 8, 13, 16 or 24 with split=vertical";
    }
    if (!vertical && std::ranges::find(warp_items, items) == warp_items.end()) {
      return "items must be 8, 16 or 32 with split=ballot and split=fused";
    }
    return std::nullopt;
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter != "items") return std::nullopt;
    return std::int64_t{size_of(problem.key) + size_of(problem.value) <= 8 ? 32 : 16};
  }
};

const Register registered{std::make_unique<SatishSplitRadix>(
    Info{.name = "satish_split_radix",
         .title = "Split radix sort (LSD) of Satish et al.",
         .source = "Satish et al. 2010, section 2.1; SIGMOD 2010",
         .family = "radix",
         .version = "",
         .keys = {kKeyTypes.begin(), kKeyTypes.end()},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .stable = true,
         .parameters = {{.name = "split",
                         .meaning = "how a tile is split: by a block with vertical scans; by a warp with ballots; or so "
                                    "with all splits of a digit in registers before the tile moves",
                         .standard = std::string{"fused"},
                         .choices = {"vertical", "ballot", "fused"}},
                        {.name = "digit_bits",
                         .meaning = "bits of a digit (D), each a split; keys take ceil(K / D) passes",
                         .standard = std::int64_t{4},
                         .range = {1, 8}},
                        {.name = "items",
                         .meaning = "elements a thread: 4, 8, 13, 16 or 24 (vertical); 8, 16 or 32 (ballot, fused)",
                         .standard = std::string{"auto"},
                         .range = {4, 32}},
                        {.name = "warps",
                         .meaning = "warps of a block, which sort one tile (vertical) or one each (ballot, fused)",
                         .standard = std::int64_t{4},
                         .range = {1, 8}}},
         .presets = {{"paper", {{"split", "vertical"}, {"digit_bits", "4"}, {"items", "13"}, {"warps", "4"}}},
                     {"tuned", {{"split", "fused"}, {"digit_bits", "4"}, {"items", "auto"}, {"warps", "4"}}}},
         .phases = {"histogram", "scan", "scatter"}},
    make_satish_split_radix)};

}  // namespace
}  // namespace sortlab
