// Registers of words, alone or with registers of values, and their lane operations. Included once per target.
#if defined(SORTLAB_MSD_RADIX_CPU_REGISTERS) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_REGISTERS
#undef SORTLAB_MSD_RADIX_CPU_REGISTERS
#else
#define SORTLAB_MSD_RADIX_CPU_REGISTERS
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "algorithms/common/host/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using sortlab::HWY_NAMESPACE::compressed;
using sortlab::HWY_NAMESPACE::kPartitions;
using sortlab::HWY_NAMESPACE::partitioned;

/// Registers are at most 512 bits wide, the widest that the permutations below support.
template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
inline constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64 / sizeof(T));

#if HWY_TARGET != HWY_SCALAR  // HWY_SCALAR has one lane: nothing to sort within a register

/// With AVX-512, masked loads and stores cost no more than plain ones.
inline constexpr bool kMasked = HWY_ARCH_X86 != 0 && HWY_TARGET <= HWY_AVX3;

/// Pointer to elements: words, and their values a fixed distance on (in words; 0: none).
template <class T>
struct At {
  T* words;
  std::ptrdiff_t to_values;

  HWY_INLINE At operator+(std::ptrdiff_t elements) const { return {words + elements, to_values}; }
  HWY_INLINE At operator-(std::ptrdiff_t elements) const { return {words - elements, to_values}; }
};

/// Loads the first `count` lanes from memory, and takes the others from `rest`. Reads nothing beyond.
template <class T, class D = Tag<T>, class V = hn::Vec<D>>
HWY_INLINE V load_first(const T* from, std::size_t count, V rest) {
  const D d;
  if constexpr (kMasked) {
    const auto first = hn::FirstN(d, count);
    return hn::IfThenElse(first, hn::MaskedLoad(first, d, from), rest);
  } else {
    HWY_ALIGN T lanes[hn::MaxLanes(d)];
    hn::Store(rest, d, lanes);
    std::memcpy(lanes, from, count * sizeof(T));
    return hn::Load(d, lanes);
  }
}

template <class T, class D = Tag<T>, class V = hn::Vec<D>>
HWY_INLINE void store_first(V v, T* to, std::size_t count) {
  const D d;
  if constexpr (kMasked) {
    hn::BlendedStore(v, hn::FirstN(d, count), d, to);
  } else {
    HWY_ALIGN T lanes[hn::MaxLanes(d)];
    hn::Store(v, d, lanes);
    std::memcpy(to, lanes, count * sizeof(T));
  }
}

/// Writes one word n times.
template <class T>
HWY_INLINE void fill(T* to, std::size_t n, hn::Vec<Tag<T>> word) {
  std::size_t i = 0;
  for (; i + kLanes<T> <= n; i += kLanes<T>) hn::StoreU(word, Tag<T>{}, to + i);
  if (i < n) store_first(word, to + i, n - i);
}

/// Reverses the lanes of each group of `group` lanes.
template <std::size_t group>
struct Mirror {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V v) const {
    if constexpr (group == hn::MaxLanes(D{})) {
      return hn::Reverse(d, v);
    } else if constexpr (group == 2) {
      return hn::Reverse2(d, v);
    } else if constexpr (group == 4) {
      return hn::Reverse4(d, v);
    } else {
      return hn::Reverse8(d, v);
    }
  }
};

/// Exchanges lanes l and l ^ apart.
template <std::size_t apart>
struct Swap {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V v) const {
    constexpr std::size_t block = 16 / sizeof(hn::TFromD<D>);
    if constexpr (2 * apart == hn::MaxLanes(D{}) && apart >= block) {
      return hn::ConcatLowerUpper(d, v, v);
    } else if constexpr (apart == block) {
      return hn::SwapAdjacentBlocks(v);
    } else if constexpr (apart == 1) {
      return hn::Reverse2(d, v);
    } else {
      static_assert(block == 4 && apart == 2);
      return hn::Shuffle1032(v);
    }
  }
};

/// Blends two registers: lane l comes from the second if bit `bit` of l is set, otherwise from the first.
template <std::size_t bit>
struct ByLane {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V unset, V set) const {
    using T = hn::TFromD<D>;
    constexpr std::size_t block = 16 / sizeof(T);
    if constexpr (2 * bit == hn::MaxLanes(D{}) && bit >= block) {
      return hn::ConcatUpperLower(d, set, unset);
    } else if constexpr (bit == block) {
      return hn::OddEvenBlocks(set, unset);
    } else if constexpr (bit == 1) {
      return hn::OddEven(set, unset);
    } else {
      const auto is_set = hn::TestBit(hn::Iota(d, 0), hn::Set(d, static_cast<T>(bit)));
      return hn::IfThenElse(is_set, set, unset);
    }
  }
};

/// Interleaves the lower (or upper) halves of a and b: a0 b0 a1 b1 …
struct InterleaveLower {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    // A permutation of two registers, which Highway 1.0.3 lacks.
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const __m512i lanes = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      return V{_mm512_permutex2var_epi32(a.raw, lanes, b.raw)};
    } else {
      return V{_mm512_permutex2var_epi64(a.raw, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b.raw)};
    }
#else
    const V lower = hn::InterleaveLower(d, a, b);
    if constexpr (sizeof(V) == 16) return lower;
    return hn::ConcatLowerLower(d, hn::InterleaveUpper(d, a, b), lower);
#endif
  }
};
struct InterleaveUpper {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const __m512i lanes = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      return V{_mm512_permutex2var_epi32(a.raw, lanes, b.raw)};
    } else {
      return V{_mm512_permutex2var_epi64(a.raw, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b.raw)};
    }
#else
    const V upper = hn::InterleaveUpper(d, a, b);
    if constexpr (sizeof(V) == 16) return upper;
    return hn::ConcatUpperUpper(d, upper, hn::InterleaveLower(d, a, b));
#endif
  }
};

/// Registers of keys without values.
template <class T>
struct Words {
  using Lane = T;
  using D = Tag<T>;
  using V = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  static constexpr std::size_t lanes = kLanes<T>;
  static constexpr bool has_values = false;

  V words;

  static HWY_INLINE Words load(At<T> from) { return {hn::LoadU(D{}, from.words)}; }
  HWY_INLINE void store(At<T> to) const { hn::StoreU(words, D{}, to.words); }
  static HWY_INLINE Words greatest() { return {hn::Set(D{}, std::numeric_limits<T>::max())}; }
  static HWY_INLINE Words load_first(At<T> from, std::size_t count, Words rest) {
    return {HWY_NAMESPACE::load_first(from.words, count, rest.words)};
  }
  HWY_INLINE void store_first(At<T> to, std::size_t count) const { HWY_NAMESPACE::store_first(words, to.words, count); }
  /// Replaces the last `count` lanes by those of `last`.
  HWY_INLINE Words or_last(const Words& last, std::size_t count) const {
    return {hn::IfThenElse(hn::FirstN(D{}, lanes - count), words, last.words)};
  }
  template <class F>
  HWY_INLINE Words map(const F& f) const {
    return {f(D{}, words)};
  }
  template <class F>
  static HWY_INLINE Words map(const F& f, const Words& a, const Words& b) {
    return {f(D{}, a.words, b.words)};
  }
  static HWY_INLINE void compare_exchange(Words& low, Words& high) {
    const V least = hn::Min(low.words, high.words);
    high.words = hn::Max(low.words, high.words);
    low.words = least;
  }
  /// Compare-exchange: lanes with `bit` set keep the maximum, the others the minimum.
  template <std::size_t bit>
  static HWY_INLINE Words lesser_or_greater(const Words& a, const Words& b) {
    return {ByLane<bit>{}(D{}, hn::Min(a.words, b.words), hn::Max(a.words, b.words))};
  }
};

/// Words with values of equal width. Equal words may come in any order, so padding must be greater than all words: see
/// `greatest`.
template <class T>
struct WordsAndValues {
  using Lane = T;
  using D = Tag<T>;
  using V = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  static constexpr std::size_t lanes = kLanes<T>;
  static constexpr bool has_values = true;

  V words;
  V values;

  static HWY_INLINE WordsAndValues load(At<T> from) {
    return {hn::LoadU(D{}, from.words), hn::LoadU(D{}, from.words + from.to_values)};
  }
  HWY_INLINE void store(At<T> to) const {
    hn::StoreU(words, D{}, to.words);
    hn::StoreU(values, D{}, to.words + to.to_values);
  }
  static HWY_INLINE WordsAndValues greatest() { return {hn::Set(D{}, std::numeric_limits<T>::max()), hn::Zero(D{})}; }
  static HWY_INLINE WordsAndValues load_first(At<T> from, std::size_t count, WordsAndValues rest) {
    return {HWY_NAMESPACE::load_first(from.words, count, rest.words),
            HWY_NAMESPACE::load_first(from.words + from.to_values, count, rest.values)};
  }
  HWY_INLINE void store_first(At<T> to, std::size_t count) const {
    HWY_NAMESPACE::store_first(words, to.words, count);
    HWY_NAMESPACE::store_first(values, to.words + to.to_values, count);
  }
  HWY_INLINE WordsAndValues or_last(const WordsAndValues& last, std::size_t count) const {
    const auto first = hn::FirstN(D{}, lanes - count);
    return {hn::IfThenElse(first, words, last.words), hn::IfThenElse(first, values, last.values)};
  }
  template <class F>
  HWY_INLINE WordsAndValues map(const F& f) const {
    return {f(D{}, words), f(D{}, values)};
  }
  template <class F>
  static HWY_INLINE WordsAndValues map(const F& f, const WordsAndValues& a, const WordsAndValues& b) {
    return {f(D{}, a.words, b.words), f(D{}, a.values, b.values)};
  }
  static HWY_INLINE void compare_exchange(WordsAndValues& low, WordsAndValues& high) {
    const auto swap = hn::Lt(high.words, low.words);
    const V least = hn::Min(low.words, high.words);
    high.words = hn::Max(low.words, high.words);
    low.words = least;
    const V value = hn::IfThenElse(swap, high.values, low.values);
    high.values = hn::IfThenElse(swap, low.values, high.values);
    low.values = value;
  }
  /// Compare-exchange, as above. Takes `a` if both are equal: the other lane of the pair makes the same choice with a
  /// and b exchanged.
  template <std::size_t bit>
  static HWY_INLINE WordsAndValues lesser_or_greater(const WordsAndValues& a, const WordsAndValues& b) {
    const auto greater = hn::TestBit(hn::Iota(D{}, 0), hn::Set(D{}, T{bit}));
    const auto take_b =
        hn::Or(hn::And(hn::Lt(a.words, b.words), greater), hn::AndNot(greater, hn::Lt(b.words, a.words)));
    return {hn::IfThenElse(take_b, b.words, a.words), hn::IfThenElse(take_b, b.values, a.values)};
  }
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();

#endif
