// Data shared by the kernels of the merge sort. Keys are mapped to KeyOrder::ordered between load and store.
#pragma once

#include "algorithms/common/cuda/block_merge.cuh"
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

/// Begin of a piece in the two runs.
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
  std::uint32_t tile;  ///< elements of a tile
  int number;          ///< sorted runs are 2^number tiles long; the last may be shorter
  Cut* cuts;           ///< one per tile
  KeyOrder<Word> order;
};

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

/// The pair of neighbouring runs that contains a tile: [first, middle) and [middle, last).
struct Pair {
  std::uint64_t first, middle, last;
  template <class Word, class V>
  __device__ Pair(const Level<Word, V>& level, std::uint64_t tile)
      : first((tile >> (level.number + 1) << (level.number + 1)) * level.tile),
        middle(min(first + (std::uint64_t{level.tile} << level.number), level.n)),
        last(min(first + (std::uint64_t{level.tile} << level.number << 1), level.n)) {}
};

/// Writes `count` elements in order by a block, given their keys and original positions. A thread loads several values
/// before it writes the first, to wait only once: the compiler cannot exclude aliasing of stores with later loads.
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

/// Compare-exchange of two elements in shared memory; if kStable, equal keys are ordered by their original positions
/// `from`.
template <bool kStable, class Word>
__device__ __forceinline__ void compare_exchange(Word* keys, std::uint16_t* from, std::uint32_t low,
                                                 std::uint32_t high) {
  const Word a = keys[low], b = keys[high];
  bool exchange = b < a;
  if constexpr (kStable) {
    const std::uint16_t from_a = from[low], from_b = from[high];
    exchange |= a == b && from_b < from_a;
    if (exchange) {
      from[low] = from_b;
      from[high] = from_a;
    }
  }
  if (exchange) {
    keys[low] = b;
    keys[high] = a;
  }
}

/// Sorts each tile. If `level.values` is null, values are the elements' indices.
template <class Word, class V>
void sort_tiles(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);
/// Finds the cuts of each pair of runs, one per tile.
template <class Word, class V>
void find_cuts(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);
/// Merges the pieces between cuts.
template <class Word, class V>
void merge_pieces(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream);

/// Resident blocks per multiprocessor of the kernels of sort_tiles and merge_pieces.
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
