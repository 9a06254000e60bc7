// Divides the bucket around a cut, which one lane has received whole, by selecting the key at the cut.
#pragma once

#include "algorithms/multi_gpu_radix/targets.cuh"

namespace sortlab::multi_gpu {

template <class Word, class V>
struct Arrays {
  Word* keys = nullptr;
  V* values = nullptr;
};

/// Elements that differ in `bits_left` low bits: the `lower` smallest go to one lane, the others to another.
template <class Word, class V>
struct Border {
  Arrays<Word, V> from;
  std::uint32_t count;
  std::uint32_t lower;  ///< 0 < lower < count
  int bits_left;
  Arrays<Word, V> lower_to;
  Arrays<Word, V> upper_to;
};

/// The key, in sort order, of rank `rank` among those of the border. Replaces `rank` by that among its equals.
template <class Word, class V>
__device__ Word select_key(const Border<Word, V>& border, const KeyOrder<Word>& order, std::uint32_t& rank) {
  constexpr int kBits = 11;
  constexpr std::uint32_t kDigitsHere = 1U << kBits;
  static_assert(kDigitsHere == 2 * kCountThreads);
  __shared__ std::uint32_t counters[kDigitsHere], warps[kCountThreads / kWarp], digit, before_digit;
  const Word any = order.ordered(border.from.keys[0]);
  int bits = border.bits_left;
  Word known = bits >= 8 * static_cast<int>(sizeof(Word)) ? Word{0} : static_cast<Word>(any >> bits << bits);
  while (bits > 0) {
    const int taken = min(bits, kBits);
    for (std::uint32_t d = threadIdx.x; d < kDigitsHere; d += kCountThreads) counters[d] = 0;
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < border.count; i += kCountThreads) {
      const Word ordered = order.ordered(border.from.keys[i]);
      const Word differ = ordered ^ known;
      const bool agrees = bits >= 8 * static_cast<int>(sizeof(Word)) || differ >> bits == 0;
      if (agrees) {
        atomicAdd(counters + (static_cast<std::uint32_t>(ordered >> (bits - taken)) & ((1U << taken) - 1)), 1U);
      }
    }
    __syncthreads();
    const std::uint32_t first = counters[2 * threadIdx.x], both = first + counters[2 * threadIdx.x + 1];
    const std::uint32_t before = block_exclusive_sum(both, warps);
    if (before <= rank && rank < before + both) {
      const bool is_second = rank >= before + first;
      digit = 2 * threadIdx.x + (is_second ? 1 : 0);
      before_digit = before + (is_second ? first : 0);
    }
    __syncthreads();
    bits -= taken;
    known |= static_cast<Word>(digit) << bits;
    rank -= before_digit;
    __syncthreads();
  }
  return known;
}

/// Called with one block.
template <class Word, class V>
__global__ void __launch_bounds__(kCountThreads) divide_border(Border<Word, V> border, KeyOrder<Word> order) {
  __shared__ std::uint32_t equal, next[2];
  if (threadIdx.x == 0) equal = next[0] = next[1] = 0;
  std::uint32_t rank = border.lower - 1;
  const Word splitter = select_key(border, order, rank);
  const std::uint32_t equal_below = rank + 1;
  const std::uint32_t rounds = (border.count + kCountThreads - 1) / kCountThreads;
  __syncthreads();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t i = round * kCountThreads + threadIdx.x;
    const bool is_key = i < border.count;
    const Word key = is_key ? border.from.keys[i] : Word{0};
    const Word ordered = order.ordered(key);
    bool is_lower = ordered < splitter;
    if (is_key && ordered == splitter) is_lower = atomicAdd(&equal, 1U) < equal_below;
    const std::uint32_t lane = threadIdx.x % kWarp;
    for (int side = 0; side < 2; ++side) {
      const bool is_here = is_key && is_lower == (side == 0);
      const std::uint32_t lanes = __ballot_sync(kAllLanesOfWarp, is_here);
      std::uint32_t first = 0;
      if (lane == 0 && lanes != 0) first = atomicAdd(next + side, static_cast<std::uint32_t>(__popc(lanes)));
      first = __shfl_sync(kAllLanesOfWarp, first, 0);
      if (!is_here) continue;
      const std::uint32_t place = first + static_cast<std::uint32_t>(__popc(lanes & ((1U << lane) - 1)));
      const Arrays<Word, V>& to = side == 0 ? border.lower_to : border.upper_to;
      to.keys[place] = key;
      if constexpr (kHasValue<V>) to.values[place] = border.from.values[i];
    }
  }
}

}  // namespace sortlab::multi_gpu
