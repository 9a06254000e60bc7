// The radix sort on GPU Multisplit.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/multisplit_radix/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_multisplit_radix(const Problem&, const Parameters&, const Resources&);

namespace {

using namespace multisplit;

class MultisplitRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return multisplit::declines({.level = chosen("level", parameters.word("level"), kLevels),
                                 .counters = chosen("counters", parameters.word("counters"), kCounters),
                                 .threads = static_cast<int>(parameters.integer("threads")),
                                 .items = static_cast<int>(parameters.integer("items"))},
                                static_cast<int>(parameters.integer("digit_bits")));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem&, const Resources&) const override {
    if (parameter == "items") return std::int64_t{kTuned.items};
    if (parameter == "threads") return std::int64_t{kTuned.threads};
    return std::nullopt;
  }
};

GivenParameters lanes_form(const char* level, const Shape& shape, int digit_bits) {
  return {{"level", level},
          {"counters", "lanes"},
          {"digit_bits", std::to_string(digit_bits)},
          {"items", std::to_string(shape.items)},
          {"threads", std::to_string(shape.threads)}};
}
const GivenParameters kPapersForm = lanes_form("block", kPaper, kPaperBits);

const Register registered{std::make_unique<MultisplitRadix>(
    Info{.name = "multisplit_radix",
         .title = "Radix sort (LSD) on GPU Multisplit",
         .source = "Ashkiani, Davidson, Meyer, Owens: GPU Multisplit, PPoPP 2016; extended, TOPC 2017; baseline in "
                   "Stehle and Jacobsen 2017, Figure 10",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "stehle2017",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = true,
         .parameters =
             {{.name = "level",
               .meaning = "unit that orders a tile by bucket: a block, or a warp (up to 32 buckets, "
                          "counters=lanes)",
               .standard = std::string{"block"},
               .choices = choice_words(kLevels)},
              {.name = "counters",
               .meaning = "location of a warp's counters: in registers, a lane for every 32nd bucket (the "
                          "paper's), or in shared memory",
               .standard = std::string{"shared"},
               .choices = choice_words(kCounters)},
              {.name = "digit_bits",
               .meaning =
                   "width of a digit in bits: a multisplit into 2^digit_bits buckets; the first takes the remainder",
               .standard = std::int64_t{kMaxDigitBits},
               .range = {1, kMaxDigitBits}},
              {.name = "items",
               .meaning = "elements per thread: " + listed(kItemsOfLanes) + " (lanes), " + listed(kItemsOfShared) +
                          " (shared)",
               .standard = std::string{"auto"},
               .range = {kItemsOfLanes.front(), kItemsOfShared.back()}},
              {.name = "threads",
               .meaning = "threads per block: " + listed(kThreadsOfLanes) + " (lanes), " + listed(kThreadsOfShared) +
                          " (shared)",
               .standard = std::string{"auto"},
               .range = {kThreadsOfShared.front(), kThreadsOfShared.back()}}},
         .presets = {{"paper", kPapersForm},
                     {"paper_warp", lanes_form("warp", kPaperWarp, kMaxWarpBits)},
                     {"tuned",
                      {{"level", "block"},
                       {"counters", "shared"},
                       {"digit_bits", std::to_string(kMaxDigitBits)},
                       {"items", "auto"},
                       {"threads", "auto"}}}},
         .roles = {{"gpu_multisplit", kPapersForm},
                   {"gpu_multisplit_tuned",
                    {{"level", "block"}, {"counters", "shared"}, {"digit_bits", std::to_string(kMaxDigitBits)}}}},
         .phases = {"histogram", "scan", "scatter"}},
    &make_multisplit_radix)};

}  // namespace
}  // namespace sortlab
