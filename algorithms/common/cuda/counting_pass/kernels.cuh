// The kernels of a pass. As printed: presort, (scan), shuffle. Recomputed: count, (scan), sort_and_shuffle.
//
// `counts` and `offsets` are digit-major: entry digit * tiles + tile, and one entry more at the end, so that the
// difference of two neighbours in the scanned array is a tile's count of a digit.
#pragma once

#include "algorithms/common/cuda/counting_pass/key_map.cuh"
#include "algorithms/common/cuda/counting_pass/sort_tile.cuh"
#include "algorithms/common/cuda/counting_pass/warp_scan.cuh"

namespace sortlab::ha {

template <class P>
struct PassArguments {
  SourceOf<P> from;
  TargetOf<P> to;       ///< output of a middle pass
  TargetOf<P> to_last;  ///< output of the last pass: always two arrays
  std::uint64_t n;
  int pass;
  typename P::Map map;
  const Plan<typename P::Word>* plan;  ///< on the device if the device makes the plan, otherwise null
  typename P::Memory::template Target<std::uint32_t> counts;
  typename P::Memory::template Source<std::uint64_t> offsets;

  /// Sets this block's tile. Returns false if the keys' range makes this pass unnecessary.
  __device__ bool begin() {
    if (plan != nullptr) map.plan = *plan;
    return pass < map.plan.passes;
  }
  __device__ int shift() const { return pass * P::kDigitBits; }
  __device__ bool is_first() const { return pass == 0; }
  __device__ bool is_last() const { return pass == map.plan.passes - 1; }
  __device__ std::uint64_t tile_begin() const { return std::uint64_t{blockIdx.x} * P::kTile; }
  __device__ int valid() const {
    const std::uint64_t left = n - tile_begin();
    return static_cast<int>(left < std::uint64_t{P::kTile} ? left : P::kTile);
  }
  __device__ std::uint64_t entry(unsigned digit) const { return std::uint64_t{digit} * gridDim.x + blockIdx.x; }
  __device__ void end_counts() const {  // the sum of all counts follows the last
    if (blockIdx.x == 0 && threadIdx.x == 0) counts[std::uint64_t{P::kDigits} * gridDim.x] = 0;
  }
};

/// Per digit, the offset from an index in the sorted tile to the element's index in the pass's output.
template <class P>
struct RunBases {
  std::uint64_t base[P::kDigits];
  unsigned count[P::kDigits];

  /// Called by the first warp; a barrier must follow.
  __device__ void load(const PassArguments<P>& pass) {
    const unsigned digit = threadIdx.x;
    std::uint64_t offset = 0;
    if (digit < P::kDigits) {
      offset = pass.offsets[pass.entry(digit)];
      count[digit] = static_cast<unsigned>(pass.offsets[pass.entry(digit) + 1] - offset);
    }
    __syncwarp();
    if (digit < P::kDigits) {
      unsigned start = 0;
#pragma unroll
      for (unsigned d = 0; d < P::kDigits - 1; ++d) start += d < digit ? count[d] : 0;
      base[digit] = offset - start;
    }
  }
};

/// As printed, first kernel: sorts each tile by the pass's digit and writes it back, with its counts.
template <class P>
__global__ __launch_bounds__(P::kThreads, P::kBlocks) void presort(__grid_constant__ const PassArguments<P> arguments) {
  __shared__ TileStorage<P> storage;
  __shared__ int begin[P::kDigits], end[P::kDigits];
  PassArguments<P> pass = arguments;
  if (!pass.begin()) return;
  const int valid = pass.valid();
  if (threadIdx.x < P::kDigits) begin[threadIdx.x] = end[threadIdx.x] = 0;

  load<P>(pass.from, pass.tile_begin(), valid, pass.map.last(), storage);
  sort_tile<P>(pass.map, pass.shift(), valid, pass.is_first(), storage);

  const auto get_digit = [&](int i) {
    return pass.map.template digit<P::kDigitBits>(storage.keys.dense(i), pass.shift());
  };
#pragma unroll
  for (int j = 0; j < P::kItems; ++j) {
    const int i = j * P::kThreads + static_cast<int>(threadIdx.x);
    if (i >= valid) break;
    pass.to.keys[pass.tile_begin() + i] = storage.keys.dense(i);
    if constexpr (P::kHasValues) pass.to.values[pass.tile_begin() + i] = storage.values.dense(i);
    // A digit begins where it differs from the preceding one.
    const unsigned digit = get_digit(i);
    const unsigned before = i == 0 ? digit : get_digit(i - 1);
    if (digit != before) {
      end[before] = i;
      begin[digit] = i;
    }
    if (i == valid - 1) end[digit] = valid;
  }
  __syncthreads();
  if (threadIdx.x < P::kDigits) pass.counts[pass.entry(threadIdx.x)] = end[threadIdx.x] - begin[threadIdx.x];
  pass.end_counts();
}

/// As printed, last kernel: one coalesced pass over pre-sorted tiles that appends each element to the run of its digit.
template <class P>
__global__ __launch_bounds__(P::kThreads) void shuffle(__grid_constant__ const PassArguments<P> arguments) {
  __shared__ RunBases<P> runs;
  PassArguments<P> pass = arguments;
  if (!pass.begin()) return;
  const int valid = pass.valid();
  if (threadIdx.x < kWarp) runs.load(pass);
  __syncthreads();
  const bool last = pass.is_last();
#pragma unroll
  for (int j = 0; j < P::kItems; ++j) {
    const int i = j * P::kThreads + static_cast<int>(threadIdx.x);
    if (i >= valid) break;
    const typename P::Word key = pass.from.keys[pass.tile_begin() + i];
    const std::uint64_t at = runs.base[pass.map.template digit<P::kDigitBits>(key, pass.shift())] + i;
    if constexpr (P::kHasValues) {
      const typename P::V value = pass.from.values[pass.tile_begin() + i];
      if (!last && pass.to.pairs != nullptr) {
        pass.to.pairs[at] = {value, key};
        continue;
      }
      (last ? pass.to_last.values : pass.to.values)[at] = value;
    }
    (last ? pass.to_last.keys : pass.to.keys)[at] = last ? pass.map.leave(key) : key;
  }
}

/// Recomputed, first kernel: counts the digits of each tile without ordering it.
///
/// A thread counts 16 digits in the 16 nibbles of one word, at most eight keys at a time; a warp sums in 16-bit fields.
template <class P>
__global__ __launch_bounds__(P::kThreads) void count(__grid_constant__ const PassArguments<P> arguments) {
  constexpr int kWarps = P::kThreads / kWarp;
  constexpr int kFields = 16;
  __shared__ std::uint32_t warp_count[kWarps][kFields / 2];
  PassArguments<P> pass = arguments;
  if (!pass.begin()) return;
  const int valid = pass.valid();

  // Order is irrelevant here: each thread reads 16 adjacent bytes.
  constexpr int per_load = sizeof(uint4) / sizeof(typename P::Word);
  std::uint64_t even = 0;  // eight 8-bit fields: digits 0, 2 … 14
  std::uint64_t odd = 0;
  typename P::Word keys[P::kItems / per_load][per_load];
  const bool vectors = valid == P::kTile && reads_vectors(pass.from.keys);
#pragma unroll
  for (int j = 0; j < P::kItems / per_load; ++j) {
    const int first = (j * P::kThreads + static_cast<int>(threadIdx.x)) * per_load;
    const auto source = pass.from.keys + pass.tile_begin() + first;
    if (vectors) {
      const uint4 vector = read_vector(source);
      memcpy(keys[j], &vector, sizeof vector);
    } else {
#pragma unroll
      for (int k = 0; k < per_load; ++k) keys[j][k] = first + k < valid ? source[k] : typename P::Word{};
    }
  }
#pragma unroll
  for (int j = 0; j < P::kItems / per_load; ++j) {
    const int first = (j * P::kThreads + static_cast<int>(threadIdx.x)) * per_load;
    std::uint64_t nibbles = 0;
#pragma unroll
    for (int k = 0; k < per_load; ++k) {
      const typename P::Word key = pass.is_first() ? pass.map.enter(keys[j][k]) : keys[j][k];
      const unsigned digit = pass.map.template digit<P::kDigitBits>(key, pass.shift());
      if (first + k < valid) nibbles += std::uint64_t{1} << (4 * digit);
    }
    constexpr std::uint64_t low_nibbles = 0x0F0F0F0F0F0F0F0F;
    even += nibbles & low_nibbles;
    odd += (nibbles >> 4) & low_nibbles;
  }

  // Word w holds the digits 4 * (w % 4) + w / 4 and two more than that.
  const std::uint32_t bytes[4] = {static_cast<std::uint32_t>(even), static_cast<std::uint32_t>(even >> 32),
                                  static_cast<std::uint32_t>(odd), static_cast<std::uint32_t>(odd >> 32)};
  std::uint32_t mine = 0;
#pragma unroll
  for (unsigned w = 0; w < kFields / 2; ++w) {
    const std::uint32_t sum = __reduce_add_sync(~0u, (bytes[w / 2] >> (8 * (w % 2))) & 0x00FF00FF);
    if (threadIdx.x % kWarp == w) mine = sum;
  }
  if (threadIdx.x % kWarp < kFields / 2) warp_count[threadIdx.x / kWarp][threadIdx.x % kWarp] = mine;
  __syncthreads();

  if (threadIdx.x < P::kDigits) {
    // Digit 8h + 4q + 2b + o: half h of the 64 bits, o odd, byte pair (b, q) of its word.
    const unsigned digit = threadIdx.x;
    const unsigned word = (digit % 2) * 4 + (digit / 8) * 2 + (digit / 2) % 2;
    const unsigned high = (digit / 4) % 2;
    unsigned sum = 0;
#pragma unroll
    for (int warp = 0; warp < kWarps; ++warp) sum += (warp_count[warp][word] >> (16 * high)) & 0xFFFF;
    pass.counts[pass.entry(digit)] = sum;
  }
  pass.end_counts();
}

/// Scatters the runs of a sorted tile. `Whole`: the tile is full.
template <bool Last, bool Whole, class P>
__device__ void write_runs(const PassArguments<P>& pass, int valid, const RunBases<P>& runs, TileStorage<P>& storage) {
  const int first = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int j = 0; j < P::kItems; ++j) {
    const int i = j * P::kThreads + first;
    if (!Whole && i >= valid) break;
    const typename P::Word key = storage.keys.dense(i);
    const std::uint64_t base = runs.base[pass.map.template digit<P::kDigitBits>(key, pass.shift())];
    (pass.to.keys + first + base)[j * P::kThreads] = Last ? pass.map.leave(key) : key;
    if constexpr (P::kHasValues) (pass.to.values + first + base)[j * P::kThreads] = storage.values.dense(i);
  }
}

/// Recomputed, last kernel: sorts each tile by the pass's digit and scatters its runs.
template <class P>
__global__ __launch_bounds__(P::kThreads,
                             P::kBlocks) void sort_and_shuffle(__grid_constant__ const PassArguments<P> arguments) {
  __shared__ TileStorage<P> storage;
  __shared__ RunBases<P> runs;
  PassArguments<P> pass = arguments;
  if (!pass.begin()) return;
  const int valid = pass.valid();

  if (threadIdx.x < kWarp) runs.load(pass);
  load<P>(pass.from, pass.tile_begin(), valid, pass.map.last(), storage);
  sort_tile<P>(pass.map, pass.shift(), valid, pass.is_first(), storage);

  if (pass.is_last()) {
    if (valid == P::kTile) {
      write_runs<true, true>(pass, valid, runs, storage);
    } else {
      write_runs<true, false>(pass, valid, runs, storage);
    }
  } else if (valid == P::kTile) {
    write_runs<false, true>(pass, valid, runs, storage);
  } else {
    write_runs<false, false>(pass, valid, runs, storage);
  }
}

}  // namespace sortlab::ha
