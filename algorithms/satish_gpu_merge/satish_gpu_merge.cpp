#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/satish_gpu_merge/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_gpu_merge(const Problem&, const Parameters&, const Resources&);

namespace {

class SatishGpuMerge final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return gpu_merge::declines(parameters.integer("tile"), parameters.integer("threads"));
  }
};

const Register registered{std::make_unique<SatishGpuMerge>(
    Info{.name = "satish_gpu_merge",
         .title = "Merge sort of Satish, Harris and Garland",
         .source = "Satish, Harris, Garland, IPDPS 2009, section 5; Satish et al. 2010, section 3.1",
         .family = "merge",
         .origin = Origin::paper,
         .paper = "satish2010",
         .stable = true,
         .parameters =
             {{.name = "merge",
               .meaning =
                   "merge of two runs: pieces between splitters, merged by a binary search per element (ranks) or by "
                   "a bitonic network over one run and the other reversed (bitonic); or equal pieces of the merge "
                   "path, merged by one thread each share (path)",
               .standard = std::string{"path"},
               .choices = choice_words(gpu_merge::kMethods)},
              {.name = "tile",
               .meaning = "elements of a sorted tile, and distance of splitters (ranks, bitonic); a power of two",
               .standard = std::int64_t{256},
               .range = {gpu_merge::kMinTile, gpu_merge::kMaxTile}},
              {.name = "threads",
               .meaning = "threads per block, with 17, 11 or 7 elements each by key width (path); a power of two",
               .standard = std::int64_t{256},
               .range = {gpu_merge::kMinPathThreads, gpu_merge::kMaxPathThreads}},
              {.name = "values",
               .meaning =
                   "carried: values move with their keys; gathered: indices move, and values are gathered at the end",
               .standard = std::string{"carried"},
               .choices = choice_words(gpu_merge::kValues)}},
         .presets = {{"paper", {{"merge", "ranks"}, {"tile", "256"}}},
                     {"paper_2010", {{"merge", "bitonic"}, {"tile", "256"}}},
                     {"tuned", {{"merge", "path"}, {"threads", "256"}}}},
         .roles = {{"gpu_merge", {{"merge", "bitonic"}, {"tile", "256"}}},
                   {"thrust_merge", {{"merge", "ranks"}, {"tile", "256"}, {"values", "carried"}}}},
         .phases = {"sort tiles", "find cuts", "merge", "gather"}},
    &make_satish_gpu_merge)};

}  // namespace
}  // namespace sortlab
