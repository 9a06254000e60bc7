#include <fmt/format.h>
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/common/host/highway_targets.hpp"
#include "algorithms/common/host/ordered_keys.hpp"
#include "algorithms/common/host/trial_seconds.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab {
namespace {

/// All targets but Highway's scalar fallbacks, which are not vqsort.
const HighwayTargets& targets() {
  static const auto targets = HighwayTargets::by_name(HWY_TARGETS & ~(HWY_SCALAR | HWY_EMU128));
  return targets;
}

/// Sorts with one instruction set.
template <class T>
void sort_with(std::int64_t target, T* elements, std::size_t n) {
  choose_highway_target(target);
  hwy::Sorter{}(elements, n, hwy::SortAscending{});
}

/// True if vqsort sorts `K` with `V`: keys of 32, 64 and 128 bits, and pairs of equal widths up to 64 bits.
template <class K, class V>
constexpr bool kOffered = std::is_same_v<V, NoValue> || (sizeof(K) == sizeof(V) && sizeof(K) <= 8);

/// True for keys that Highway compares unchanged. Its pairs are unsigned. Its floats (1.0.3) turn infinities into the
/// largest finite numbers, do not order zeros, and lose NaN.
template <class K, class V>
constexpr bool kNative = std::is_unsigned_v<K> || std::is_same_v<K, uint128> ||
                         (std::is_integral_v<K> && std::is_same_v<V, NoValue>);

/// On Arm with NEON, Highway 1.0.3 reads past the end of arrays. Older releases have not been tried.
constexpr bool kReadsPastTheEnd = HWY_ARCH_ARM && HWY_MAJOR == 1 && HWY_MINOR == 0 && HWY_PATCH <= 3;

/// The array in Highway's types. A pair is one integer of twice the width, with the key in its upper half: Highway's
/// own pair types lose values of equal keys before 1.0.5, and the integers are no slower.
template <class K, class V>
auto* as_highway(Array array) {
  if constexpr (!std::is_same_v<V, NoValue>) {
    return static_cast<std::conditional_t<sizeof(K) == 4, std::uint64_t, hwy::uint128_t>*>(array.data);
  } else if constexpr (kNative<K, V> && std::is_signed_v<K>) {
    return static_cast<K*>(array.data);
  } else {
    using Unsigned = std::conditional_t<sizeof(K) == 16, hwy::uint128_t, Bits<K>>;
    return static_cast<Unsigned*>(array.data);
  }
}

/// Highway's release. Sources of one's own add git's description, since headers name only the last release.
std::string version() {
  const std::string release = fmt::format("Highway {}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH);
  const std::string commit = SORTLAB_VERSION;
  return commit.empty() ? release : fmt::format("{} ({})", release, commit);
}

class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, std::int64_t target) : problem_(problem), target_(target) {}

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    with_types(problem_.key, problem_.value, [&]<class K, class V>() {
      if constexpr (kOffered<K, V>) run<K, V>(data.keys, phases);
    });
    return data;
  }

 private:
  template <class K, class V>
  void run(Array array, PhaseTimer& phases) {
    sort_mapped<K>(!kNative<K, V>, elements_as_bits<K, V>(array), phases,
                   [&] { sort_with(target_, as_highway<K, V>(array), array.count); });
  }

  Problem problem_;
  std::int64_t target_;
};

class VqSort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (kReadsPastTheEnd) {
      return "Highway 1.0.3's vqsort reads past the end of arrays on Arm; give newer sources with -D "
             "SORTLAB_HIGHWAY_DIR";
    }
    if (!targets().widest().empty()) return std::nullopt;
    return "the processor has none of the instruction sets that Highway was built for";
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const bool offered = with_types(problem.key, problem.value, []<class K, class V>() { return kOffered<K, V>; });
    if (!offered) return "sorts pairs of 32 and 32 bits, or of 64 and 64";
    return targets().lacking(parameters.word("target"));
  }

  std::optional<Value> automatic(std::string_view, const Problem&, const Resources&) const override {
    // On Zen 4 AVX3 of Highway 1.0.3 is several times as slow as its AVX2.
    static const std::string fastest = targets().fastest([](std::int64_t bit) {
      return trial_seconds([&](std::span<std::uint32_t> keys) { sort_with(bit, keys.data(), keys.size()); });
    });
    return fastest;
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources&) const override {
    return std::make_unique<Ready>(problem, targets().target_bit(parameters.word("target")));
  }

 private:
  Info info_{
      .name = "vqsort",
      .title = "Highway vqsort (vectorised quicksort)",
      .source = "Blacher, Giesen, Sanders, Wassenberg: Vectorized and performance-portable Quicksort, 2022; Highway",
      .family = "comparison",
      .version = version(),
      .layouts = {Layout::together},
      .in_place = true,
      .parameters = {{.name = "target",
                      .meaning = "instruction set, by Highway's name; auto: the fastest here",
                      .standard = std::string{"auto"},
                      .choices = targets().words()}},
      .phases = {"map", "sort"},
  };
};

const Register registered{std::make_unique<VqSort>()};

}  // namespace
}  // namespace sortlab
