// CUB's one-sweep kernels under the best policy that our sweep finds.
#include <algorithm>
#include <string>

#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/cub_radix_tuned/sorters.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_cub_radix_tuned(const Problem&, const Parameters&, const Resources&);

namespace {

using cub_tuned::Setting;

std::uint64_t wider_bytes(const Problem& problem) {
  return std::max(byte_size(problem.key), byte_size(problem.value));
}

class CubRadixTuned final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const bool takes_value = problem.value == ValueType::none || byte_size(problem.value) == byte_size(problem.key);
    if (!takes_value) return "takes pairs of u32 and u32 or of u64 and u64 only";
    const Setting wanted = cub_tuned::setting_from(parameters);
    std::string compiled;
    for (const Setting& setting : cub_tuned::compiled_settings(wider_bytes(problem))) {
      if (setting == wanted) return std::nullopt;
      if (setting.digit_bits != wanted.digit_bits || setting.rank != wanted.rank) continue;
      compiled +=
          (compiled.empty() ? "" : ", ") + std::to_string(setting.threads) + " x " + std::to_string(setting.items);
    }
    return "no kernels are compiled for this setting; compiled for its digit_bits and rank, threads x items: " +
           (compiled.empty() ? "none" : compiled);
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    const Setting best = cub_tuned::best_setting(byte_size(problem.key), byte_size(problem.value));
    if (parameter == "threads") return std::to_string(best.threads);
    if (parameter == "items") return std::int64_t{best.items};
    if (parameter == "rank") return std::string{cub_tuned::rank_name(best.rank)};
    return std::nullopt;
  }
};

const Register registered{std::make_unique<CubRadixTuned>(
    Info{.name = "cub_radix_tuned",
         .title = "CUB's one-sweep radix sort kernels under a tuned policy",
         .source = "CUB, CUDA Core Compute Libraries",
         .family = "radix",
         .version = SORTLAB_CUB_VERSION,
         .keys = {KeyType::u32, KeyType::u64},
         .stable = true,
         .parameters = {{.name = "threads",
                         .meaning = "threads per block",
                         .standard = std::string{"auto"},
                         .choices = {"256", "384", "512", "768"}},
                        {.name = "items",
                         .meaning = "elements per thread; must be compiled for the threads and the element's width",
                         .standard = std::string{"auto"},
                         .range = {7, 23}},
                        {.name = "digit_bits",
                         .meaning = "width of a digit in bits (D); K-bit keys take ceil(K / D) passes",
                         .standard = std::int64_t{8},
                         .range = {7, 8}},
                        {.name = "rank",
                         .meaning = "ranking of keys within a block (CUB's RadixRankAlgorithm)",
                         .standard = std::string{"auto"},
                         .choices = choice_words(cub_tuned::kRanks)}},
         .presets = {{"tuned", {{"threads", "auto"}, {"items", "auto"}, {"digit_bits", "8"}, {"rank", "auto"}}}}},
    &make_cub_radix_tuned)};

}  // namespace
}  // namespace sortlab
