// Merges of a piece of two runs by a block in shared memory. A `Piece` has `count` elements, the first `count_a` of
// them from the first run; for each element key load(i) and value(i), of type Value; and store(i, key, value) for the
// i-th of the output.
#pragma once

#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab::gpu_merge {

/// IPDPS 2009, with as many threads as a tile has elements, two elements each: an element's rank is its index in its
/// run plus its rank in the other, by binary search.
template <class Word, class Piece>
__device__ __forceinline__ void merge_piece_by_ranks(const Piece& piece) {
  extern __shared__ uint4 shared[];
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + 2 * blockDim.x);
  Word key[2];
  std::uint32_t rank[2];
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i < piece.count) keys[i] = key[each] = piece.load(i);
  }
  __syncthreads();
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i < piece.count_a) {
      rank[each] = i + count_before(piece.count - piece.count_a,
                                    [&](std::uint32_t j) { return keys[piece.count_a + j] < key[each]; });
    } else if (i < piece.count) {
      rank[each] =
          i - piece.count_a + count_before(piece.count_a, [&](std::uint32_t j) { return !(key[each] < keys[j]); });
    }
  }
  __syncthreads();
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i >= piece.count) break;
    keys[rank[each]] = key[each];
    if constexpr (kHasValue<typename Piece::Value>) from[rank[each]] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();
  store_in_order(piece, piece.count, keys, from);
}

/// Satish et al. 2010, with as many threads as a tile has elements, one per comparator of a step: the first run and the
/// second, reversed, form a bitonic sequence, which a bitonic network merges. If the piece does not fill the network,
/// largest words lie between them. Networks are not stable: with values, positions break ties.
template <class Word, class Piece>
__device__ __forceinline__ void merge_piece_by_network(const Piece& piece) {
  constexpr bool kStable = kHasValue<typename Piece::Value>;
  constexpr std::uint32_t kWarp = 32;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = 2 * blockDim.x;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + size);
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    const std::uint32_t at = i < piece.count_a ? i : size - 1 - (i - piece.count_a);
    keys[at] = i < piece.count ? piece.load(i) : ~Word{0};
    if constexpr (kStable) from[at] = static_cast<std::uint16_t>(i);
  }
  const auto step = [&](std::uint32_t stride) {
    const std::uint32_t low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare_exchange<kStable>(keys, from, low, low + stride);
  };
  for (std::uint32_t stride = blockDim.x; stride > kWarp; stride /= 2) {
    __syncthreads();
    step(stride);
  }
  __syncthreads();
  // From here on, each warp works on its own 64 elements.
#pragma unroll
  for (std::uint32_t stride = kWarp; stride > 0; stride /= 2) {
    step(stride);
    __syncwarp();
  }
  __syncthreads();
  store_in_order(piece, piece.count, keys, from);
}

/// Blocks of kMaxPathThreads threads that a multiprocessor should hold, which limits the registers per thread: blocks
/// alternate between waiting for memory and computing, and on an H200 more blocks gain more than more loads in flight.
template <class V>
inline constexpr int kPathBlocks = kHasValue<V> ? 3 : 4;

/// Merge path: each thread finds its share of the piece, and merges it element by element.
template <class Word, class Piece>
__device__ __forceinline__ void merge_piece_by_path(const Piece& piece) {
  constexpr int kItems = kPathItems<Word>;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = blockDim.x * kItems;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + size + kOverread);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t at = i * blockDim.x + threadIdx.x;
    if (at < piece.count) keys[at] = piece.load(at);
  }
  __syncthreads();
  const std::uint32_t diagonal = min(threadIdx.x * kItems, piece.count), count_b = piece.count - piece.count_a;
  const std::uint32_t of_a = path_crossing(
      diagonal, piece.count_a, count_b, [&](std::uint32_t i) { return keys[i]; },
      [&](std::uint32_t i) { return keys[piece.count_a + i]; });
  Word key[kItems];
  std::uint32_t from[kItems];
  merge_from(keys, of_a, piece.count_a, piece.count_a + diagonal - of_a, piece.count, key, from);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    keys[threadIdx.x * kItems + i] = key[i];
    if constexpr (kHasValue<typename Piece::Value>)
      places[threadIdx.x * kItems + i] = static_cast<std::uint16_t>(from[i]);
  }
  __syncthreads();
  store_in_order(piece, piece.count, keys, places);
}

/// Shared memory of a block, in bytes.
template <class Word>
std::uint32_t merge_bytes(const Shape& shape, bool values) {
  const std::uint32_t max_elements = largest_piece(shape), overread = by_splitters(shape.method) ? 0 : kOverread;
  return static_cast<std::uint32_t>((max_elements + overread) * sizeof(Word) +
                                    (values ? max_elements * sizeof(std::uint16_t) : 0));
}

}  // namespace sortlab::gpu_merge
