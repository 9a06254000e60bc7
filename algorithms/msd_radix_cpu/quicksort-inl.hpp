// Quicksort in place with vectors: what remains unsorted when no digit tells keys apart any more, and all of an input
// that fits into the cache. Included once a target.
//
// Partitioning is that of Bramas 2017 (as in vqsort and x86-simd-sort): both ends are read into registers, and from
// then on each register read leaves room for one to be written; its words up to the pivot go left, the others right.
#if defined(SORTLAB_MSD_RADIX_CPU_QUICKSORT) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_QUICKSORT
#undef SORTLAB_MSD_RADIX_CPU_QUICKSORT
#else
#define SORTLAB_MSD_RADIX_CPU_QUICKSORT
#endif

#include <algorithm>
#include <bit>

#include "algorithms/msd_radix_cpu/heap_sort.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/networks-inl.hpp"

#if HWY_TARGET != HWY_SCALAR  // which has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

/// The two ends between which a partition writes: of the elements from `left` on, `room` are not written yet.
template <class R>
struct Ends {
  using Lane = typename R::Lane;
  using V = hn::Vec<typename R::D>;
  At<Lane> left;
  std::size_t room;

  /// Puts words up to the pivot to the left end, the others to the right one. Writes a register at the left end,
  /// beyond what it puts there: what it overwrites must be read.
  HWY_INLINE void put(const R& r, V pivot) {
    const typename R::D d;
    const auto greater = hn::Gt(r.words, pivot);
    const std::size_t above = hn::CountTrue(d, greater);
    room -= R::lanes;
    write(left.words, r.words, greater, above);
    if constexpr (R::has_values) write(left.words + left.to_values, r.values, greater, above);
    left = left + (R::lanes - above);
  }

  /// The last to be put: the first `room` lanes, and nothing is written beyond them.
  HWY_INLINE void put_last(const R& r, V pivot) {
    const typename R::D d;
    const auto valid = hn::FirstN(d, room);
    const auto greater = hn::And(hn::Gt(r.words, pivot), valid);
    const auto others = hn::AndNot(greater, valid);
    const std::size_t above = hn::CountTrue(d, greater);
    const std::size_t below = room - above;
    const auto write_both = [&](Lane * to, V v) __attribute__((always_inline)) {
      store_first(sortlab::HWY_NAMESPACE::compressed(d, v, others), to, below);
      store_first(sortlab::HWY_NAMESPACE::compressed(d, v, greater), to + below, above);
    };
    write_both(left.words, r.words);
    if constexpr (R::has_values) write_both(left.words + left.to_values, r.values);
    left = left + below;
    room = 0;
  }

 private:
  HWY_INLINE void write(Lane* low, V v, hn::Mask<typename R::D> greater, std::size_t above) const {
    const typename R::D d;
    const V lower = sortlab::HWY_NAMESPACE::compressed(d, v, hn::Not(greater));
    if (kMasked || room >= R::lanes) hn::StoreU(lower, d, low);
    if constexpr (kMasked) {
      // A store of no lanes beyond the end of the array would be harmless, but takes hundreds of cycles where the page
      // that it spares cannot be written.
      if (above == 0) [[unlikely]] {
        return;
      }
      const V upper = sortlab::HWY_NAMESPACE::compressed(d, v, greater);
      hn::BlendedStore(upper, hn::FirstN(d, above), d, low + room + (R::lanes - above));
    } else if (room >= R::lanes) {
      hn::StoreU(lower, d, low + room);  // a permutation by a table leaves the other lanes behind those of the mask
    } else {
      store_first(lower, low, R::lanes - above);
      store_first(sortlab::HWY_NAMESPACE::compressed(d, v, greater), low + room + (R::lanes - above), above);
    }
  }
};

/// Moves the words up to `pivot` before the others; returns how many they are.
template <class R>
HWY_NOINLINE std::size_t partition(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  constexpr std::size_t lanes = R::lanes;
  constexpr std::size_t unroll = R::has_values ? 4 : 8;
  constexpr std::size_t step = unroll * lanes;
  constexpr std::size_t line = 64 / sizeof(typename R::Lane);
  constexpr std::size_t ahead = 6 * step;  // the ends are read in turns that no hardware prefetcher foresees
  static_assert(kSmall<R> >= 2 * step);
  const auto pivots = hn::Set(typename R::D{}, pivot);

  // Both ends and what is no whole register wait in registers.
  const std::size_t whole = n / lanes * lanes;
  const R rest = R::load_first(at + whole, n - whole, R::greatest());
  R first[unroll];
  R last[unroll];
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) {
    first[u] = R::load(at + u * lanes);
    last[u] = R::load(at + (whole - (u + 1) * lanes));
  }

  At<typename R::Lane> next = at + step;
  At<typename R::Lane> end = at + (whole - step);
  Ends<R> ends{at, n};
  const auto prefetch = [](At<typename R::Lane> a) {
    __builtin_prefetch(a.words);
    if constexpr (R::has_values) __builtin_prefetch(a.words + a.to_values);
  };
  const auto left = [&] { return static_cast<std::size_t>(end.words - next.words); };
  while (left() >= step) {
    R read[unroll];
    // From the side with less room, so that either side has room for what is read.
    if (static_cast<std::size_t>(next.words - ends.left.words) > step) {
      end = end - step;
      for (std::size_t i = 0; i < step; i += line) prefetch(end - ahead + i);
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(end + u * lanes);
    } else {
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(next + u * lanes);
      next = next + step;
      for (std::size_t i = 0; i < step; i += line) prefetch(next + ahead + i);
    }
#pragma GCC unroll 8
    for (std::size_t u = 0; u < unroll; ++u) ends.put(read[u], pivots);
  }
  R few[unroll];
  const std::size_t count = left() / lanes;
  for (std::size_t u = 0; u < count; ++u) few[u] = R::load(next + u * lanes);
  for (std::size_t u = 0; u < count; ++u) ends.put(few[u], pivots);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) ends.put(first[u], pivots);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) ends.put(last[u], pivots);
  ends.put_last(rest, pivots);
  return static_cast<std::size_t>(ends.left.words - at.words);
}

/// A word near the median of a sample; whether the sample holds it more than once, and nothing greater.
template <class T>
struct Pivot {
  T word;
  bool repeats;
  bool greatest;
};

/// Of each lane the median of three medians of three registers, and of these the median.
template <class R>
HWY_INLINE Pivot<typename R::Lane> choose_pivot(At<typename R::Lane> at, std::size_t n) {
  using W = Words<typename R::Lane>;
  constexpr std::size_t lanes = R::lanes;
  const auto median = [](W a, W b, W c) {
    W::compare_exchange(a, b);
    W::compare_exchange(b, c);
    W::compare_exchange(a, b);
    return b;
  };
  W medians[3];
  const std::size_t apart = (n - lanes) / 8;
#pragma GCC unroll 3
  for (std::size_t i = 0; i < 3; ++i) {
    const auto sample = [&](std::size_t k) { return W::load({at.words + k * apart, 0}); };
    medians[i] = median(sample(i), sample(i + 3), sample(i + 6));
  }
  W m[1] = {median(medians[0], medians[1], medians[2])};
  merge_all_columns<1, 2>(m);
  HWY_ALIGN typename R::Lane sorted[lanes];
  hn::Store(m[0].words, typename W::D{}, sorted);
  constexpr std::size_t middle = lanes / 2;
  return {sorted[middle], sorted[middle - 1] == sorted[middle], sorted[lanes - 1] == sorted[middle]};
}

template <class R>
HWY_INLINE bool all_are(At<typename R::Lane> at, std::size_t n, typename R::Lane word) {
  const typename R::D d;
  const auto words = hn::Set(d, word);
  std::size_t i = 0;
  for (; i + R::lanes <= n; i += R::lanes) {
    if (!hn::AllTrue(d, hn::Eq(hn::LoadU(d, at.words + i), words))) return false;
  }
  return std::all_of(at.words + i, at.words + n, [word](auto w) { return w == word; });
}

/// Chooses a pivot and parts the words by it (see Parts). Words of which there are many are done with their first
/// pivot.
template <class R>
HWY_NOINLINE Parts part(At<typename R::Lane> at, std::size_t n) {
  const auto [pivot, repeats, greatest] = choose_pivot<R>(at, n);
  if (repeats && greatest && pivot > 0) {
    const std::size_t less = partition<R>(at, n, pivot - 1);
    if (all_are<R>(at + less, n - less, pivot)) return {less, n};
    if (n - less <= kSmall<R>) return {less, less};
    return {less, less + partition<R>(at + less, n - less, pivot)};
  }
  const std::size_t below = partition<R>(at, n, pivot);
  if (below < n && !repeats) return {below, below};
  if (all_are<R>(at, below, pivot)) return {0, below};
  return {below > kSmall<R> ? partition<R>(at, below, pivot - 1) : below, below};
}

/// Sorts; with values, no word may be the greatest there is (see WordsAndValues). `levels`: partitions that may still
/// follow one another.
template <class R>
void quicksort(At<typename R::Lane> at, std::size_t n, int levels) {
  while (n > kSmall<R>) {
    if (levels-- == 0) return heap_sort<R::has_values>(at.words, at.to_values, n);
    const auto [less, below] = part<R>(at, n);
    // The smaller part by recursion, so that its depth is bounded.
    if (less < n - below) {
      quicksort<R>(at, less, levels);
      at = at + below;
      n -= below;
    } else {
      quicksort<R>(at + below, n - below, levels);
      n = less;
    }
  }
  sort_small<R>(at, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();
#endif

#endif
