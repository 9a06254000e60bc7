// Tiles, runs and junctions with the networks of one target. Included once per target.
#if defined(SORTLAB_SATISH_CPU_MERGE_RUNS) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_SATISH_CPU_MERGE_RUNS
#undef SORTLAB_SATISH_CPU_MERGE_RUNS
#else
#define SORTLAB_SATISH_CPU_MERGE_RUNS
#endif

#include <algorithm>

#include "algorithms/satish_cpu_merge/networks-inl.hpp"
#include "core/loop_mark.hpp"

#if SORTLAB_TARGET_WITH_WIDTH
HWY_BEFORE_NAMESPACE();
namespace sortlab::satish_merge {
namespace HWY_NAMESPACE {

/// Stores each block of 128 bits of a register, `stride` lanes apart.
template <class D, class V, class T>
HWY_INLINE void store_blocks(D d, V v, T* to, std::size_t stride) {
  if constexpr (sizeof(V) == 16) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), to, stride);
    store_blocks(half, hn::UpperHalf(half, v), to + sizeof(V) / 32 * stride, stride);
  }
}
template <class T>
HWY_INLINE void store_blocks(const KeysOnly<T>& r, T* to, std::size_t stride, std::ptrdiff_t /*values*/) {
  store_blocks(typename KeysOnly<T>::D{}, r.keys, to, stride);
}
template <class T>
HWY_INLINE void store_blocks(const KeysAndValues<T>& r, T* to, std::size_t stride, std::ptrdiff_t values) {
  store_blocks(typename KeysAndValues<T>::D{}, r.keys, to, stride);
  store_blocks(typename KeysAndValues<T>::D{}, r.values, to + values, stride);
}

/// `kDepth`: registers that a merge network takes from each side (see merge_depth()). `kWays`: number of merges that
/// are interleaved, if there are as many.
template <class R, std::size_t kDepth, std::size_t kWays>
struct Runs {
  using Lane = typename R::Lane;
  static constexpr std::size_t lanes = R::lanes;
  static constexpr bool kPairs = sizeof(R) > sizeof(typename R::V);
  static constexpr std::size_t step = kDepth * lanes;
  static constexpr std::size_t tile = tile_elements(lanes);
  static constexpr std::size_t run = run_elements(lanes, kDepth);
  static_assert(tile % run == 0);

  static const Kernels<Lane>* table() {
    static const Kernels<Lane> kernels{.step = step,
                                       .tile = tile,
                                       .run = run,
                                       .carries = true,
                                       .sort_tiles = sort_tiles,
                                       .merge_runs = merge_runs,
                                       .merge = merge};
    return &kernels;
  }

  static void sort_tiles(Lane* keys, std::size_t count, std::ptrdiff_t values) {
    for (Lane* const end = keys + count; keys != end; keys += tile) {
      SORTLAB_LOOP("merge.tile." HWY_STR(HWY_NAMESPACE), tile, sizeof(Lane), kPairs);
      sort_tile(keys, values);
      lengthen<kRows>(keys, values);
    }
  }

  /// Sorts the columns of kRows registers and stores each as a run. Blocks of 128 bits are transposed in registers and
  /// stored one by one.
  static HWY_INLINE void sort_tile(Lane* keys, std::ptrdiff_t values) {
    R rows[kRows];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = R::load(keys + i * lanes, values);
    sort_columns(rows, std::make_index_sequence<batcher_network().size()>{});
    constexpr std::size_t square = 16 / sizeof(Lane);
#pragma GCC unroll 8
    for (std::size_t first = 0; first < kRows; first += square) {
      R* const r = rows + first;
      if constexpr (square == 4) {
        interleave_blocks(r[0], r[2]);
        interleave_blocks(r[1], r[3]);
        interleave_blocks(r[2], r[3]);
      }
      interleave_blocks(r[0], r[1]);
#pragma GCC unroll 4
      for (std::size_t column = 0; column < square; ++column) {
        store_blocks(r[column], keys + column * kRows + first, square * kRows, values);
      }
    }
  }

  /// Merges the runs of a tile in place, each pair in one network, until they are as long as a step.
  template <std::size_t length>
  static HWY_INLINE void lengthen(Lane* keys, std::ptrdiff_t values) {
    if constexpr (length < run) {
      constexpr std::size_t n = length / lanes;
      for (std::size_t at = 0; at < tile; at += 2 * length) {
        SORTLAB_LOOP("merge.lengthen." HWY_STR(HWY_NAMESPACE), 2 * length, sizeof(Lane), kPairs, length);
        R low[n];
        R high[n];
        load(low, keys + at, values);
        load(high, keys + at + length, values);
        merge_network<n>(low, high);
        store(low, keys + at, values);
        store(high, keys + at + length, values);
      }
      lengthen<2 * length>(keys, values);
    }
  }

  template <std::size_t n>
  static HWY_INLINE void load(R (&registers)[n], const Lane* from, std::ptrdiff_t values) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) registers[i] = R::load(from + i * lanes, values);
  }
  template <std::size_t n>
  static HWY_INLINE void store(const R (&registers)[n], Lane* to, std::ptrdiff_t values) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) registers[i].store(to + i * lanes, values);
  }

  /// Advances the side with the smaller head by a step; returns its old position. Uses masks, since compilers make a
  /// conditional expression a branch, which is mispredicted every second time.
  static HWY_INLINE const Lane* advance(const Lane*& left, const Lane*& right, bool from_left) {
    const std::ptrdiff_t mask = -static_cast<std::ptrdiff_t>(from_left);
    const Lane* const from = right + ((left - right) & mask);
    left += static_cast<std::ptrdiff_t>(step) & mask;
    right += static_cast<std::ptrdiff_t>(step) & ~mask;
    return from;
  }

  static void merge(Junction<Lane>& at, std::ptrdiff_t values) {
    R low[kDepth];
    R high[kDepth];
    load(low, at.carry, values);
    const Lane* left = at.left;
    const Lane* right = at.right;
    const Lane* const left_end = at.left_end;
    const Lane* const right_end = at.right_end;
    Lane* out = at.out;
    Lane* const out_end = at.out_end;
    while (left != left_end && right != right_end && out != out_end) {
      SORTLAB_LOOP("merge.merge." HWY_STR(HWY_NAMESPACE), step, sizeof(Lane), kPairs);
      load(high, advance(left, right, *left <= *right), values);
      merge_network<kDepth>(low, high);
      store(low, out, values);
      out += step;
      for (std::size_t i = 0; i < kDepth; ++i) low[i] = high[i];
    }
    store(low, at.carry, values);
    at.left = left;
    at.right = right;
    at.out = out;
  }

  static void merge_runs(const Lane* from, Lane* to, std::size_t length, std::size_t count, std::ptrdiff_t values) {
    std::size_t at = 0;
    for (; at + 2 * length * kWays <= count; at += 2 * length * kWays) {
      merge_ways<kWays>(from + at, to + at, length, length, values);
    }
    for (; at + length < count; at += 2 * length) {
      merge_ways<1>(from + at, to + at, length, std::min(length, count - at - length), values);
    }
    if (at < count) {
      for (; at < count; at += lanes) R::load(from + at, values).store(to + at, values);
    }
  }

  /// Merges `ways` pairs of runs, taking a step of each in turn. All pairs have the same two lengths.
  template <std::size_t ways>
  static HWY_INLINE void merge_ways(const Lane* from, Lane* to, std::size_t left_length, std::size_t right_length,
                                    std::ptrdiff_t values) {
    const std::size_t both = left_length + right_length;
    const Lane* left[ways];
    const Lane* right[ways];
    R low[ways][kDepth];
#pragma GCC unroll 4
    for (std::size_t way = 0; way < ways; ++way) {
      left[way] = from + way * both;
      right[way] = left[way] + left_length;
      load(low[way], left[way], values);
      left[way] += step;
    }
    for (std::size_t done = step; done < both; done += step) {
#pragma GCC unroll 4
      for (std::size_t way = 0; way < ways; ++way) {
        SORTLAB_LOOP("merge.runs." HWY_STR(HWY_NAMESPACE), step, sizeof(Lane), kPairs, ways);
        const Lane* const middle = from + way * both + left_length;
        const Lane* const end = middle + right_length;
        // A head beyond the end of its run may be read, since scratch memory continues there, but it is not used.
        const bool left_is_less = *left[way] <= *right[way];
        const bool from_left = (left_is_less | (right[way] == end)) & (left[way] != middle);
        R high[kDepth];
        load(high, advance(left[way], right[way], from_left), values);
        merge_network<kDepth>(low[way], high);
        store(low[way], to + way * both + done - step, values);
        for (std::size_t i = 0; i < kDepth; ++i) low[way][i] = high[i];
      }
    }
#pragma GCC unroll 4
    for (std::size_t way = 0; way < ways; ++way) store(low[way], to + (way + 1) * both - step, values);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::satish_merge
HWY_AFTER_NAMESPACE();
#endif

#endif
