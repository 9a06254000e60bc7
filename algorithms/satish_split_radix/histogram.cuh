// Step 1: counts the digits of each tile in a histogram a thread, of bytes in shared memory.
#pragma once

#include "algorithms/satish_split_radix/pass.cuh"

namespace sortlab::split_radix {

/// Rows of four byte counters in a word a thread: a thread's words lie in one bank, so that no two threads of a warp
/// meet in one, whatever their digits.
__host__ __device__ constexpr std::uint32_t histogram_rows(std::uint32_t digits) {
  return (digits + 3) / 4;
}

/// Counts blocks of blockDim.x / group tiles, each of `group` threads' `items` elements, at most 255 a thread.
template <class Word, class V>
__global__ void __launch_bounds__(kMostThreads) count_digits(Pass<Word, V> pass, std::uint32_t group, std::uint32_t items) {
  extern __shared__ std::uint32_t words[];
  const std::uint32_t digits = pass.digit.mask() + 1, rows = histogram_rows(digits);
  const std::uint32_t thread = threadIdx.x % group, first_thread = threadIdx.x - thread;
  const std::uint64_t tile = std::uint64_t{blockIdx.x} * (blockDim.x / group) + threadIdx.x / group;
  const std::uint32_t count = pass.tile_count(tile, group * items);
  const Word* const keys = pass.keys + tile * group * items;

  for (std::uint32_t row = 0; row < rows; ++row) words[row * blockDim.x + threadIdx.x] = 0;
  auto* const mine = reinterpret_cast<std::uint8_t*>(words + threadIdx.x);
  const auto add = [&](Word key) {
    const unsigned d = pass.digit(key);
    ++mine[d / 4 * 4 * blockDim.x + d % 4];
  };
  constexpr std::uint32_t kBatch = 64 / sizeof(Word);  // loads in flight a thread
  std::uint32_t at = thread;
  for (; at + (kBatch - 1) * group < count; at += kBatch * group) {
    Word key[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) key[i] = keys[at + i * group];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) add(key[i]);
  }
  for (; at < count; at += group) add(keys[at]);

  __syncthreads();
  // A warp sums a row: two counters a word, which hold up to 65535.
  const std::uint32_t lane = threadIdx.x % kWarp;
  for (std::uint32_t row = thread / kWarp; row < rows; row += group / kWarp) {
    std::uint32_t even = 0, odd = 0;
    for (std::uint32_t other = lane; other < group; other += kWarp) {
      const std::uint32_t four = words[row * blockDim.x + first_thread + other];
      even += four & 0x00FF00FF;
      odd += four >> 8 & 0x00FF00FF;
    }
    even = __reduce_add_sync(~0u, even);
    odd = __reduce_add_sync(~0u, odd);
    const std::uint32_t d = 4 * row + lane;
    if (lane < 4 && d < digits && tile < pass.tiles) {
      pass.counts[d * pass.tiles + tile] = ((lane % 2 == 0 ? even : odd) >> (lane < 2 ? 0 : 16)) & 0xFFFF;
    }
  }
}

template <class Word, class V>
void count_digits(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  const auto threads = static_cast<std::uint32_t>(shape.warps * kWarp);
  const std::uint32_t bytes = histogram_rows(pass.digit.mask() + 1) * threads * sizeof(std::uint32_t);
  const auto kernel = static_cast<void (*)(Pass<Word, V>, std::uint32_t, std::uint32_t)>(count_digits<Word, V>);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<shape.blocks(pass.tiles), threads, bytes, stream>>>(pass, static_cast<std::uint32_t>(shape.tile_warps() * kWarp),
                                                               static_cast<std::uint32_t>(shape.items));
  check_launch();
}

}  // namespace sortlab::split_radix
