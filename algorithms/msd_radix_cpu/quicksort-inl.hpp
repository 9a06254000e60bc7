// Vectorised quicksort in place, for keys that digits do not separate and for inputs that fit into the cache. Included
// once per target.
#if defined(SORTLAB_MSD_RADIX_CPU_QUICKSORT) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_QUICKSORT
#undef SORTLAB_MSD_RADIX_CPU_QUICKSORT
#else
#define SORTLAB_MSD_RADIX_CPU_QUICKSORT
#endif

#include <algorithm>

#include "algorithms/msd_radix_cpu/frequent-inl.hpp"
#include "algorithms/msd_radix_cpu/heap_sort.hpp"
#include "algorithms/msd_radix_cpu/partition-inl.hpp"
#include "core/loop_mark.hpp"

#if HWY_TARGET != HWY_SCALAR  // HWY_SCALAR has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

/// A word near the median of a sample, and other facts about the sample.
template <class T>
struct Pivot {
  T word;
  bool repeats;   ///< the sample holds it more than once
  bool frequent;  ///< it makes up half of the sample
  bool greatest;  ///< the sample holds nothing greater
  bool few;       ///< the sample holds at most two different words: `least` and `most`
  T least;
  T most;
};

/// Pseudo-median of nine: the median of three medians of three, lane by lane, then across lanes.
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
  const typename W::D d;
  const auto outermost =
      hn::Or(hn::Eq(m[0].words, hn::Set(d, sorted[0])), hn::Eq(m[0].words, hn::Set(d, sorted[lanes - 1])));
  const std::size_t times = hn::CountTrue(d, hn::Eq(m[0].words, hn::Set(d, sorted[middle])));
  return {sorted[middle],
          times > 1,
          2 * times >= lanes,
          sorted[lanes - 1] == sorted[middle],
          hn::AllTrue(d, outermost),
          sorted[0],
          sorted[lanes - 1]};
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

template <class R>
void quicksort(At<typename R::Lane> at, std::size_t n, int levels);

/// Partitions words without values. A frequent word is in place after its first pivot; one or two dominant words are
/// taken out without a pivot.
template <class R>
HWY_INLINE Parts part_words(At<typename R::Lane> at, std::size_t n, const Pivot<typename R::Lane>& pivot, int levels) {
  if (pivot.few) {
    if (sort_two(at.words, n, pivot.least, pivot.most)) return {0, n};
    if (auto found = find_frequent(at.words, n, pivot.least, pivot.most); found.size > 0) {
      const std::size_t others =
          found.size == 1 ? take_out<false>(at.words, n, found) : take_out<true>(at.words, n, found);
      quicksort<R>(at, others, levels);
      put_back(at.words, n, others, found);
      return {0, n};
    }
  }
  if (pivot.frequent || (pivot.repeats && pivot.greatest)) return partition<InThree, R>(at, n, pivot.word);
  SORTLAB_ONCE("msd.pivot." HWY_STR(HWY_NAMESPACE), 1, sizeof(typename R::Lane), R::has_values);
  const Parts parts = partition<InTwo, R>(at, n, pivot.word);
  return parts.below < n ? parts : partition<InThree, R>(at, n, pivot.word);
}

/// Partitions words with values, which must move even if the words are known.
template <class R>
HWY_INLINE Parts part_pairs(At<typename R::Lane> at, std::size_t n, const Pivot<typename R::Lane>& pivot) {
  const auto word = pivot.word;
  if (pivot.repeats && pivot.greatest && word > 0) {
    const std::size_t less = partition<InTwo, R>(at, n, word - 1).below;
    if (all_are<R>(at + less, n - less, word)) return {less, n};
    if (n - less <= kSmall<R>) return {less, less};
    return {less, less + partition<InTwo, R>(at + less, n - less, word).below};
  }
  SORTLAB_ONCE("msd.pivot." HWY_STR(HWY_NAMESPACE), 1, sizeof(typename R::Lane), R::has_values);
  const std::size_t below = partition<InTwo, R>(at, n, word).below;
  if (below < n && !pivot.repeats) return {below, below};
  if (all_are<R>(at, below, word)) return {0, below};
  return {below > kSmall<R> ? partition<InTwo, R>(at, below, word - 1).below : below, below};
}

/// Chooses a pivot and partitions the words by it (see Parts).
template <class R>
HWY_NOINLINE Parts part(At<typename R::Lane> at, std::size_t n, int levels) {
  const auto pivot = choose_pivot<R>(at, n);
  if constexpr (R::has_values) {
    return part_pairs<R>(at, n, pivot);
  } else {
    return part_words<R>(at, n, pivot, levels);
  }
}

/// Sorts n words. With values, no word may have the greatest value possible (see WordsAndValues). `levels`: remaining
/// recursion depth.
template <class R>
void quicksort(At<typename R::Lane> at, std::size_t n, int levels) {
  while (n > kSmall<R>) {
    if (levels-- == 0) return heap_sort<R::has_values>(at.words, at.to_values, n);
    const auto [less, below] = part<R>(at, n, levels);
    // Recurses into the smaller part, so that the depth is bounded.
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
