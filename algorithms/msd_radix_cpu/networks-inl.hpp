// Sorts elements that fit into a few registers. Takes the same time for every distribution. Included once per target.
//
// The registers are the rows of a matrix. The best known network sorts its columns. Bitonic networks then merge
// neighbouring columns, two by two: the first step of a merge compares lanes of different columns, the others work
// within lanes. The order runs down the columns, so the matrix is finally transposed.
#if defined(SORTLAB_MSD_RADIX_CPU_NETWORKS) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_NETWORKS
#undef SORTLAB_MSD_RADIX_CPU_NETWORKS
#else
#define SORTLAB_MSD_RADIX_CPU_NETWORKS
#endif

#include <algorithm>
#include <utility>

#include "algorithms/msd_radix_cpu/column_networks.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/registers-inl.hpp"
#include "core/loop_mark.hpp"

#if HWY_TARGET != HWY_SCALAR  // HWY_SCALAR has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

template <std::size_t rows, class R, std::size_t... i>
HWY_INLINE void sort_columns([[maybe_unused]] R* HWY_RESTRICT m, std::index_sequence<i...> /*comparators*/) {
  (R::compare_exchange(m[kColumnNetwork<rows>[i].low], m[kColumnNetwork<rows>[i].high]), ...);
}

/// Compares and exchanges lanes l and l ^ apart, in every row.
template <std::size_t rows, std::size_t apart, class R>
HWY_INLINE void half_clean_lanes(R* HWY_RESTRICT m) {
  if constexpr (apart > 0) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) {
      m[r] = R::template lesser_or_greater<apart>(m[r], m[r].map(Swap<apart>{}));
    }
    half_clean_lanes<rows, apart / 2>(m);
  }
}

/// Merges columns of `lanes` / 2 lanes each, two by two.
template <std::size_t rows, std::size_t lanes, class R>
HWY_INLINE void merge_columns(R* HWY_RESTRICT m) {
  constexpr Mirror<lanes> mirror;
  if constexpr (rows == 1) {
    m[0] = R::template lesser_or_greater<lanes / 2>(m[0], m[0].map(mirror));
  } else {
    constexpr ByLane<lanes / 2> by_lane;
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows / 2; ++r) {
      R low = m[r];
      R high = m[rows - 1 - r].map(mirror);
      R::compare_exchange(low, high);
      m[r] = R::map(by_lane, low, high);
      m[rows - 1 - r] = R::map(by_lane, high, low).map(mirror);
    }
  }
  half_clean_lanes<rows, lanes / 4>(m);
#pragma GCC unroll 4
  for (std::size_t apart = rows / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) {
      if ((r & apart) == 0) R::compare_exchange(m[r], m[r + apart]);
    }
  }
}

template <std::size_t rows, std::size_t lanes, class R>
HWY_INLINE void merge_all_columns(R* HWY_RESTRICT m) {
  if constexpr (lanes <= R::lanes) {
    merge_columns<rows, lanes>(m);
    merge_all_columns<rows, 2 * lanes>(m);
  }
}

/// Transposes from the order down the columns to the order along the rows. Each step moves a bit of the row index into
/// the lane index.
template <std::size_t rows, class R>
HWY_INLINE void transpose(R* HWY_RESTRICT m) {
#pragma GCC unroll 4
  for (std::size_t step = 1; step < rows; step *= 2) {
    R next[rows];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows / 2; ++r) {
      next[2 * r] = R::map(InterleaveLower{}, m[r], m[r + rows / 2]);
      next[2 * r + 1] = R::map(InterleaveUpper{}, m[r], m[r + rows / 2]);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) m[r] = next[r];
  }
}

/// Sorts `n` elements in place. They fill more than half of the rows, unless there is one row.
///
/// No memory beyond them is touched, not even by masked-off lanes, which would take hundreds of cycles at the end of a
/// page.
template <std::size_t rows, class R>
HWY_NOINLINE void sort_matrix(At<typename R::Lane> at, std::size_t n) {
  constexpr std::size_t full = rows / 2;
  constexpr std::size_t lanes = R::lanes;
  const auto in_row = [n](std::size_t r) { return n > r * lanes ? std::min(n - r * lanes, R::lanes) : 0; };
  R m[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < full; ++r) m[r] = R::load(at + r * lanes);
  if constexpr (rows == 1) {
    m[0] = R::load_first(at, n, R::greatest());
  } else {
    // A partial row is loaded from further left, and the lanes that another row has already are dropped.
#pragma GCC unroll 8
    for (std::size_t r = full; r < rows; ++r) {
      const R row = R::load(at + std::min(r * lanes, n - lanes));
      m[r] = R::greatest().or_last(row, in_row(r));
    }
  }
  SORTLAB_ONCE("msd.network." HWY_STR(HWY_NAMESPACE), 1, sizeof(typename R::Lane), R::has_values, rows);
  sort_columns<rows>(m, std::make_index_sequence<kColumnNetwork<rows>.size()>{});
  merge_all_columns<rows, 2>(m);
  transpose<rows>(m);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < full; ++r) m[r].store(at + r * lanes);
#pragma GCC unroll 8
  for (std::size_t r = full; r < rows; ++r) {
    const std::size_t count = in_row(r);
    m[r].store_first(count == 0 ? at : at + r * lanes, count);
  }
}

/// Rows of the largest matrix. Values take as many registers as words.
template <class R>
inline constexpr std::size_t kMaxRows = network_rows(R::has_values);

/// Maximum number of elements for sort_small().
template <class R>
inline constexpr std::size_t kSmall = kMaxRows<R>* R::lanes;

template <class R>
HWY_INLINE void sort_small(At<typename R::Lane> at, std::size_t n) {
  constexpr std::size_t lanes = R::lanes;
  if (n <= 1) return;
  if (n > 8 * lanes) {
    if constexpr (kMaxRows<R> == 16) sort_matrix<16, R>(at, n);
  } else if (n > 4 * lanes) {
    sort_matrix<8, R>(at, n);
  } else if (n > 2 * lanes) {
    sort_matrix<4, R>(at, n);
  } else if (n > lanes) {
    sort_matrix<2, R>(at, n);
  } else {
    sort_matrix<1, R>(at, n);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();
#endif

#endif
