// Stable ranks: a key's rank is the number of preceding keys of the block with the same digit.
//
// Each warp owns a contiguous piece of the keys, processed in rows of 32, and has a 16-bit counter per digit. The lanes
// of a row with equal digits find each other by one ballot per bit, as in CUB's match ranks. Prefix sums of the
// counters over the warps turn warp ranks into block ranks.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"
#include "algorithms/msd_radix_gpu/stable_lists.hpp"

namespace sortlab::msd_gpu::stable {

/// Mask of the warp's lanes that have this lane's digit.
__device__ inline std::uint32_t lanes_with(std::uint32_t digit) {
  std::uint32_t lanes = kAllLanes;
#pragma unroll
  for (int b = 0; b < kDigitBits; ++b) {
    std::uint32_t same;  // lanes that agree in bit b
#ifdef __CUDA_ARCH__
    // Inline assembly, since the compiler would test the bit twice, for the vote and for the choice.
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "and.b32 %0, %1, %2;\n"
        "setp.ne.u32 p, %0, 0;\n"
        "vote.sync.ballot.b32 %0, p, 0xffffffff;\n"
        "@!p not.b32 %0, %0;\n"
        "}\n"
        : "=r"(same)
        : "r"(digit), "r"(1U << b));
#else
    const bool is_set = (digit & 1U << b) != 0;
    const std::uint32_t set = __ballot_sync(kAllLanes, is_set);
    same = is_set ? set : ~set;
#endif
    lanes &= same;
  }
  return lanes;
}

/// Digit counters of a block's warps, in shared memory.
template <int kWarps>
struct Ranks {
  static constexpr std::uint32_t kPairs = kDigits / 2;
  static constexpr std::uint32_t kBytes = kWarps * kDigits * 2 + kWarp * 4;
  std::uint16_t* counters;  ///< digit counters of one warp after the other; aligned to 16 bytes
  std::uint32_t* sums;      ///< one per warp

  __device__ explicit Ranks(void* shared)
      : counters(static_cast<std::uint16_t*>(shared)),
        sums(reinterpret_cast<std::uint32_t*>(counters + kWarps * kDigits)) {}

  __device__ std::uint16_t* own() const { return counters + threadIdx.x / kWarp * kDigits; }
  /// Clears this warp's counters.
  __device__ void clear() const {
    auto* words = reinterpret_cast<uint4*>(own());
    constexpr std::uint32_t kWords = kDigits * 2 / sizeof(uint4);
    static_assert(kWords == kWarp);
    words[threadIdx.x % kWarp] = uint4{0, 0, 0, 0};
    __syncwarp();
  }
  /// Rank in this warp of the next row's keys. Called by all lanes; lanes without a key, which only a last row has, get
  /// none.
  template <bool kFull>
  __device__ std::uint32_t next(std::uint32_t digit, bool is_key) const {
    const std::uint32_t lane = threadIdx.x % kWarp;
    std::uint32_t lanes = lanes_with(digit);
    if constexpr (!kFull) lanes &= __ballot_sync(kAllLanes, is_key);
    std::uint16_t* const counter = own() + digit;
    const std::uint32_t rank = *counter + static_cast<std::uint32_t>(__popc(lanes & ((1U << lane) - 1)));
    __syncwarp();
    if ((kFull || is_key) && lanes >> lane == 1) *counter = static_cast<std::uint16_t>(rank + 1);
    __syncwarp();
    return rank;
  }
  /// Turns the counters into the block position of the first key of each warp and digit, and calls `visit(digit,
  /// place)` with the first position of each digit. Called by all threads; the counters are valid after the next
  /// barrier.
  template <class Visit>
  __device__ void place(const Visit& visit) const {
    const std::uint32_t pair = threadIdx.x;
    auto* const words = reinterpret_cast<std::uint32_t*>(counters) + pair;
    __syncthreads();
    std::uint32_t keys = 0;
    if (pair < kPairs) {
#pragma unroll
      for (int w = 0; w < kWarps; ++w) keys += words[w * static_cast<int>(kPairs)];
    }
    std::uint32_t all;
    const std::uint32_t first = exclusive_sum((keys & 0xFFFF) + (keys >> 16), all, sums);
    if (pair >= kPairs) return;
    const std::uint32_t second = first + (keys & 0xFFFF);
    visit(2 * pair, first);
    visit(2 * pair + 1, second);
    std::uint32_t before = first | second << 16;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      std::uint32_t& word = words[w * static_cast<int>(kPairs)];
      const std::uint32_t warp_keys = word;
      word = before;
      before += warp_keys;
    }
  }
  __device__ std::uint32_t position(std::uint32_t digit, std::uint32_t rank) const {
    return own()[digit] + rank;
  }
};

}  // namespace sortlab::msd_gpu::stable
