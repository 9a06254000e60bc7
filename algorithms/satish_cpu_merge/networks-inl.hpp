// Sorting and merging networks on registers of any width. Included once per target (Highway's foreach_target).
//
// As in Chhugani et al. 2008, a comparator works on all lanes of two registers, so the elements that a level compares
// must lie in the same lane of two registers. A pair of registers is therefore interleaved between two levels of a
// merge: the register number of an element is one bit of its index, and interleaving replaces it by the next lower bit.
#if defined(SORTLAB_SATISH_CPU_MERGE_NETWORKS) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_SATISH_CPU_MERGE_NETWORKS
#undef SORTLAB_SATISH_CPU_MERGE_NETWORKS
#else
#define SORTLAB_SATISH_CPU_MERGE_NETWORKS
#endif

#include <hwy/highway.h>

#include <utility>

#include "algorithms/satish_cpu_merge/kernels.hpp"

// The targets that the sort offers. Highway also compiles others, among them one without vectors.
#if SORTLAB_TARGET_WITH_WIDTH
HWY_BEFORE_NAMESPACE();
namespace sortlab::satish_merge {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Registers of keys alone.
template <class T>
struct KeysOnly {
  using Lane = T;
  using D = hn::CappedTag<T, HWY_LANES(T)>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = HWY_LANES(T);

  V keys;

  static HWY_INLINE KeysOnly load(const T* from, std::ptrdiff_t) { return {hn::LoadU(D{}, from)}; }
  HWY_INLINE void store(T* to, std::ptrdiff_t) const { hn::StoreU(keys, D{}, to); }
  template <class F>
  static HWY_INLINE KeysOnly map(const F& f, const KeysOnly& a, const KeysOnly& b) {
    return {f(a.keys, b.keys)};
  }
  static HWY_INLINE void compare_exchange(KeysOnly& low, KeysOnly& high) {
    const V least = hn::Min(low.keys, high.keys);
    high.keys = hn::Max(low.keys, high.keys);
    low.keys = least;
  }
};

/// Registers of keys with registers of their values, which follow them through the masks of the comparisons.
template <class T>
struct KeysAndValues {
  using Lane = T;
  using D = typename KeysOnly<T>::D;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = KeysOnly<T>::lanes;

  V keys;
  V values;

  static HWY_INLINE KeysAndValues load(const T* from, std::ptrdiff_t to_values) {
    return {hn::LoadU(D{}, from), hn::LoadU(D{}, from + to_values)};
  }
  HWY_INLINE void store(T* to, std::ptrdiff_t to_values) const {
    hn::StoreU(keys, D{}, to);
    hn::StoreU(values, D{}, to + to_values);
  }
  template <class F>
  static HWY_INLINE KeysAndValues map(const F& f, const KeysAndValues& a, const KeysAndValues& b) {
    return {f(a.keys, b.keys), f(a.values, b.values)};
  }
  static HWY_INLINE void compare_exchange(KeysAndValues& low, KeysAndValues& high) {
    const auto swap = hn::Lt(high.keys, low.keys);
    const KeysAndValues a = low;
    low = {hn::IfThenElse(swap, high.keys, a.keys), hn::IfThenElse(swap, high.values, a.values)};
    high = {hn::IfThenElse(swap, a.keys, high.keys), hn::IfThenElse(swap, a.values, high.values)};
  }
};

// Operations applied alike to a register of keys and one of values.
template <class D>
struct Reversed {
  template <class V>
  HWY_INLINE V operator()(V a, V /*b*/) const {
    return hn::Reverse(D{}, a);
  }
};
template <class D>
struct BlocksLower {  ///< interleaves the lower halves of each block of 128 bits
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::InterleaveLower(D{}, a, b);
  }
};
template <class D>
struct BlocksUpper {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::InterleaveUpper(D{}, a, b);
  }
};
#if HWY_MAX_BYTES == 32
template <class D>
struct LowerHalves {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::ConcatLowerLower(D{}, b, a);
  }
};
template <class D>
struct UpperHalves {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::ConcatUpperUpper(D{}, b, a);
  }
};
#elif HWY_MAX_BYTES == 64
// Permutations of two registers, which Highway 1.0.3 lacks: each interleaves whole registers in one instruction.
template <class D>
struct WholeLower {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const __m512i index = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      return V{_mm512_permutex2var_epi32(a.raw, index, b.raw)};
    } else {
      return V{_mm512_permutex2var_epi64(a.raw, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b.raw)};
    }
  }
};
template <class D>
struct WholeUpper {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const __m512i index = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      return V{_mm512_permutex2var_epi32(a.raw, index, b.raw)};
    } else {
      return V{_mm512_permutex2var_epi64(a.raw, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b.raw)};
    }
  }
};
#endif

template <template <class> class Lower, template <class> class Upper, class R>
HWY_INLINE void rearrange(R& a, R& b) {
  const R lower = R::map(Lower<typename R::D>{}, a, b);
  b = R::map(Upper<typename R::D>{}, a, b);
  a = lower;
}
template <class R>
HWY_INLINE void interleave_blocks(R& a, R& b) {
  rearrange<BlocksLower, BlocksUpper>(a, b);
}
/// Replaces the register bit of an element's index by a lane bit: the highest within a block of 128 bits, or with
/// AVX-512 within the register.
template <class R>
HWY_INLINE void interleave(R& a, R& b) {
#if HWY_MAX_BYTES == 64
  rearrange<WholeLower, WholeUpper>(a, b);
#else
  interleave_blocks(a, b);
#endif
}
/// Exchanges the block bit and the register bit of the index, for AVX2, whose interleaves stay within blocks.
template <class R>
HWY_INLINE void exchange_halves([[maybe_unused]] R& a, [[maybe_unused]] R& b) {
#if HWY_MAX_BYTES == 32
  rearrange<LowerHalves, UpperHalves>(a, b);
#endif
}

/// Sorts each of two registers that are bitonic.
template <class R>
HWY_INLINE void sort_two_bitonic(R& a, R& b) {
  exchange_halves(a, b);
  if constexpr (HWY_MAX_BYTES == 32) R::compare_exchange(a, b);
  constexpr std::size_t within = HWY_MAX_BYTES == 64 ? R::lanes : 16 / sizeof(typename R::Lane);
#pragma GCC unroll 4
  for (std::size_t lanes = within; lanes > 1; lanes /= 2) {
    interleave(a, b);
    R::compare_exchange(a, b);
  }
  interleave(a, b);
  exchange_halves(a, b);
}

/// Merges two sorted sequences of `n` registers each. The lower half of the result goes to `low`.
template <std::size_t n, class R>
HWY_INLINE void merge_network(R* HWY_RESTRICT low, R* HWY_RESTRICT high) {
  R reversed[n];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < n; ++i) {
    reversed[i] = R::map(Reversed<typename R::D>{}, high[n - 1 - i], high[n - 1 - i]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < n; ++i) {
    R::compare_exchange(low[i], reversed[i]);
    high[i] = reversed[i];
  }
#pragma GCC unroll 4
  for (std::size_t apart = n / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) {
      if ((i & apart) != 0) continue;
      R::compare_exchange(low[i], low[i + apart]);
      R::compare_exchange(high[i], high[i + apart]);
    }
  }
  if constexpr (n == 1) {
    sort_two_bitonic(low[0], high[0]);
  } else {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; i += 2) {
      sort_two_bitonic(low[i], low[i + 1]);
      sort_two_bitonic(high[i], high[i + 1]);
    }
  }
}

template <class R, std::size_t... i>
HWY_INLINE void sort_columns(R* HWY_RESTRICT rows, std::index_sequence<i...> /*comparators*/) {
  constexpr auto network = batcher_network();
  (R::compare_exchange(rows[network[i].low], rows[network[i].high]), ...);
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::satish_merge
HWY_AFTER_NAMESPACE();
#endif

#endif
