#include <algorithm>

#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_satish_split_radix(const Problem&, const Parameters&, const Resources&);

namespace {

/// Bytes of shared memory that a block can have on a device of compute capability 9.0.
constexpr std::int64_t kSharedMemory = std::int64_t{227} << 10;

class SatishSplitRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const std::int64_t items = parameters.integer("items");
    const auto is_of = [&](std::initializer_list<std::int64_t> compiled) {
      return std::ranges::find(compiled, items) != compiled.end();
    };
    if (parameters.word("split") == "vertical") {
      if (!is_of({4, 8, 13, 16, 24})) return "items must be 4, 8, 13, 16 or 24 with split=vertical";
      return std::nullopt;
    }
    if (!is_of({8, 16, 24, 32, 48})) return "items must be 8, 16, 24, 32 or 48 with split=ballot and split=fused";
    const bool fused = parameters.word("split") == "fused";
    if (fused && parameters.integer("digit_bits") > 5) {
      return "digit_bits must be at most 5 with split=fused, where a lane of 32 stands for a digit";
    }
    // As warp_tile_bytes and the kernels have it.
    const std::int64_t digits = std::int64_t{1} << parameters.integer("digit_bits");
    const std::int64_t element = size_of(problem.key) + size_of(problem.value) + (fused ? 0 : 4);
    const std::int64_t warp = 32 * items * element + digits * (fused ? 28 : 12);
    if (parameters.integer("warps") * warp > kSharedMemory) {
      return "a block's tiles do not fit in shared memory: fewer items";
    }
    return std::nullopt;
  }

  /// Tiles of at most 12 KiB a warp, so that enough warps are in flight; for the splits by warps. What a sweep over
  /// both on an NVIDIA H200 found (README.md) differs in the warps of 8-byte keys alone.
  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter == "warps") return std::int64_t{size_of(problem.key) == 8 ? 3 : 4};
    if (parameter != "items") return std::nullopt;
    const std::uint32_t element = size_of(problem.key) + size_of(problem.value);
    return std::int64_t{element <= 8 ? 48 : element <= 16 ? 24 : 16};
  }
};

const Register registered{std::make_unique<SatishSplitRadix>(
    Info{
        .name = "satish_split_radix",
        .title = "Split radix sort (LSD) of Satish et al.",
        .source = "Satish et al. 2010, section 2.1; SIGMOD 2010",
        .family = "radix",
        .origin = Origin::paper,
        .paper = "satish2010",
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
                        .meaning = "elements a thread: 4, 8, 13, 16, 24 (vertical); 8, 16, 24, 32, 48 (ballot, fused)",
                        .standard = std::string{"auto"},
                        .range = {4, 48}},
                       {.name = "warps",
                        .meaning = "warps of a block, which sort one tile (vertical) or one each (ballot, fused)",
                        .standard = std::string{"auto"},
                        .range = {1, 8}}},
        .presets = {{"paper", {{"split", "vertical"}, {"digit_bits", "4"}, {"items", "13"}, {"warps", "4"}}},
                    {"tuned", {{"split", "fused"}, {"digit_bits", "4"}, {"items", "auto"}, {"warps", "auto"}}}},
        .phases = {"histogram", "scan", "scatter"}},
    make_satish_split_radix)};

}  // namespace
}  // namespace sortlab
