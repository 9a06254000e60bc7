// The in-core sort of AA-sort: comb sort of whole vectors, for one instruction set.
//
// The keys of a block are m vectors of P lanes. They are sorted in transposed order, in which lane k of vector i has
// position k * m + i. Neighbours in that order are in adjacent vectors, so that a compare-exchange is a minimum and a
// maximum of whole vectors and no load is unaligned. At the end of a column, the next lane's column begins: that is the
// skewed compare-exchange.
#if defined(SORTLAB_AA_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_AA_BLOCK_INL
#undef SORTLAB_AA_BLOCK_INL
#else
#define SORTLAB_AA_BLOCK_INL
#endif

#include "algorithms/aa_sort/vectors-inl.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::aa::HWY_NAMESPACE {

/// Compare-exchanges lane k of one vector with lane k + by of another. Lanes without a partner stay. `by` is 1 to P.
template <class T>
class Skewed {
 public:
  explicit Skewed(std::size_t by)
      : next_(kFromAbove<Index<T>, kLanes<T>>.data() + by),
        previous_(kFromBelow<Index<T>, kLanes<T>>.data() + kLanes<T> - by),
        has_next_(kLanes<T> - by),
        has_no_previous_(by) {}

  HWY_INLINE void compare_exchange(Vec<T>& low, Vec<T>& high) const {
    const Tag<T> d;
    const auto next = permuted<T>(high, next_);
    const auto previous = permuted<T>(low, previous_);
    low = hn::IfThenElse(hn::FirstN(d, has_next_), hn::Min(low, next), low);
    high = hn::IfThenElse(hn::FirstN(d, has_no_previous_), high, hn::Max(high, previous));
  }
  HWY_INLINE void compare_exchange(T* low_at, T* high_at) const {
    const Tag<T> d;
    auto low = hn::Load(d, low_at);
    auto high = hn::Load(d, high_at);
    compare_exchange(low, high);
    hn::Store(low, d, low_at);
    hn::Store(high, d, high_at);
  }

 private:
  const Index<T>* next_;
  const Index<T>* previous_;
  std::size_t has_next_;
  std::size_t has_no_previous_;
};

/// One pass of comb sort over m vectors in transposed order. The keys `gap` positions further on are gap / m lanes and
/// gap % m vectors away; past the end of a column they are one lane further, in the first vectors.
template <class T>
HWY_INLINE void comb(T* block, std::size_t m, std::size_t gap) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const std::size_t apart = gap % m;
  std::size_t i = 0;
  if (gap < m) {
    for (; i + apart < m; ++i) {
      SORTLAB_LOOP("aa.comb." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
      auto low = hn::Load(d, block + i * lanes);
      auto high = hn::Load(d, block + (i + apart) * lanes);
      compare_exchange<T>(low, high);
      hn::Store(low, d, block + i * lanes);
      hn::Store(high, d, block + (i + apart) * lanes);
    }
  } else {
    const Skewed<T> skewed{gap / m};
    for (; i + apart < m; ++i) {
      SORTLAB_LOOP("aa.skewed." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
      skewed.compare_exchange(block + i * lanes, block + (i + apart) * lanes);
    }
  }
  const Skewed<T> skewed{gap / m + 1};
  for (; i < m; ++i) {
    SORTLAB_LOOP("aa.skewed." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
    skewed.compare_exchange(block + i * lanes, block + (i + apart - m) * lanes);
  }
}

/// Comb sort of m vectors in transposed order.
template <class T>
HWY_INLINE void comb_sort(T* block, std::size_t m) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const Skewed<T> skewed{1};
  for (std::size_t gap = first_gap(m, lanes); gap > 1; gap = next_gap(gap)) {
    if (gap % m != 0) comb(block, m, gap);  // otherwise a vector would meet itself
  }
  // Bubble sort of a nearly sorted block, until a pass changes nothing.
  for (bool changed = true; changed;) {
    auto low = hn::Load(d, block);
    auto changes = hn::Zero(d);
    for (std::size_t i = 1; i < m; ++i) {
      SORTLAB_LOOP("aa.last." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
      const auto was = low;
      auto high = hn::Load(d, block + i * lanes);
      compare_exchange<T>(low, high);
      changes = hn::Or(changes, hn::Xor(was, low));
      hn::Store(low, d, block + (i - 1) * lanes);
      low = high;
    }
    // A single vector is in order already.
    if (m > 1) {
      const auto was = low;
      auto first = hn::Load(d, block);
      skewed.compare_exchange(low, first);
      changes = hn::Or(changes, hn::Xor(was, low));
      hn::Store(first, d, block);
    }
    hn::Store(low, d, block + (m - 1) * lanes);
    changed = !hn::AllTrue(d, hn::Eq(changes, hn::Zero(d)));
  }
}

/// Transposes a square of lanes from rows `stride` apart to rows `m` apart.
template <class T>
HWY_INLINE void transpose_square(const T* from, std::size_t stride, T* to, std::size_t m) {
#if HWY_TARGET == HWY_SCALAR
  (void)stride, (void)m;
  *to = *from;
#else
  const hn::CappedTag<T, 16 / sizeof(T)> d;
  const auto a = hn::LoadU(d, from);
  const auto b = hn::LoadU(d, from + stride);
  const auto ab_lower = hn::InterleaveLower(d, a, b);
  const auto ab_upper = hn::InterleaveUpper(d, a, b);
  if constexpr (sizeof(T) == 8) {
    hn::StoreU(ab_lower, d, to);
    hn::StoreU(ab_upper, d, to + m);
  } else {
    const auto c = hn::LoadU(d, from + 2 * stride);
    const auto e = hn::LoadU(d, from + 3 * stride);
    const auto ce_lower = hn::InterleaveLower(d, c, e);
    const auto ce_upper = hn::InterleaveUpper(d, c, e);
    hn::StoreU(hn::ConcatLowerLower(d, ce_lower, ab_lower), d, to);
    hn::StoreU(hn::ConcatUpperUpper(d, ce_lower, ab_lower), d, to + m);
    hn::StoreU(hn::ConcatLowerLower(d, ce_upper, ab_upper), d, to + 2 * m);
    hn::StoreU(hn::ConcatUpperUpper(d, ce_upper, ab_upper), d, to + 3 * m);
  }
#endif
}

/// Transposes the first n of m * P keys to their places, in squares of 16 bytes a side.
template <class T>
HWY_INLINE void transpose(const T* block, std::size_t m, std::size_t n, T* out) {
  constexpr std::size_t lanes = kLanes<T>;
  constexpr std::size_t side = hn::MaxLanes(hn::CappedTag<T, 16 / sizeof(T)>());
  for (std::size_t i = 0; i < m; i += side) {
    for (std::size_t k = 0; k < lanes; k += side) {
      if (i + side > m || (k + side - 1) * m + i + side > n) {
        for (std::size_t column = k; column < k + side; ++column) {
          for (std::size_t row = i; row < std::min(m, i + side); ++row) {
            if (column * m + row < n) out[column * m + row] = block[row * lanes + column];
          }
        }
      } else {
        SORTLAB_LOOP("aa.transpose." HWY_STR(HWY_NAMESPACE), side * side, sizeof(T));
        transpose_square(block + i * lanes + k, lanes, out + k * m + i, m);
      }
    }
  }
}

template <class T>
void sort_block(const void* in, std::size_t n, void* block, void* out) {
  if (n == 0) return;
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const T* const keys = static_cast<const T*>(in);
  T* const vectors = static_cast<T*>(block);
  const std::size_t m = (n + lanes - 1) / lanes;
  // The last vector is padded with the largest key. Padding ends up last; without values it equals real keys.
  std::copy(keys + n / lanes * lanes, keys + n, vectors + n / lanes * lanes);
  std::fill(vectors + n, vectors + m * lanes, std::numeric_limits<T>::max());
  for (std::size_t i = 0; i < m; ++i) {
    SORTLAB_LOOP("aa.enter." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
    const auto v = i < n / lanes ? hn::LoadU(d, keys + i * lanes) : hn::Load(d, vectors + i * lanes);
    hn::Store(sorted_lanes<T>(v), d, vectors + i * lanes);
  }
  comb_sort(vectors, m);
  transpose(vectors, m, n, static_cast<T*>(out));
}

}  // namespace sortlab::aa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
