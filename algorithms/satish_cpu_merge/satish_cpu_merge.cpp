#include <algorithm>

#include "algorithms/plugin.hpp"
#include "algorithms/satish_cpu_merge/merge_sorter.hpp"
#include "algorithms/satish_cpu_merge/scalar_kernels.hpp"
#include "core/cache_size.hpp"

namespace sortlab {
namespace {

/// Size of one core's L2 cache in KiB, or of the Core i7's if the system does not report it.
std::int64_t l2_kib() {
  return l2_cache_bytes().value_or(256 << 10) >> 10;
}

/// No register compares lanes of 128 bits.
bool has_simd(KeyType key) {
  return key != KeyType::u128;
}

class SatishCpuMerge final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const std::string& width = parameters.word("width");
    if (width != "scalar" && !has_simd(problem.key)) return "sorts keys of 128 bits with width=scalar only";
    return satish_merge::widths().lacking(width);
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter == "width") return has_simd(problem.key) ? satish_merge::widths().widest() : "scalar";
    // A block and its second buffer fill the cache.
    if (parameter == "block_kib") return std::clamp<std::int64_t>(l2_kib() / 2, 1, kMaxKib);
    if (parameter == "fifo_kib") return std::clamp<std::int64_t>(l2_kib() / 2, 1, kMaxKib);
    return std::nullopt;
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const satish_merge::Settings settings{
        .block_bytes = static_cast<std::size_t>(parameters.integer("block_kib")) << 10,
        .fifo_bytes = static_cast<std::size_t>(parameters.integer("fifo_kib")) << 10,
    };
    const std::int64_t width = satish_merge::widths().target_bit(parameters.word("width"));
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        using Form = satish_merge::Form<K, V>;
        using Lane = typename Form::Lane;
        const satish_merge::Kernels<Lane>* kernels = nullptr;
        if constexpr (sizeof(K) <= 8) kernels = satish_merge::simd_kernels<Lane>(width, Form::pairs);
        if (kernels == nullptr) kernels = &satish_merge::ScalarKernels<Lane, Form::pairs>::table();
        return std::make_unique<satish_merge::MergeSorter<K, V>>(problem.n, settings, *kernels, resources);
      });
    });
  }

 private:
  static constexpr std::int64_t kMaxKib = 65536;

  Info info_{
      .name = "satish_cpu_merge",
      .title = "SIMD merge sort of Chhugani et al., as Satish et al. measure it",
      .source = "Satish et al. 2010, section 3.1; Chhugani et al., VLDB 2008",
      .family = "merge",
      .origin = Origin::paper,
      .paper = "satish2010",
      .parallel = true,
      .stable = false,
      .parameters = {{.name = "width",
                      .meaning = "registers: none, or of 128, 256 or 512 bits; auto: the widest here",
                      .standard = std::string{"auto"},
                      .choices = satish_merge::widths().words()},
                     {.name = "block_kib",
                      .meaning = "KiB of elements that are sorted in cache at a time; auto: half of the L2 cache",
                      .standard = std::string{"auto"},
                      .range = {1, kMaxKib}},
                     {.name = "fifo_kib",
                      .meaning = "KiB of the FIFOs of a thread's merge tree; auto: half of the L2 cache",
                      .standard = std::string{"auto"},
                      .range = {1, kMaxKib}}},
      .presets = {{"paper",
                   {{"width", HighwayTargets::word_of_128_bits()}, {"block_kib", "128"}, {"fifo_kib", "128"}}}},
      .roles = {{"chhugani_merge", {{"width", HighwayTargets::word_of_128_bits()}}},
                {"chhugani_merge_scalar", {{"width", "scalar"}}}},
      .phases = {"blocks", "split", "merge"},
  };
};

const Register registered{std::make_unique<SatishCpuMerge>()};

}  // namespace
}  // namespace sortlab
