#include <fmt/format.h>

#include "algorithms/common/adapters/external_algorithm.hpp"
#include "algorithms/common/host/ordered_keys.hpp"
#include "algorithms/raduls2/sort.hpp"
#include "core/affinity.hpp"
#include "core/pages.hpp"

#include <algorithm>
#include <cstring>

namespace sortlab {
namespace {

/// The library's record: a multiple of 8 bytes, up to 32, with the most significant byte of the key last. A pair is
/// passed as one number with the value in its lower part.
template <class K, class V>
constexpr bool offers() {
  if constexpr (std::is_same_v<V, NoValue>) {
    return sizeof(K) >= 8;
  } else {
    return sizeof(K) >= sizeof(V);
  }
}

bool is_aligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % external::kRadulsAlignment == 0;
}

template <class K, class V>
class Ready final : public Sorter {
  using Element = std::conditional_t<std::is_same_v<V, NoValue>, K, Pair<K, V>>;

 public:
  Ready(const Problem& problem, const Resources& resources)
      : resources_(resources), scratch_(problem.n * sizeof(Element), resources.pages) {}

  std::uint64_t scratch_bytes() const override { return scratch_.size() + aligned_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    sort_mapped<K>(!std::is_same_v<K, Bits<K>>, elements_as_bits<K, V>(data.keys), phases,
                   [&] { sort_records(data.keys.data, data.keys.count); });
    return data;
  }

 private:
  /// Sorts records. The harness aligns its arrays to pages; other arrays are copied to an aligned one and back.
  void sort_records(void* data, std::uint64_t n) {
    const Pinned allowed{resources_.cpus};  // the library starts new threads in each call
    void* input = data;
    if (!is_aligned(data)) {
      if (aligned_.size() < n * sizeof(Element)) aligned_ = Pages(n * sizeof(Element), resources_.pages);
      input = aligned_.data();
      std::memcpy(input, data, n * sizeof(Element));
    }
    external::raduls_sort(input, scratch_.data(), n, sizeof(Element), sizeof(Element),
                          static_cast<std::uint32_t>(resources_.threads));
    if (input != data) std::memcpy(data, input, n * sizeof(Element));
  }

  Resources resources_;
  Pages scratch_;
  Pages aligned_{};
};

class Raduls2 final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (__builtin_cpu_supports("avx2")) return std::nullopt;
    return "the processor lacks AVX2, for which it was compiled";
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (with_types(problem.key, problem.value, []<class K, class V>() { return offers<K, V>(); })) return std::nullopt;
    return "sorts records of a multiple of 8 bytes, keys no narrower than their values";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    return with_types(problem.key, problem.value, [&]<class K, class V>() -> std::unique_ptr<Sorter> {
      if constexpr (offers<K, V>()) {
        return std::make_unique<Ready<K, V>>(problem, resources);
      } else {
        return nullptr;  // never called: declined
      }
    });
  }

 private:
  Info info_{
      .name = "raduls2",
      .title = "RADULS2 (parallel radix sort, most significant digit first)",
      .source = "Kokot, Deorowicz, Dlugosz: Even Faster Sorting of (Not Only) Integers, ICMMI 2017",
      .family = "radix",
      .version = fmt::format("RADULS {} {}", external::raduls_version(), SORTLAB_VERSION),
      .keys = {KeyType::u64, KeyType::i64, KeyType::f64, KeyType::u128, KeyType::u32, KeyType::i32, KeyType::f32},
      .layouts = {Layout::together},
      .parallel = true,
      .allocates_inside = true,
      .phases = {"map", "sort"},
  };
};

const Register registered{std::make_unique<Raduls2>()};

}  // namespace
}  // namespace sortlab
