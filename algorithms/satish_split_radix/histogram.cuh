// Step 1: counts the digits of each tile, in one histogram of bytes per thread in shared memory (section 2.1).
#pragma once

#include "algorithms/satish_split_radix/pass.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::split_radix {

/// Rows of a warp's histograms: one word of four counters per thread and row. A thread's words are all in one bank, so
/// that no two threads of a warp conflict, whatever their digits. The rows are a multiple of four, which a warp sums at
/// once.
__host__ __device__ constexpr std::uint32_t histogram_rows(std::uint32_t digits) {
  return (digits + 15) / 16 * 4;
}

/// Calls `found(digit, count)` in one lane for each digit, for at most 63 elements per thread.
template <class F>
__device__ void add_up(const std::uint32_t* words, std::uint32_t digits, const F& found) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  for (std::uint32_t first = 0; first < histogram_rows(digits); first += 4) {
    const std::uint32_t row = first + lane / 8;  // eight lanes per row, four words each
    const uint4 four = reinterpret_cast<const uint4*>(words + row * kWarp)[lane % 8];
    const std::uint32_t sum = four.x + four.y + four.z + four.w;  // byte-wise sums
    std::uint32_t even = sum & 0x00FF00FF, odd = sum >> 8 & 0x00FF00FF;
#pragma unroll
    for (int step = 1; step < 8; step *= 2) {
      even += __shfl_xor_sync(~0u, even, step);
      odd += __shfl_xor_sync(~0u, odd, step);
    }
    const std::uint32_t d = 4 * row + lane % 8;
    if (lane % 8 < 4 && d < digits) found(d, (lane % 2 == 0 ? even : odd) >> (lane % 4 < 2 ? 0 : 16) & 0xFFFF);
  }
}

/// Counts one tile per warp, or per block if `kTogether`, with `items` elements per thread.
template <bool kTogether, class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) count_digits(Pass<Word, V, Memory> pass, std::uint32_t items) {
  extern __shared__ uint4 shared[];
  const std::uint32_t digits = pass.digit.count(), rows = histogram_rows(digits);
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  auto* const words = reinterpret_cast<std::uint32_t*>(shared) + warp * rows * kWarp;
  std::uint32_t* const totals = reinterpret_cast<std::uint32_t*>(shared) + warps * rows * kWarp;
  const std::uint32_t group = kTogether ? blockDim.x : kWarp, thread = kTogether ? threadIdx.x : lane;
  const std::uint64_t tile = kTogether ? blockIdx.x : std::uint64_t{blockIdx.x} * warps + warp;
  const std::uint32_t count = pass.tile_count(tile, group * items);

  for (std::uint32_t i = lane; i < rows * kWarp / 4; i += kWarp) reinterpret_cast<uint4*>(words)[i] = uint4{};
  if constexpr (kTogether) {
    for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) totals[d] = 0;
  }
  __syncwarp();
  auto* const mine = reinterpret_cast<std::uint8_t*>(words + lane);
  const auto add = [&](Word key) {
    const unsigned d = pass.digit(key);
    ++mine[d / 4 * (4 * kWarp) + d % 4];
  };
  const auto keys = pass.keys + tile * group * items + thread;
  constexpr std::uint32_t kBatch = kHistogramBytes / sizeof(Word);  // loads in flight per thread
  std::uint32_t at = thread;
  for (; at + (kBatch - 1) * group < count; at += kBatch * group) {
    Word key[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) key[i] = keys[at - thread + i * group];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) add(key[i]);
  }
  for (; at < count; at += group) add(keys[at - thread]);
  __syncwarp();

  if constexpr (kTogether) {
    __syncthreads();
    add_up(words, digits, [&](std::uint32_t d, std::uint32_t sum) { atomicAdd(totals + d, sum); });
    __syncthreads();
    for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) pass.counts[d * pass.tiles + tile] = totals[d];
  } else {
    add_up(words, digits, [&](std::uint32_t d, std::uint32_t sum) {
      if (tile < pass.tiles) pass.counts[d * pass.tiles + tile] = sum;
    });
  }
}

template <class Word, class V, class Memory>
void count_digits(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream) {
  const auto warps = static_cast<std::uint32_t>(shape.warps);
  const std::uint32_t digits = pass.digit.count();
  const std::uint32_t bytes = (warps * histogram_rows(digits) * kWarp + digits) * sizeof(std::uint32_t);
  void (*const kernel)(Pass<Word, V, Memory>, std::uint32_t) =
      shape.split == Split::vertical ? count_digits<true, Word, V, Memory> : count_digits<false, Word, V, Memory>;
  allow_shared_memory(kernel, bytes);
  kernel<<<grid_size(shape, pass.tiles), warps * kWarp, bytes, stream>>>(pass, static_cast<std::uint32_t>(shape.items));
  check_launch();
}

}  // namespace sortlab::split_radix
