// What the kernels of the merge sort share. Keys are compared as KeyOrder::ordered, from loading to storing.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/satish_gpu_merge/plan.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::gpu_merge {

template <class Word>
inline constexpr int kPathItems = path_items(sizeof(Word));
template <class Word>
Shape path_shape(std::uint32_t threads) {
  return path_shape(threads, sizeof(Word));
}

/// Where a piece of a merge begins in the two runs.
struct Cut {
  std::uint64_t a;
  std::uint64_t b;
};

template <class Word, class V>
struct Level {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
  std::uint64_t n;
  std::uint32_t tile;  ///< elements
  int number;          ///< sorted runs are 2^number tiles long; the last may be shorter
  Cut* cuts;           ///< one a tile
  KeyOrder<Word> order;
};

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

/// The two neighbouring runs that a tile lies in: from `first` to `middle`, and from there to `last`.
struct Pair {
  std::uint64_t first, middle, last;
  template <class Word, class V>
  __device__ Pair(const Level<Word, V>& level, std::uint64_t tile)
      : first((tile >> (level.number + 1) << (level.number + 1)) * level.tile),
        middle(min(first + (std::uint64_t{level.tile} << level.number), level.n)),
        last(min(first + (std::uint64_t{level.tile} << level.number << 1), level.n)) {}
};

/// The number of elements of `sorted(0…count)` for which `before` holds; it holds for the first ones.
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

/// How many of the first `diagonal` elements of a stable merge come from `a`: where its path crosses the diagonal.
template <class Index, class A, class B>
__device__ Index path_crossing(Index diagonal, Index count_a, Index count_b, const A& a, const B& b) {
  const Index least = diagonal > count_b ? diagonal - count_b : 0;
  const Index most = min(diagonal, count_a);
  return least + count_before(most - least, [&](Index i) { return !(b(diagonal - 1 - least - i) < a(least + i)); });
}

/// Merges kItems elements of two runs in shared memory from a crossing on. `from` are their places in shared memory.
template <int kItems, class Word>
__device__ void merge_from(const Word* shared, std::uint32_t a, std::uint32_t end_a, std::uint32_t b,
                           std::uint32_t end_b, Word (&key)[kItems], std::uint32_t (&from)[kItems]) {
  Word key_a = shared[a], key_b = shared[b];  // one past the end is read, not used
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

/// A block writes out what it has in order, `count` elements, with their keys and the places where they were before. A
/// thread fetches some values before it writes the first of them, so that it waits for them once: the compiler cannot
/// tell that what is written is not what is fetched next.
template <class Word, class Target>
__device__ __forceinline__ void store_in_order(const Target& target, std::uint32_t count, const Word* keys,
                                               const std::uint16_t* places) {
  using Value = typename Target::Value;
  constexpr int kBatch = kHasValue<Value> ? 40 / sizeof(Value) : 1;  // ten registers
  for (std::uint32_t first = threadIdx.x; first < count; first += kBatch * blockDim.x) {
    Value value[kBatch];
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (int i = 0; i < kBatch; ++i) {
        const std::uint32_t at = first + i * blockDim.x;
        if (at < count) value[i] = target.value(places[at]);
      }
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      const std::uint32_t at = first + i * blockDim.x;
      if (at < count) target.store(at, keys[at], value[i]);
    }
  }
}

/// Sorts each tile. Where `level.values` is null, values are the elements' indices.
template <class Word, class V>
void sort_tiles(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);
/// Finds the cuts of each pair of runs, one a tile.
template <class Word, class V>
void find_cuts(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);
/// Merges the pieces between cuts.
template <class Word, class V>
void merge_pieces(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);

/// Blocks of the kernel of sort_tiles, and of that of merge_pieces, that a multiprocessor holds at once.
template <class Word, class V>
int resident_tile_sorts(const Shape& shape);
template <class Word, class V>
int resident_merges(const Shape& shape);

/// Calls the macro `instantiate(Word, V)` for all keys and values.
#define SORTLAB_FOR_KEYS_AND_VALUES(instantiate) \
  instantiate(std::uint32_t, NoValue);           \
  instantiate(std::uint32_t, std::uint32_t);     \
  instantiate(std::uint32_t, std::uint64_t);     \
  instantiate(std::uint64_t, NoValue);           \
  instantiate(std::uint64_t, std::uint32_t);     \
  instantiate(std::uint64_t, std::uint64_t);     \
  instantiate(uint128, NoValue);                 \
  instantiate(uint128, std::uint32_t);           \
  instantiate(uint128, std::uint64_t)

}  // namespace sortlab::gpu_merge
