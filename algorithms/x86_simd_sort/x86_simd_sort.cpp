#include <fmt/format.h>
#include <omp.h>

#include "algorithms/common/adapters/external_algorithm.hpp"
#include "algorithms/common/host/ordered_keys.hpp"
#include "algorithms/common/host/trial_seconds.hpp"
#include "algorithms/plugin.hpp"
#include "algorithms/x86_simd_sort/sorts.hpp"
#include "core/affinity.hpp"

namespace sortlab {
namespace {

namespace x86_simd = external::x86_simd;
using x86_simd::Sort;
using x86_simd::Sorts;

constexpr int kMaxThreads = 16;  ///< limit of the library

const Sorts& select_sorts(std::string_view target, bool openmp) {
  if (target == "avx512") return openmp ? x86_simd::avx512_openmp() : x86_simd::avx512();
  return openmp ? x86_simd::avx2_openmp() : x86_simd::avx2();
}

/// True if this processor runs code for -march=skylake-avx512 or -march=haswell. Tests some of their features, which
/// occur only together.
bool runs_here(std::string_view target) {
  if (target != "avx512") return runs_haswell_code();
  return runs_haswell_code() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/// The library's own choice, AVX-512, unless AVX2 is 1.5 times as fast, as on Zen 4, whose memory form of compress is
/// microcoded.
std::string faster_target() {
  if (!runs_here("avx512")) return "avx2";
  const auto seconds = [](std::string_view target) {
    const Sort sort = select_sorts(target, false).u32.alone;
    return trial_seconds([&](std::span<std::uint32_t> keys) { sort(keys.data(), nullptr, keys.size()); });
  };
  return seconds("avx2") * 1.5 < seconds("avx512") ? "avx2" : "avx512";
}

template <class K>
const Sorts::OfKey& sorts_for_key(const Sorts& sorts) {
  if constexpr (std::is_same_v<K, std::uint32_t>) return sorts.u32;
  if constexpr (std::is_same_v<K, std::int32_t>) return sorts.i32;
  if constexpr (std::is_same_v<K, float>) return sorts.f32;
  if constexpr (std::is_same_v<K, std::uint64_t>) return sorts.u64;
  if constexpr (std::is_same_v<K, std::int64_t>) return sorts.i64;
  if constexpr (std::is_same_v<K, double>) return sorts.f64;
}

Sort sort_for_value(const Sorts::OfKey& sorts, ValueType value) {
  if (value == ValueType::none) return sorts.alone;
  return value == ValueType::u32 ? sorts.with_4 : sorts.with_8;
}

template <class K>
class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, const Sorts& sorts, const Resources& resources)
      : mapped_(std::is_floating_point_v<K> && problem.needs_total_order),
        threads_(resources.threads),
        sort_(sort_for_value(mapped_ ? sorts_for_key<Bits<K>>(sorts) : sorts_for_key<K>(sorts), problem.value)) {
    if (threads_ == 1) return;
    // Starts the pool's threads now, and rebinds those that an earlier sort left on other processors.
    const Pinned allowed{resources.cpus};
#pragma omp parallel num_threads(threads_)
    pin_to(resources.cpus);
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    sort_mapped<K>(mapped_, data.keys.as<Bits<K>>(), phases, [&] {
      if (threads_ > 1) omp_set_num_threads(threads_);
      sort_(data.keys.data, data.values.data, data.keys.count);
    });
    return data;
  }

 private:
  bool mapped_;
  int threads_;
  Sort sort_;
};

class X86SimdSort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (runs_here("avx2")) return std::nullopt;
    return "the processor lacks AVX2, BMI2 or FMA, for which it was compiled";
  }

  std::optional<std::string> declines(const Problem&, const Parameters& parameters,
                                      const Resources& resources) const override {
    if (resources.threads > kMaxThreads) return fmt::format("takes at most {} threads", kMaxThreads);
    const std::string& target = parameters.word("target");
    if (!runs_here(target)) return fmt::format("the processor lacks {}", target);
    return std::nullopt;
  }

  std::optional<Value> automatic(std::string_view, const Problem&, const Resources&) const override {
    static const std::string faster = faster_target();
    return faster;
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const Sorts& sorts = select_sorts(parameters.word("target"), resources.threads > 1);
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      if constexpr (sizeof(K) <= 8) {
        return std::make_unique<Ready<K>>(problem, sorts, resources);
      } else {
        return nullptr;  // refused: not among Info::keys
      }
    });
  }

 private:
  Info info_{
      .name = "x86_simd_sort",
      .title = "x86-simd-sort (vectorised quicksort, in NumPy's np.sort)",
      .source = "x86-simd-sort; Bramas: A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512, 2017",
      .family = "comparison",
      .version = "x86-simd-sort " SORTLAB_VERSION,
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .parallel = true,
      .in_place = true,
      .parameters = {{.name = "target",
                      .meaning = "instruction set; auto: avx512 if available, unless avx2 is much faster",
                      .standard = std::string{"auto"},
                      .choices = {"avx512", "avx2"}}},
      .phases = {"map", "sort"},
  };
};

const Register registered{std::make_unique<X86SimdSort>()};

}  // namespace
}  // namespace sortlab
