// Compare-exchange of vectors and of the lanes in them, for one instruction set: included once for each by kernels.cpp.
#if defined(SORTLAB_AA_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_AA_VECTORS_INL
#undef SORTLAB_AA_VECTORS_INL
#else
#define SORTLAB_AA_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "algorithms/aa_sort/kernels.hpp"
#include "algorithms/aa_sort/lane_tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::aa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Tag of full vectors of at most kVectorBytes.
template <class T>
using Tag = hn::CappedTag<T, kVectorBytes / sizeof(T)>;
template <class T>
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag<T>());
/// Integer type that indexes lanes of T.
template <class T>
using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class T>
using Vec = hn::Vec<Tag<T>>;

template <class T>
HWY_INLINE void compare_exchange(Vec<T>& low, Vec<T>& high) {
  const auto smaller = hn::Min(low, high);
  high = hn::Max(low, high);
  low = smaller;
}

/// Permutes lanes by the indices of a row from lane_tables.hpp.
template <class T>
HWY_INLINE Vec<T> permuted(Vec<T> v, const Index<T>* row) {
  return hn::TableLookupLanes(v, hn::SetTableIndices(Tag<T>(), row));
}

/// Compare-exchanges lane i with lane i ^ partner. The lane with bit `upper` keeps the maximum, or the minimum if its
/// bit `descending` is set (0: never).
template <class T, std::size_t partner, std::size_t upper, std::size_t descending>
HWY_INLINE Vec<T> compare_exchange_lanes(Vec<T> v) {
  const Tag<T> d;
  const Vec<T> other = permuted<T>(v, kXorLanes<Index<T>, kLanes<T>, partner>.data());
  const hn::RebindToSigned<Tag<T>> di;
  const auto takes_larger = hn::RebindMask(
      d, hn::Lt(hn::LoadU(di, kTakesLarger<Index<T>, kLanes<T>, upper, descending>.data()), hn::Zero(di)));
  return hn::IfThenElse(takes_larger, hn::Max(v, other), hn::Min(v, other));
}

/// Sorts a bitonic vector by the half-cleaners of distance `distance` and all smaller ones.
template <class T, std::size_t distance>
HWY_INLINE Vec<T> sorted_from_bitonic(Vec<T> v) {
  if constexpr (distance == 0) {
    return v;
  } else {
    return sorted_from_bitonic<T, distance / 2>(compare_exchange_lanes<T, distance, distance, 0>(v));
  }
}

/// Merges runs of `run` / 2 lanes into runs of `run` lanes, by the stages of a bitonic sort.
template <class T, std::size_t run, std::size_t distance>
HWY_INLINE Vec<T> run_stages(Vec<T> v) {
  if constexpr (distance == 0) {
    return v;
  } else {
    constexpr std::size_t descending = run < kLanes<T> ? run : 0;
    return run_stages<T, run, distance / 2>(compare_exchange_lanes<T, distance, distance, descending>(v));
  }
}
template <class T, std::size_t run = 2>
HWY_INLINE Vec<T> sorted_lanes(Vec<T> v) {
  if constexpr (run > kLanes<T>) {
    return v;
  } else {
    return sorted_lanes<T, run * 2>(run_stages<T, run, run / 2>(v));
  }
}

/// Merges two ascending vectors: the smaller half of the lanes ascends in `low`, the larger in `high`.
template <class T>
HWY_INLINE void merge_vectors(Vec<T>& low, Vec<T>& high) {
  high = permuted<T>(high, kXorLanes<Index<T>, kLanes<T>, kLanes<T> - 1>.data());  // reversed
  compare_exchange<T>(low, high);
  low = sorted_from_bitonic<T, kLanes<T> / 2>(low);
  high = sorted_from_bitonic<T, kLanes<T> / 2>(high);
}

}  // namespace sortlab::aa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
