// Micro-benchmark MB9: decoupled look-back (Merrill and Garland 2016) with synthetic counts. Measures the latency of a
// value from block to block, and the rate of tiles that do nothing but wait for their predecessors.
#include <algorithm>
#include <memory>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

template <class Word>
__device__ Word load_relaxed(const Word* from) {
  Word word;
  if constexpr (sizeof(Word) == 4)
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  if constexpr (sizeof(Word) == 8)
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
template <class Word>
__device__ void store_relaxed(Word* to, Word word) {
  if constexpr (sizeof(Word) == 4) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
  if constexpr (sizeof(Word) == 8) asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

/// Each block waits for the sum of the block before it and passes its own on. All blocks are resident. The low half of
/// a word is the sum, the high half the number of the launch.
__global__ void hand_on(std::uint64_t* sums, std::uint64_t launch) {
  std::uint64_t sum = launch << 32;
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    do sum = load_relaxed(&sums[blockIdx.x - 1]);
    while (sum >> 32 != launch);
  }
  store_relaxed(&sums[blockIdx.x], sum + 1);
}

void add_hop(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("lookback_hop", "s", "MB9: from block to block, along a chain in which each waits for the one before",
                 {});
  const int blocks = std::min(4, bench.resident_blocks(hand_on, 32)) * bench.multiprocessors;
  auto sums = std::make_shared<DeviceMemory>(blocks * sizeof(std::uint64_t));
  check(cudaMemset(sums->data(), 0, sums->size()));
  rounds.add("lookback_hop", {}, [&bench, blocks, sums, launch = std::uint64_t{0}]() mutable {
    ++launch;
    return bench.time_launches([&](cudaStream_t stream) {
      hand_on<<<blocks, 32, 0, stream>>>(sums->data<std::uint64_t>(), launch);
    }) / blocks;
  });
}

constexpr int kCounters = 256;  ///< counters of a tile, one for each thread
constexpr std::uint32_t kTiles = 1 << 14;
constexpr std::uint32_t kAggregate = 1U << 30;  ///< flag: only the count of this tile is known
constexpr std::uint32_t kPrefix = 2U << 30;     ///< flag: the count of this tile and all before it is known
constexpr std::uint32_t kCount = kAggregate - 1;

/// The blocks take tiles until there are none. Each thread looks back for its own counter, tile by tile, until it finds
/// a prefix. `states` are 0 at first, and so is the number of the next tile, which follows them.
__global__ void __launch_bounds__(kCounters) look_back(std::uint32_t* states) {
  __shared__ std::uint32_t drawn;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) drawn = atomicAdd(&states[kTiles * kCounters], 1);
    __syncthreads();
    const std::uint32_t tile = drawn;
    if (tile >= kTiles) return;
    std::uint32_t* const state = states + tile * kCounters + threadIdx.x;
    const std::uint32_t count = hash(tile * kCounters + threadIdx.x) % 16;
    if (tile > 0) store_relaxed(state, kAggregate | count);
    std::uint32_t sum = count;
    for (const std::uint32_t* before = state; tile > 0;) {
      before -= kCounters;
      std::uint32_t seen;
      do seen = load_relaxed(before);
      while (seen == 0);
      sum += seen & kCount;
      if ((seen & kPrefix) != 0) break;
    }
    store_relaxed(state, kPrefix | sum);
  }
}

void add_tiles(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("lookback", "s",
                 "MB9: from tile to tile of 256 counters with aggregates and prefixes, blocks of 256 threads that do "
                 "nothing else, 'tiles_in_flight' of them",
                 {"tiles_in_flight"});
  auto states = std::make_shared<DeviceMemory>((std::size_t{kTiles} * kCounters + 1) * 4);
  const int resident = bench.resident_blocks(look_back, kCounters) * bench.multiprocessors;
  for (const int blocks : {16, 64, bench.multiprocessors, 2 * bench.multiprocessors, 4 * bench.multiprocessors,
                           8 * bench.multiprocessors}) {
    if (blocks > resident) continue;
    rounds.add("lookback", {static_cast<double>(blocks)}, [&bench, states, blocks] {
      check(cudaMemsetAsync(states->data(), 0, states->size(), bench.stream()));
      const double seconds = bench.time_launches(
          [&](cudaStream_t stream) { look_back<<<blocks, kCounters, 0, stream>>>(states->data<std::uint32_t>()); });
      return seconds / kTiles;
    });
  }
}

void add_lookback_probes(Rounds& rounds, DeviceBench& bench) {
  add_hop(rounds, bench);
  add_tiles(rounds, bench);
}

const RegisterProbe lookback_probes{DeviceProbe{"lookback", TableKind::hardware, add_lookback_probes}};

}  // namespace

}  // namespace sortlab::calibration
