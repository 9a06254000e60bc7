// Generates keys on a device from a formula (fill_keys.hpp), a few per thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cuda/check.hpp"
#include "generators/philox.hpp"

namespace sortlab {

inline constexpr unsigned kThreadsABlock = 256;
/// Maximum number of blocks: several times what any device runs at once
inline constexpr std::uint64_t kMaxBlocks = 1 << 16;

/// Number of blocks for `work` items, one or more items per thread.
inline unsigned blocks_for(std::uint64_t work) {
  return static_cast<unsigned>(std::min((work + kThreadsABlock - 1) / kThreadsABlock, kMaxBlocks));
}

/// Index of this thread in the grid, and number of all threads.
__device__ inline std::uint64_t thread_number() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline std::uint64_t all_threads() {
  return std::uint64_t{gridDim.x} * blockDim.x;
}

/// `kCount` keys that are written together.
template <class Pattern, int kCount>
struct alignas(std::min<std::size_t>(16, kCount * sizeof(Pattern))) KeyGroup {
  Pattern keys[kCount];
};

/// Number of keys that a thread generates at a time: those of a whole number of blocks of random words, or as many as
/// fill 16 bytes.
template <class Formula>
constexpr int keys_per_group() {
  if constexpr (Formula::kWords == 0) {
    return 16 / sizeof(typename Formula::Pattern);
  } else {
    return std::max(1, 4 / Formula::kWords);
  }
}

template <class Formula>
__global__ void make_keys_kernel(const Formula make, std::uint64_t seed, std::uint64_t n, void* keys) {
  using Pattern = typename Formula::Pattern;
  constexpr int kCount = keys_per_group<Formula>();
  constexpr int kWords = Formula::kWords;
  static_assert(kCount * kWords % 4 == 0, "a group begins at a block of its stream");
  constexpr int kBlocks = kCount * kWords / 4;
  for (std::uint64_t group = thread_number(); group * kCount < n; group += all_threads()) {
    std::uint32_t words[std::max(4 * kBlocks, 1)];
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) {
      const auto block = philox(seed, group * kBlocks + b, 0);
#pragma unroll
      for (int w = 0; w < 4; ++w) words[4 * b + w] = block[w];
    }
    const std::uint64_t first = group * kCount;
    KeyGroup<Pattern, kCount> made;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if (first + i < n) make(first + i, 1, words + i * kWords, made.keys + i);
    }
    if (first + kCount <= n) {
      static_cast<KeyGroup<Pattern, kCount>*>(keys)[group] = made;
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if (first + i < n) static_cast<Pattern*>(keys)[first + i] = made.keys[i];
      }
    }
  }
}

/// Writes the n keys of `formula`, n > 0, to `keys`, aligned to 16 bytes.
template <class Formula>
void make_keys(const Formula& formula, std::uint64_t seed, std::uint64_t n, void* keys, cudaStream_t stream) {
  const unsigned blocks = blocks_for((n + keys_per_group<Formula>() - 1) / keys_per_group<Formula>());
  make_keys_kernel<<<blocks, kThreadsABlock, 0, stream>>>(formula, seed, n, keys);
  check_launch();
}

}  // namespace sortlab
