#include "algorithms/cederman_quicksort/plan.hpp"
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_cederman_quicksort(const Problem&, const Parameters&, const Resources&);

namespace {

class CedermanQuicksort final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return gpu_quicksort::declines(parameters.integer("threads"));
  }
};

const Register registered{std::make_unique<CedermanQuicksort>(
    Info{.name = "cederman_quicksort",
         .title = "GPU-Quicksort of Cederman and Tsigas",
         .source = "Cederman and Tsigas, ESA 2008; opponent in Leischner, Osipov and Sanders 2009, figure 5",
         .family = "comparison",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .version = "",
         .keys = {kKeyTypes.begin(), kKeyTypes.end()},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .synchronises = true,
         .parameters = {{.name = "threads",
                         .meaning = "threads of a block; a power of two",
                         .standard = std::int64_t{256},
                         .range = {gpu_quicksort::kLeastThreads, gpu_quicksort::kMostThreads}},
                        {.name = "blocks",
                         .meaning = "blocks at once; phase one ends at half as many sequences",
                         .standard = std::int64_t{4096},
                         .range = {gpu_quicksort::kLeastBlocks, gpu_quicksort::kMostBlocks}},
                        {.name = "small_sort",
                         .meaning = "elements that a bitonic sort in shared memory takes",
                         .standard = std::int64_t{1024},
                         .range = {gpu_quicksort::kLeastSmall, gpu_quicksort::kMostSmall}}},
         .presets = {{"paper", {{"threads", "128"}, {"blocks", "512"}, {"small_sort", "512"}}},
                     {"tuned", {{"threads", "256"}, {"blocks", "4096"}, {"small_sort", "1024"}}}},
         .roles = {{"gpu_quicksort", {{"threads", "128"}, {"blocks", "512"}, {"small_sort", "512"}}}},
         .phases = {"first pivot", "host", "count", "scan", "scatter", "fill", "sort sequences"}},
    make_cederman_quicksort)};

}  // namespace
}  // namespace sortlab
