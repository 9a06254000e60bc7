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
         .source = "Cederman and Tsigas, ESA 2008; baseline in Leischner, Osipov and Sanders 2009, figure 5",
         .family = "comparison",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .synchronises = true,
         .parameters = {{.name = "threads",
                         .meaning = "threads per block; a power of two",
                         .standard = std::int64_t{256},
                         .range = {gpu_quicksort::kMinThreads, gpu_quicksort::kMaxThreads}},
                        {.name = "blocks",
                         .meaning = "concurrent blocks; phase one ends at half as many sequences",
                         .standard = std::int64_t{4096},
                         .range = {gpu_quicksort::kMinBlocks, gpu_quicksort::kMaxBlocks}},
                        {.name = "small_sort",
                         .meaning = "maximum number of elements sorted by a bitonic sort in shared memory",
                         .standard = std::int64_t{1024},
                         .range = {gpu_quicksort::kMinSmall, gpu_quicksort::kMaxSmall}}},
         .presets = {{"paper", {{"threads", "128"}, {"blocks", "512"}, {"small_sort", "512"}}},
                     {"tuned", {{"threads", "256"}, {"blocks", "4096"}, {"small_sort", "1024"}}}},
         .roles = {{"gpu_quicksort", {{"threads", "128"}, {"blocks", "512"}, {"small_sort", "512"}}}},
         .phases = {"first pivot", "host", "count", "scan", "scatter", "fill", "sort sequences"}},
    &make_cederman_quicksort)};

}  // namespace
}  // namespace sortlab
