#include <bit>

#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_gpu_merge(const Problem&, const Parameters&, const Resources&);

namespace {

class SatishGpuMerge final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    for (const char* name : {"tile", "threads"}) {
      if (!std::has_single_bit(static_cast<std::uint64_t>(parameters.integer(name)))) {
        return std::string{name} + " must be a power of two";
      }
    }
    return std::nullopt;
  }
};

const Register registered{std::make_unique<SatishGpuMerge>(
    Info{.name = "satish_gpu_merge",
         .title = "Merge sort of Satish, Harris and Garland",
         .source = "Satish, Harris, Garland, IPDPS 2009, section 5",
         .family = "merge",
         .origin = Origin::paper,
         .paper = "satish2010",
         .version = "",
         .keys = {kKeyTypes.begin(), kKeyTypes.end()},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .stable = true,
         .parameters =
             {{.name = "merge",
               .meaning = "pieces between splitters, by a binary search an element; or equal pieces of the merge "
                          "path, by a merge a thread",
               .standard = std::string{"path"},
               .choices = {"ranks", "path"}},
              {.name = "tile",
               .meaning = "elements of a sorted tile, and between splitters (ranks); a power of two",
               .standard = std::int64_t{256},
               .range = {64, 1024}},
              {.name = "threads",
               .meaning = "threads of a block, 17, 11 or 7 elements each by the width of keys (path); a power of two",
               .standard = std::int64_t{256},
               .range = {64, 512}},
              {.name = "values",
               .meaning = "values move with their keys; or indices do, and values are gathered at the end",
               .standard = std::string{"carried"},
               .choices = {"carried", "gathered"}}},
         .presets = {{"paper", {{"merge", "ranks"}, {"tile", "256"}}},
                     {"tuned", {{"merge", "path"}, {"threads", "256"}}}},
         .phases = {"sort tiles", "find cuts", "merge", "gather"}},
    make_satish_gpu_merge)};

}  // namespace
}  // namespace sortlab
