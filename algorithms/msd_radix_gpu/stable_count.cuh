// Counts the digits of a level's tiles: for each tile, the keys of each digit before it in its chunk; for each chunk,
// all its keys.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"
#include "algorithms/msd_radix_gpu/stable_lists.hpp"

namespace sortlab::msd_gpu::stable {

struct CountShared {
  std::uint32_t counts[2 * kDigits];  ///< counters of two alternating tiles
};

/// Counts a level's chunks, one per block at a time.
template <class Word, class V>
__device__ void count_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, CountShared& shared) {
  constexpr std::uint32_t kBatch = 32 / sizeof(Word);  ///< loads in flight per thread
  const std::uint32_t d = threadIdx.x, chunks = lists.state->chunks[level];
  shared.counts[d] = 0;
  static_assert(kThreads == 2 * kDigits);
  __syncthreads();
  std::uint32_t parity = 0;
  for (std::uint32_t c = blockIdx.x; c < chunks; c += gridDim.x) {
    Segment& segment = lists.level_segments(level)[lists.level_chunks(level)[c]];
    if (segment.kind == Kind::copy) continue;
    const Digit<Word> digit{arrays.order, segment.shift(), segment.bits};
    const Word* const keys = arrays.keys_on(segment.buffer) + segment.begin;
    const Word first = keys[0];
    Word differ = 0;
    const std::uint32_t first_tile = (c - segment.first_chunk) * segment.chunk_tiles;
    const std::uint32_t end_tile = min(first_tile + segment.chunk_tiles, segment.tiles);
    unsigned long long before = 0;
    for (std::uint32_t t = first_tile; t < end_tile; ++t) {
      const std::uint64_t begin = std::uint64_t{t} * lists.tile_elements, rest = segment.count - begin;
      const std::uint32_t count = rest < lists.tile_elements ? static_cast<std::uint32_t>(rest) : lists.tile_elements;
      std::uint32_t* const counts = shared.counts + parity;
      parity ^= kDigits;
      const auto take = [&](Word key) {
        differ |= key ^ first;
        atomicAdd(counts + digit(key), 1U);
      };
      std::uint32_t from = 0;
      for (; from + kBatch * kThreads <= count; from += kBatch * kThreads) {
        Word batch[kBatch];
#pragma unroll
        for (std::uint32_t i = 0; i < kBatch; ++i) batch[i] = keys[begin + from + threadIdx.x + i * kThreads];
#pragma unroll
        for (std::uint32_t i = 0; i < kBatch; ++i) take(batch[i]);
      }
      for (std::uint32_t i = from + threadIdx.x; i < count; i += kThreads) take(keys[begin + i]);
      __syncthreads();
      if (d < kDigits) {
        const std::uint32_t tile_keys = counts[d];
        counts[d] = 0;
        lists.tile_counts[std::uint64_t{segment.first_tile + t} * kDigits + d] = static_cast<std::uint32_t>(before);
        before += tile_keys;
      }
    }
    if (d < kDigits) lists.chunk_row[std::uint64_t{c} * kDigits + d] = before;
    or_into(segment.differ, differ);
  }
}

}  // namespace sortlab::msd_gpu::stable
