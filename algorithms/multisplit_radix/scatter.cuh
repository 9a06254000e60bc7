// Step 3: computes the positions of a tile's elements, orders the tile by bucket in shared memory, and writes its runs.
#pragma once

#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/multisplit_radix/pass.cuh"
#include "algorithms/multisplit_radix/warp_ranks.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::multisplit {

/// Loads a warp's rows of a tile of `array` into registers, 32 elements a row, beginning with the tile's element
/// `first`. The tile has `count` elements; rows are padded with `missing`.
template <int kItems, class Source, class T>
__device__ void load_rows(Source array, std::uint64_t tile_begin, std::uint32_t first, std::uint32_t count, T missing,
                          T (&row)[kItems]) {
  const std::uint32_t mine = first + threadIdx.x % kWarp;
  const auto from = array + (tile_begin + mine);
  if (first + kItems * kWarp <= count) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) row[i] = from[i * kWarp];
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i) row[i] = mine + i * kWarp < count ? from[i * kWarp] : missing;
  }
}

/// Inclusive prefix sum of one word per lane.
inline __device__ std::uint32_t sum_to(std::uint32_t word) {
#pragma unroll
  for (int step = 1; step < kWarp; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(~0u, word, step);
    if (threadIdx.x % kWarp >= step) word += other;
  }
  return word;
}

/// Shared memory of a block with one tile (plan.hpp: scatter_bytes).
template <std::uint32_t kWarps, class Word, class V>
struct BlockTile {
  Word* keys;  ///< keys in bucket order
  V* values;
  std::uint64_t* bases;   ///< per bucket: the difference of output position and position in the tile
  std::uint32_t* counts;  ///< per warp and bucket; then the begin of the warp's elements of the bucket in the tile
  std::uint32_t* sums;    ///< one per warp

  __device__ BlockTile(void* shared, std::uint32_t size, std::uint32_t buckets) {
    bases = static_cast<std::uint64_t*>(shared);
    // The widest array first, so that all are aligned.
    char* next = reinterpret_cast<char*>(bases + buckets);
    if constexpr (sizeof(Word) == 8 || !kHasValue<V>) {
      keys = reinterpret_cast<Word*>(next);
      values = reinterpret_cast<V*>(keys + size);
    } else {
      values = reinterpret_cast<V*>(next);
      keys = reinterpret_cast<Word*>(values + size);
    }
    counts = reinterpret_cast<std::uint32_t*>(next + size * (sizeof(Word) + kValueBytes<V>));
    sums = counts + kWarps * buckets;
  }

  /// Computes the begin of each bucket in the tile, and of each warp within it, from the warps' counts. `offset`: the
  /// tile's output position for the thread's own bucket.
  __device__ void find_places(std::uint32_t buckets, std::uint64_t offset) const {
    const std::uint32_t bucket = threadIdx.x, warp = threadIdx.x / kWarp;
    std::uint32_t count = 0;
    if (bucket < buckets) {
#pragma unroll 4
      for (std::uint32_t other = 0; other < kWarps; ++other) count += counts[other * buckets + bucket];
    }
    const std::uint32_t to_here = sum_to(count);
    if (threadIdx.x % kWarp == kWarp - 1) sums[warp] = to_here;
    __syncthreads();
    if (bucket >= buckets) return;
    std::uint32_t start = to_here - count;
    for (std::uint32_t other = 0; other < warp; ++other) start += sums[other];
    bases[bucket] = offset - start;
#pragma unroll 4
    for (std::uint32_t other = 0; other < kWarps; ++other) {
      std::uint32_t* const at = counts + (other * buckets + bucket);
      const std::uint32_t of_warp = *at;
      *at = start;
      start += of_warp;
    }
  }
};

/// Number of resident blocks that registers should allow, given a thread's keys, their positions, and the compiler's
/// further needs without spilling.
template <class Ranks, int kItems, class Word>
constexpr int blocks_by_registers(int threads) {
  constexpr int kRegisters = 65536, kGranule = 8, kOther = Ranks::kInRegisters ? 56 : 26;
  constexpr int wanted = (sizeof(Word) / 4 + 1) * kItems + kOther;
  return std::max(1, kRegisters / ((wanted + kGranule - 1) / kGranule * kGranule) / threads);
}

/// One tile per block. `Ranks` is LaneCounters or SharedCounters. Padding keys go to the last bucket, after all others.
template <class Ranks, int kThreadsOfBlock, int kItems, class Word, class V, class Memory>
__global__ void __launch_bounds__(kThreadsOfBlock, blocks_by_registers<Ranks, kItems, Word>(kThreadsOfBlock))
    scatter_block_tiles(Pass<Word, V, Memory> pass) {
  extern __shared__ uint4 shared[];
  constexpr std::uint32_t size = kThreadsOfBlock * kItems;
  const Digit<Word>& bucket = pass.input.bucket;
  const std::uint32_t buckets = bucket.count(), warp = threadIdx.x / kWarp, first = warp * (kItems * kWarp);
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * size;
  const std::uint32_t count = pass.input.tile_count(blockIdx.x, size);
  const BlockTile<kThreadsOfBlock / kWarp, Word, V> tile(shared, size, buckets);

  std::uint64_t offset = 0;  // offset of the thread's own bucket
  if (threadIdx.x < buckets) offset = pass.offsets[threadIdx.x * pass.input.tiles + blockIdx.x];
  Word key[kItems];
  load_rows(pass.input.keys, begin, first, count, bucket.last_key(), key);

  std::uint32_t* const mine = tile.counts + warp * buckets;
  std::uint32_t place[kItems];
  const auto rank = [&](auto& counters) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) place[i] = counters.place(bucket(key[i]));
  };
  if constexpr (Ranks::kInRegisters) {
    Ranks counters(bucket.bits());
    rank(counters);
    counters.store(mine);
  } else {
    Ranks counters(mine, buckets);
    rank(counters);
  }
  __syncthreads();
  tile.find_places(buckets, offset);
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    place[i] += mine[bucket(key[i])];
    tile.keys[place[i]] = key[i];
  }
  if constexpr (kHasValue<V>) {
    V value[kItems];
    load_rows(pass.values, begin, first, count, V{}, value);
#pragma unroll
    for (int i = 0; i < kItems; ++i) tile.values[place[i]] = value[i];
  }
  __syncthreads();

  const auto store = [&](std::uint32_t at) {
    const Word key = tile.keys[at];
    const std::uint64_t to = tile.bases[bucket(key)] + at;
    pass.keys_out[to] = key;
    if constexpr (kHasValue<V>) pass.values_out[to] = tile.values[at];
  };
  if (count == size) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) store(i * kThreadsOfBlock + threadIdx.x);
  } else {
    for (std::uint32_t at = threadIdx.x; at < count; at += kThreadsOfBlock) store(at);
  }
}

/// One tile per warp, independent of others: up to 32 buckets, each counted by one lane.
template <class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) scatter_warp_tiles(Pass<Word, V, Memory> pass) {
  extern __shared__ uint4 shared[];
  constexpr int kItems = LaneCounters<1>::kItems;
  constexpr std::uint32_t size = kItems * kWarp;
  const Digit<Word>& bucket = pass.input.bucket;
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const std::uint64_t number = std::uint64_t{blockIdx.x} * warps + warp;
  const std::uint32_t count = pass.input.tile_count(number, size);
  if (count == 0) return;
  // The widest array first, so that all are aligned.
  constexpr bool kKeysFirst = sizeof(Word) == 8 || !kHasValue<V>;
  char* const all = reinterpret_cast<char*>(shared);
  constexpr std::uint32_t kFirstBytes = kKeysFirst ? sizeof(Word) : kValueBytes<V>;
  auto* const keys = reinterpret_cast<Word*>(all + (kKeysFirst ? 0 : warps * size * kFirstBytes)) + warp * size;
  auto* const values = reinterpret_cast<V*>(all + (kKeysFirst ? warps * size * kFirstBytes : 0)) + warp * size;

  Word key[kItems];
  load_rows(pass.input.keys, number * size, 0, count, bucket.last_key(), key);
  std::uint64_t base = 0;  // base of the lane's own bucket
  if (lane < bucket.count()) base = pass.offsets[lane * pass.input.tiles + number];
  LaneCounters<1> counters(bucket.bits());
  std::uint32_t place[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) place[i] = counters.place(bucket(key[i]));
  const std::uint32_t of_bucket = lane < bucket.count() ? counters.count() : 0;
  const std::uint32_t start = sum_to(of_bucket) - of_bucket;
  base -= start;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    place[i] += __shfl_sync(~0u, start, bucket(key[i]));
    keys[place[i]] = key[i];
  }
  if constexpr (kHasValue<V>) {
    V value[kItems];
    load_rows(pass.values, number * size, 0, count, V{}, value);
#pragma unroll
    for (int i = 0; i < kItems; ++i) values[place[i]] = value[i];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t at = i * kWarp + lane;
    const Word key = keys[at];
    const std::uint64_t to = __shfl_sync(~0u, base, bucket(key)) + at;
    if (at < count) {
      pass.keys_out[to] = key;
      if constexpr (kHasValue<V>) pass.values_out[to] = values[at];
    }
  }
}

/// Calls `f(kernel)` with the kernel of a shape.
template <class Word, class V, class Memory, class F>
auto with_scatter_kernel(const Shape& shape, int bits, const F& f) {
  if (shape.level == Level::warp) return f(scatter_warp_tiles<Word, V, Memory>);
  if (shape.counters == Counters::lanes) {
    return dispatch<kBucketsPerLane>("buckets of a lane", buckets_a_lane(bits), [&]<int kGroups>() {
      using Ranks = LaneCounters<kGroups>;
      return f(scatter_block_tiles<Ranks, kPaper.threads, Ranks::kItems, Word, V, Memory>);
    });
  }
  return dispatch<kBallots>("ballots", ballots(bits), [&]<int kRowBallots>() {
    return dispatch<kThreadsOfShared>("threads", shape.threads, [&]<int kThreadsOfBlock>() {
      return dispatch<kItemsOfShared>("items", shape.items, [&]<int kItems>() {
        return f(scatter_block_tiles<SharedCounters<kRowBallots>, kThreadsOfBlock, kItems, Word, V, Memory>);
      });
    });
  });
}

/// Launches step 3. Its blocks are launched `times` times: calibration works on a few tiles many times.
template <class Word, class V, class Memory>
void launch_scatter(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream, unsigned times = 1) {
  const dim3 grid{shape.blocks(pass.input.tiles), times};
  const int bits = pass.input.bucket.bits();
  const std::uint32_t bytes = scatter_bytes(shape, bits, sizeof(Word) + kValueBytes<V>);
  with_scatter_kernel<Word, V, Memory>(shape, bits, [&](auto* kernel) {
    allow_shared_memory(kernel, bytes);
    kernel<<<grid, static_cast<unsigned>(shape.threads), bytes, stream>>>(pass);
  });
  check_launch();
}

template <class Word, class V>
void scatter(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  launch_scatter(pass, shape, stream);
}

}  // namespace sortlab::multisplit
