// Step 1: the histogram of each tile over buckets.
#pragma once

#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/multisplit_radix/pass.cuh"
#include "algorithms/multisplit_radix/warp_ranks.cuh"

namespace sortlab::multisplit {

/// The paper's method: ballots give each lane the number of a row's elements in its buckets. With kTogether a block has
/// one tile, of which each warp counts consecutive rows; otherwise each warp has its own.
template <int kGroups, bool kTogether, class Word, class Memory>
__global__ void __launch_bounds__(kMaxThreads) count_by_ballots(Tiles<Word, Memory> tiles, std::uint32_t /*items*/) {
  extern __shared__ std::uint32_t histograms[];  // histograms of the warps, with kTogether
  constexpr std::uint32_t kItems = LaneCounters<kGroups>::kItems, kRows = kItems * kWarp;
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const std::uint32_t buckets = tiles.bucket.count();
  const std::uint64_t tile = kTogether ? blockIdx.x : std::uint64_t{blockIdx.x} * warps + warp;
  const std::uint32_t size = kTogether ? warps * kRows : kRows, first = kTogether ? warp * kRows : 0;
  const std::uint32_t count = tiles.tile_count(tile, size);

  LaneCounters<kGroups> counters(tiles.bucket.bits());
  const auto keys = tiles.keys + (tile * size + first + lane);
  Word key[kItems];
  if (first + kRows <= count) {
#pragma unroll
    for (std::uint32_t i = 0; i < kItems; ++i) key[i] = keys[i * kWarp];
#pragma unroll
    for (std::uint32_t i = 0; i < kItems; ++i) counters.add(tiles.bucket(key[i]));
  } else {
#pragma unroll
    for (std::uint32_t i = 0; i < kItems; ++i) {
      const bool is_there = first + i * kWarp + lane < count;
      const std::uint32_t there = __ballot_sync(~0u, is_there);
      counters.add(is_there ? tiles.bucket(keys[i * kWarp]) : 0, there);
    }
  }

  if constexpr (!kTogether) {
    if (lane < buckets && count > 0) tiles.counts[lane * tiles.tiles + tile] = counters.count();
    return;
  }
  counters.store(histograms + warp * buckets);
  __syncthreads();
  for (std::uint32_t bucket = threadIdx.x; bucket < buckets; bucket += blockDim.x) {
    std::uint32_t sum = 0;
    for (std::uint32_t other = 0; other < warps; ++other) sum += histograms[other * buckets + bucket];
    tiles.counts[bucket * tiles.tiles + tile] = sum;
  }
}

/// Counts by additions to shared memory whose result is unused: the device aggregates a warp's additions to one word.
template <class Word, class Memory>
__global__ void __launch_bounds__(kMaxThreads) count_by_additions(Tiles<Word, Memory> tiles, std::uint32_t items) {
  extern __shared__ std::uint32_t histogram[];
  const std::uint32_t buckets = tiles.bucket.count(), group = blockDim.x;
  const std::uint64_t tile = blockIdx.x;
  const std::uint32_t count = tiles.tile_count(tile, group * items);
  for (std::uint32_t bucket = threadIdx.x; bucket < buckets; bucket += group) histogram[bucket] = 0;
  __syncthreads();

  constexpr std::uint32_t kBatch = kHistogramBytes / sizeof(Word);
  const auto keys = tiles.keys + (tile * group * items + threadIdx.x);
  const auto add = [&](Word key) { atomicAdd(histogram + tiles.bucket(key), 1u); };
  std::uint32_t at = 0;  // position of the block's first thread
  for (; at + kBatch * group <= count; at += kBatch * group) {
    Word key[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) key[i] = keys[at + i * group];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) add(key[i]);
  }
  // At most kBatch - 1 whole rows of the block and a partial one, also loaded together.
  Word key[kBatch];
#pragma unroll
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    if (at + i * group + threadIdx.x < count) key[i] = keys[at + i * group];
  }
#pragma unroll
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    if (at + i * group + threadIdx.x < count) add(key[i]);
  }
  __syncthreads();
  for (std::uint32_t bucket = threadIdx.x; bucket < buckets; bucket += group) {
    tiles.counts[bucket * tiles.tiles + tile] = histogram[bucket];
  }
}

/// Calls `f(kernel)` with the kernel of a shape, whose arguments are the tiles and the elements per thread.
template <class Word, class Memory, class F>
auto with_histogram_kernel(const Shape& shape, int bits, const F& f) {
  if (shape.counters == Counters::shared) return f(count_by_additions<Word, Memory>);
  return dispatch<kBucketsPerLane>("buckets of a lane", buckets_a_lane(bits), [&]<int kGroups>() {
    return f(shape.level == Level::block ? count_by_ballots<kGroups, true, Word, Memory>
                                         : count_by_ballots<kGroups, false, Word, Memory>);
  });
}

/// Launches step 1. Its blocks are launched `times` times: calibration counts a few tiles many times.
template <class Word, class Memory>
void launch_histogram(const Tiles<Word, Memory>& tiles, const Shape& shape, cudaStream_t stream, unsigned times = 1) {
  const dim3 grid{shape.blocks(tiles.tiles), times};
  const int bits = tiles.bucket.bits();
  with_histogram_kernel<Word, Memory>(shape, bits, [&](auto* kernel) {
    kernel<<<grid, static_cast<unsigned>(shape.threads), histogram_bytes(shape, bits), stream>>>(
        tiles, static_cast<std::uint32_t>(shape.items));
  });
  check_launch();
}

template <class Word>
void count_buckets(const Tiles<Word>& tiles, const Shape& shape, cudaStream_t stream) {
  launch_histogram(tiles, shape, stream);
}

}  // namespace sortlab::multisplit
