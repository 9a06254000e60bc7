#include <algorithm>

#include "algorithms/aa_sort/block_merge_sorter.hpp"
#include "algorithms/plugin.hpp"
#include "core/cache_size.hpp"

namespace sortlab {
namespace {

/// Half of the L2 cache in KiB; 256 if the system does not report its size.
std::int64_t block_kib_here() {
  const std::optional<std::int64_t> bytes = l2_cache_bytes();
  return bytes ? std::clamp<std::int64_t>(*bytes / 2048, 16, 4096) : 256;
}

/// Integer type as which vectors compare keys of type K.
template <class K>
using LaneType =
    std::conditional_t<std::is_floating_point_v<K>, std::conditional_t<sizeof(K) == 4, std::int32_t, std::int64_t>, K>;

template <class T>
constexpr aa::Lane lane_kind() {
  if (std::is_same_v<T, std::uint32_t>) return aa::Lane::u32;
  if (std::is_same_v<T, std::int32_t>) return aa::Lane::i32;
  return std::is_same_v<T, std::uint64_t> ? aa::Lane::u64 : aa::Lane::i64;
}

class AaSort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return aa::widths().lacking(parameters.word("width"));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem&, const Resources&) const override {
    if (parameter == "width") return aa::widths().widest();
    if (parameter == "block_kib") return block_kib_here();
    return std::nullopt;
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      if constexpr (sizeof(K) <= 8) {
        using T = LaneType<K>;
        return std::make_unique<aa::BlockMergeSorter<T, std::is_floating_point_v<K>>>(
            problem.n, static_cast<std::size_t>(parameters.integer("block_kib")) << 10,
            aa::kernels_for(aa::widths().target_bit(parameters.word("width")), lane_kind<T>()), resources);
      } else {
        return nullptr;  // never called: not among Info::keys
      }
    });
  }

 private:
  Info info_{
      .name = "aa_sort",
      .title = "AA-sort (vectorised comb sort in cache, vectorised merge)",
      .source = "Inoue, Moriyama, Komatsu, Nakatani: AA-Sort, PACT 2007",
      .family = "merge",
      .origin = Origin::paper,
      .paper = "satish2010",
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .values = {ValueType::none},
      .parallel = true,
      .parameters = {{.name = "block_kib",
                      .meaning = "KiB of a block that is sorted in cache; auto: half of the L2 cache",
                      .standard = std::string{"auto"},
                      .range = {4, 4096}},
                     {.name = "width",
                      .meaning = "vectors: of 128 bits (sse4, neon), 256 (avx2) or 512 (avx512); auto: the widest here",
                      .standard = std::string{"auto"},
                      .choices = aa::widths().words()}},
      .presets = {{"paper", {{"width", HighwayTargets::word_of_128_bits()}}}},
      .roles = {{"inoue_aa", {{"width", HighwayTargets::word_of_128_bits()}}}},
      .phases = {"blocks", "merge"},
      .limits = {{.text =
                      "comb sort has no good worst case: on an adversarial input its time is quadratic in the block"}},
  };
};

const Register registered{std::make_unique<AaSort>()};

}  // namespace
}  // namespace sortlab
