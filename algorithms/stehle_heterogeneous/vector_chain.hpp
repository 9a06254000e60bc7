// Finds the smallest head of the runs with AVX-512: all heads are in one to four registers. Their minimum takes a few
// shuffles, and a comparison with it gives the run. That is a third of a loser tree's instructions for 16 runs.
#pragma once

#include "algorithms/stehle_heterogeneous/merge_chain.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace sortlab::heterogeneous {

inline bool vectors_here() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi");
}

#define SORTLAB_AVX512 gnu::target("avx512f,avx512bw,avx512dq,bmi")

template <class K, class V, std::size_t kLeaves>
class VectorChain final : public RunPieces<K, V, kLeaves> {
 public:
  void start(const MergeArrays<K, V>& arrays, std::span<const std::uint64_t> begin, std::span<const std::uint64_t> end,
             std::uint64_t place) {
    this->start_pieces(arrays, begin, end, place);
    heads_.fill(this->kGreatest);
    for (std::size_t run = 0; run < kLeaves; ++run) heads_[run] = this->run_head(run);
  }

  /// Outputs `count` elements of each chain, alternating between the chains, with all heads in registers.
  template <std::size_t kChains>
  [[SORTLAB_AVX512]] static void advance(VectorChain* chains, std::uint64_t count) {
    __m512i heads[kChains][kVectors];
    Next next[kChains];
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      next[chain] = chains[chain].next();
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
        heads[chain][v] = _mm512_load_si512(chains[chain].heads_.data() + v * kLanes);
      }
    }
    for (std::uint64_t i = 0; i < count; ++i) {
#pragma GCC unroll 4
      for (std::size_t chain = 0; chain < kChains; ++chain) chains[chain].step(heads[chain], next[chain], i);
    }
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
        _mm512_store_si512(chains[chain].heads_.data() + v * kLanes, heads[chain][v]);
      }
    }
  }

 private:
  using Next = typename RunPieces<K, V, kLeaves>::Next;
  static constexpr std::size_t kLanes = 64 / sizeof(K);
  static constexpr std::size_t kVectors = (kLeaves + kLanes - 1) / kLanes;
  static constexpr bool kWide = sizeof(K) == 8;
  /// Mask of all lanes. GCC 12 warns of an uninitialised operand inside the forms without a mask, and generates the
  /// same code.
  static constexpr __mmask8 kAll8 = 0xFF;
  static constexpr __mmask16 kAll16 = 0xFFFF;

  [[SORTLAB_AVX512, gnu::always_inline]] void step(__m512i (&heads)[kVectors], const Next& to, std::uint64_t i) {
    const std::uint64_t smallest = runs_of_smallest(heads);
    const Bits<K> next = this->take(_tzcnt_u64(smallest), to, i);
    const std::uint64_t one = smallest & -smallest;  // the first run's among equal heads, as RunSplit cuts them
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      if constexpr (kWide) {
        heads[v] = _mm512_mask_set1_epi64(heads[v], static_cast<__mmask8>(one >> (v * kLanes)),
                                          static_cast<std::int64_t>(next));
      } else {
        heads[v] = _mm512_mask_set1_epi32(heads[v], static_cast<__mmask16>(one >> (v * kLanes)),
                                          static_cast<std::int32_t>(next));
      }
    }
  }

  /// One bit per run whose head is the smallest. Bits above the runs may also be set.
  [[SORTLAB_AVX512, gnu::always_inline]] static std::uint64_t runs_of_smallest(const __m512i (&heads)[kVectors]) {
    __m512i smallest = heads[0];
#pragma GCC unroll 4
    for (std::size_t v = 1; v < kVectors; ++v) smallest = smaller(smallest, heads[v]);
    // Lanes above kLeaves hold the greatest key.
    if constexpr (kLeaves * sizeof(K) > 32)
      smallest = smaller(smallest, _mm512_maskz_shuffle_i64x2(kAll8, smallest, smallest, 0x4E));
    if constexpr (kLeaves * sizeof(K) > 16)
      smallest = smaller(smallest, _mm512_maskz_shuffle_i64x2(kAll8, smallest, smallest, 0xB1));
    if constexpr (kLeaves * sizeof(K) > 8)
      smallest = smaller(smallest, _mm512_maskz_shuffle_epi32(kAll16, smallest, _MM_PERM_BADC));
    if constexpr (!kWide) smallest = smaller(smallest, _mm512_maskz_shuffle_epi32(kAll16, smallest, _MM_PERM_CDAB));
    if constexpr (kVectors == 1) {
      return equal(heads[0], smallest);
    } else if constexpr (kVectors == 2) {
      return join(equal(heads[0], smallest), equal(heads[1], smallest));
    } else {
      static_assert(kVectors == 4 && kWide);
      const auto low = join(equal(heads[0], smallest), equal(heads[1], smallest));
      return _mm512_kunpackw(join(equal(heads[2], smallest), equal(heads[3], smallest)), low);
    }
  }

  using Mask = std::conditional_t<kWide, __mmask8, __mmask16>;
  [[SORTLAB_AVX512, gnu::always_inline]] static Mask equal(__m512i a, __m512i b) {
    if constexpr (kWide) {
      return _mm512_cmpeq_epu64_mask(a, b);
    } else {
      return _mm512_cmpeq_epu32_mask(a, b);
    }
  }
  /// Joins the masks in mask registers: one transfer to general registers instead of two with a shift and an or.
  [[SORTLAB_AVX512, gnu::always_inline]] static auto join(Mask low, Mask high) {
    if constexpr (kWide) {
      return _mm512_kunpackb(high, low);
    } else {
      return _mm512_kunpackw(high, low);
    }
  }

  [[SORTLAB_AVX512, gnu::always_inline]] static __m512i smaller(__m512i a, __m512i b) {
    if constexpr (kWide) return _mm512_maskz_min_epu64(kAll8, a, b);
    return _mm512_maskz_min_epu32(kAll16, a, b);
  }

  alignas(64) std::array<Bits<K>, kVectors * kLanes> heads_{};
};

#undef SORTLAB_AVX512

}  // namespace sortlab::heterogeneous

#else

namespace sortlab::heterogeneous {
inline bool vectors_here() {
  return false;
}
}  // namespace sortlab::heterogeneous

#endif
