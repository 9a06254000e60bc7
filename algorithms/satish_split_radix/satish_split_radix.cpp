#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/satish_split_radix/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_split_radix(const Problem&, const Parameters&, const Resources&);

namespace {

class SatishSplitRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const split_radix::Shape shape{.split = chosen("split", parameters.word("split"), split_radix::kSplits),
                                   .items = static_cast<int>(parameters.integer("items")),
                                   .warps = static_cast<int>(parameters.integer("warps"))};
    return split_radix::declines(shape, static_cast<int>(parameters.integer("digit_bits")), byte_size(problem.key),
                                 byte_size(problem.value));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter == "warps") return std::int64_t{split_radix::automatic_warps(byte_size(problem.key))};
    if (parameter != "items") return std::nullopt;
    return std::int64_t{split_radix::automatic_items(byte_size(problem.key) + byte_size(problem.value))};
  }
};

/// The CPU's scalar buffer code on a device, which Satish et al. found slow there.
const GivenParameters kBuffers{{"split", "buffers"}, {"digit_bits", "4"}, {"items", "48"}, {"warps", "4"}};

const Register registered{std::make_unique<SatishSplitRadix>(
    Info{.name = "satish_split_radix",
         .title = "Split radix sort (LSD) of Satish et al.",
         .source = "Satish et al. 2010, section 2.1; SIGMOD 2010",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "satish2010",
         .stable = true,
         .parameters =
             {{.name = "split",
               .meaning =
                   "splits of a tile: by a block with vertical scans (vertical); by a warp with ballots (ballot); or "
                   "by a warp with all splits of a digit in registers before the tile moves (fused); or none: one "
                   "lane of a warp appends keys to a buffer for each digit (buffers)",
               .standard = std::string{"fused"},
               .choices = choice_words(split_radix::kSplits)},
              {.name = "digit_bits",
               .meaning = "width of a digit in bits (D), one split per bit; K-bit keys take ceil(K / D) passes",
               .standard = std::int64_t{4},
               .range = {1, split_radix::kMaxDigitBits}},
              {.name = "items",
               .meaning = "elements per thread: " + listed(split_radix::kItemsOfBlock) + " (vertical), " +
                          listed(split_radix::kItemsOfWarp) + " (ballot, fused, buffers)",
               .standard = std::string{"auto"},
               .range = {split_radix::kItemsOfBlock.front(), split_radix::kItemsOfWarp.back()}},
              {.name = "warps",
               .meaning =
                   "warps per block, which sort one tile together (vertical) or one each (ballot, fused, buffers)",
               .standard = std::string{"auto"},
               .range = {1, split_radix::kMaxWarps}}},
         .presets = {{"paper",
                      {{"split", "vertical"},
                       {"digit_bits", "4"},
                       {"items", std::to_string(split_radix::kPaper.items)},
                       {"warps", std::to_string(split_radix::kPaper.warps)}}},
                     {"paper_buffers", kBuffers},
                     {"tuned", {{"split", "fused"}, {"digit_bits", "4"}, {"items", "auto"}, {"warps", "auto"}}}},
         .roles = {{"gpu_split_radix", {{"split", "vertical"}, {"digit_bits", "4"}, {"items", "13"}, {"warps", "4"}}},
                   {"gpu_split_radix_any_grain", {{"split", "vertical"}, {"digit_bits", "4"}, {"warps", "4"}}},
                   {"gpu_split_radix_any_digit", {{"split", "vertical"}, {"items", "13"}, {"warps", "4"}}},
                   {"gpu_buffer_radix", {{"split", "buffers"}}}},
         .phases = {"histogram", "scan", "scatter"}},
    &make_satish_split_radix)};

}  // namespace
}  // namespace sortlab
