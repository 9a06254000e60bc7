// Merging of sorted runs in shared memory: the crossing of the merge path with a diagonal, the merge from there on, and
// a block's merge sort.
#pragma once

#include <cstdint>
#include <utility>

namespace sortlab {

inline constexpr std::uint32_t kOverread = 32;  ///< words of shared memory that merge_from may read past the end

/// Number of elements in [0, count) for which `before` holds; it holds for the first ones.
template <class Index, class Before>
__device__ Index count_before(Index count, const Before& before) {
  Index low = 0;
  while (low < count) {
    const Index middle = low + (count - low) / 2;
    if (before(middle)) {
      low = middle + 1;
    } else {
      count = middle;
    }
  }
  return low;
}

/// Number of the first `diagonal` elements of a stable merge that come from `a`: the crossing of the merge path with
/// the diagonal.
template <class Index, class A, class B>
__device__ Index path_crossing(Index diagonal, Index count_a, Index count_b, const A& a, const B& b) {
  const Index low = diagonal > count_b ? diagonal - count_b : 0;
  const Index high = min(diagonal, count_a);
  return low + count_before(high - low, [&](Index i) { return !(b(diagonal - 1 - low - i) < a(low + i)); });
}

/// Merges kItems elements of two runs in shared memory from a crossing on. `from` receives their positions in shared
/// memory.
template <int kItems, class Word>
__device__ void merge_from(const Word* shared, std::uint32_t a, std::uint32_t end_a, std::uint32_t b,
                           std::uint32_t end_b, Word (&key)[kItems], std::uint32_t (&from)[kItems]) {
  Word key_a = shared[a], key_b = shared[b];  // may read one past the end, unused
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool take_a = b >= end_b || (a < end_a && !(key_b < key_a));
    key[i] = take_a ? key_a : key_b;
    from[i] = take_a ? a : b;
    const std::uint32_t next = (take_a ? a : b) + 1;
    const Word key_next = shared[next];
    if (take_a) {
      a = next;
      key_a = key_next;
    } else {
      b = next;
      key_b = key_next;
    }
  }
}

/// Calls `f(low, high)` for each comparator of Batcher's network for any number of inputs (Knuth, The Art of Computer
/// Programming 3, algorithm 5.2.2 M).
template <class F>
constexpr void for_each_comparator(int inputs, const F& f) {
  for (int p = 1; p < inputs; p *= 2) {
    for (int k = p; k >= 1; k /= 2) {
      for (int j = k % p; j + k < inputs; j += 2 * k) {
        for (int i = j; i < j + k && i + k < inputs; ++i) {
          if (i / (2 * p) == (i + k) / (2 * p)) f(i, i + k);
        }
      }
    }
  }
}

template <int kInputs>
inline constexpr int kComparators = [] {
  int count = 0;
  for_each_comparator(kInputs, [&](int, int) { ++count; });
  return count;
}();

template <int kInputs>
struct Network {
  int low[kComparators<kInputs>];
  int high[kComparators<kInputs>];
};
template <int kInputs>
inline constexpr Network<kInputs> kNetwork = [] {
  Network<kInputs> network{};
  int next = 0;
  for_each_comparator(kInputs, [&](int low, int high) {
    network.low[next] = low;
    network.high[next++] = high;
  });
  return network;
}();

template <bool kStable, int kLow, int kHigh, class Word, int kItems>
__device__ void compare_exchange(Word (&key)[kItems], std::uint32_t (&from)[kItems]) {
  const Word a = key[kLow], b = key[kHigh];
  bool exchange = b < a;
  if constexpr (kStable) {
    const std::uint32_t from_a = from[kLow], from_b = from[kHigh];
    exchange |= a == b && from_b < from_a;
    from[kLow] = exchange ? from_b : from_a;
    from[kHigh] = exchange ? from_a : from_b;
  }
  key[kLow] = exchange ? b : a;
  key[kHigh] = exchange ? a : b;
}

template <bool kStable, class Word, int kItems, int... kIndex>
__device__ void sort_registers(Word (&key)[kItems], std::uint32_t (&from)[kItems],
                               std::integer_sequence<int, kIndex...>) {
  (compare_exchange<kStable, kNetwork<kItems>.low[kIndex], kNetwork<kItems>.high[kIndex]>(key, from), ...);
}

/// Sorts blockDim.x * kItems elements, loaded by `load(at)`: each thread sorts its own in registers, then runs are
/// merged pair by pair. The elements from `count` on must be the greatest words: threads with only such words idle.
/// `keys` has room for kOverread more. If kStable, the sort is stable, and places[i] becomes the original position of
/// the i-th element. blockDim.x is a power of two.
template <int kItems, bool kStable, class Word, class Load>
__device__ __forceinline__ void block_merge_sort(Word* keys, std::uint16_t* places, std::uint32_t count,
                                                 const Load& load) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i * blockDim.x + threadIdx.x] = load(i * blockDim.x + threadIdx.x);
  __syncthreads();
  const std::uint32_t first = threadIdx.x * kItems;
  const bool active = first < count;
  Word key[kItems];
  std::uint32_t from[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    key[i] = keys[first + i];
    from[i] = first + i;
  }
  if (active) sort_registers<kStable>(key, from, std::make_integer_sequence<int, kComparators<kItems>>{});

  const auto store_run = [&] {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      keys[first + i] = key[i];
      if constexpr (kStable) places[first + i] = static_cast<std::uint16_t>(from[i]);
    }
    __syncthreads();
  };
  for (std::uint32_t threads = 1; threads < blockDim.x && threads * kItems < count; threads *= 2) {
    store_run();
    if (!active) continue;
    const std::uint32_t run = threads * kItems;
    const std::uint32_t a = (threadIdx.x & ~(2 * threads - 1)) * kItems, b = a + run;
    const std::uint32_t diagonal = first - a;
    const std::uint32_t of_a = path_crossing(
        diagonal, run, run, [&](std::uint32_t i) { return keys[a + i]; }, [&](std::uint32_t i) { return keys[b + i]; });
    merge_from(keys, a + of_a, b, b + diagonal - of_a, b + run, key, from);
    if constexpr (kStable) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) from[i] = places[from[i]];
    }
  }
  store_run();
}

}  // namespace sortlab
