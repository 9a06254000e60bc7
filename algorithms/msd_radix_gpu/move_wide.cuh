// Partitions all keys by the digits of both top levels at once, for inputs small enough for one partition.
#pragma once

#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"

namespace sortlab::msd_gpu {

/// Shared memory of the wide partition.
template <class Word, class V>
struct WideStage {
  static constexpr std::uint32_t kDigits = 1U << kWideBits, kPerThread = kDigits / kThreads;
  using Tile = Stage<Word, V, kDigits>;
  static constexpr std::uint32_t kBeginsAt = std::max<std::uint32_t>(Tile::kBytes, sizeof(DivideShared<kDigits>));
  static constexpr std::uint32_t kBytes = kBeginsAt + kDigits * 4;
  static_assert(kBeginsAt % 4 == 0 && kBytes <= kMaxDynamicBytes);

  Tile tile;
  std::uint32_t* begins;

  __device__ explicit WideStage(uint4* shared)
      : tile(shared), begins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kBeginsAt)) {}
};

/// Partitions by both top levels at once. One block lists the sub-buckets, the others move tiles.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) move_wide(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  constexpr int kKeyBits = 8 * sizeof(Word);
  using Wide = WideStage<Word, V>;
  extern __shared__ uint4 shared[];
  const Wide stage{shared};
  auto& divided = *reinterpret_cast<DivideShared<Wide::kDigits>*>(shared);
  const int bits = lists.top_levels.bits();
  if (lists.state->skips_top != 0) return skip_top_levels(lists, kKeyBits);
  const int bits_left = bit_length(lists.state->differ), range = static_cast<int>(lists.state->range_bits);
  if (bits_left <= range - bits) {
    if (blockIdx.x == 0) skip_counted_bits(lists, bits_left, divided);
    return;
  }
  std::uint32_t counts[Wide::kPerThread];
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t k = 0; k < Wide::kPerThread; ++k) {
    const std::uint32_t d = threadIdx.x * Wide::kPerThread + k;
    const std::uint32_t half = 1U << (bits - 1), upper = d >= half ? 1 : 0;  // inputs of this size are counted in pairs
    counts[k] = d >> bits == 0 ? static_cast<std::uint32_t>(lists.top[d - upper * half] >> 32 * upper) : 0;
    mine += counts[k];
  }
  std::uint32_t before = exclusive_sum(mine, all, stage.tile.warps);
#pragma unroll
  for (std::uint32_t k = 0; k < Wide::kPerThread; ++k) {
    stage.begins[threadIdx.x * Wide::kPerThread + k] = before;
    before += counts[k];
  }
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1) {
    for (std::uint32_t d = threadIdx.x; d <= Wide::kDigits; d += kThreads) {
      divided.begins[d] = d < Wide::kDigits ? stage.begins[d] : lists.n;
    }
    if (threadIdx.x == 0) divided.next_count = 0;
    __syncthreads();
    const Segment element_count{.begin = 0,
                                .count = lists.n,
                                .row = nullptr,
                                .bits_left = static_cast<std::uint16_t>(range),
                                .bits = static_cast<std::uint8_t>(bits),
                                .buffer = 0,
                                .kind = Kind::divide,
                                .by_splitters = false};
    const bool is_outside = bits_left > range;
    list_digits(lists, kTopLevels - 1, element_count, 0, 1,
                {.first = is_outside, .last = is_outside, .bits_left = kKeyBits}, divided);
  }
  const auto reserve = [&](std::uint32_t digit, std::uint32_t keys) {
    return static_cast<long long>(stage.begins[digit] + atomicAdd(lists.state->given + digit, keys));
  };
  if (bits_left > range) {
    const ClampedDigits<Word, V> digits{arrays.order, {counted_range<Word>(*lists.state), bits}, 0, 1U << bits};
    move_all(arrays, lists, digits, reserve, stage.tile);
  } else {
    move_all(arrays, lists, Digits<Word, V>{{arrays.order, range - bits, bits}}, reserve, stage.tile);
  }
}

}  // namespace sortlab::msd_gpu
