// Sorts a bucket whose keys lie evenly in their range, by a block: the range is cut into about as many bins as there
// are keys, which are then nearly in order (in_order.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/in_order.cuh"

namespace sortlab::msd_gpu {

/// The 32 bits of a key from its bit `bits` downwards, or what it has of them in the highest.
template <class Word>
__device__ std::uint32_t upper_bits(Word key, int bits) {
  constexpr int kWidth = 8 * sizeof(Word);
  if constexpr (kWidth == 32) {
    return key << (kWidth - bits);
  } else if constexpr (kWidth == 64) {
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    return __funnelshift_rc(low, high, static_cast<std::uint32_t>(max(bits - 32, 0))) << max(32 - bits, 0);
  } else {
    return static_cast<std::uint32_t>(static_cast<Word>(key << (kWidth - bits)) >> (kWidth - 32));
  }
}

/// Sorts a bucket whose keys lie evenly; false, with nothing written to memory, for another.
template <class Word, class V, int kThreadsOf, int kItems, class Source>
__device__ bool sort_even(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                          const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  using Stage = BucketStage<Word, V, kThreadsOf, kItems>;
  const std::uint32_t count = bucket.count;
  const int thread = own_thread();
  const bool maps = arrays.order.flip != 0;  // each order that changes keys inverts some bit of all
  const auto place_of = [&](int i) { return thread + i * kThreadsOf; };
  const auto has = [&](int i) { return place_of(i) < static_cast<int>(count); };
  const auto nobody = [&](int i) { return i * kThreadsOf >= static_cast<int>(count); };
  const Word* const keys_in = arrays.keys_on(bucket.side) + source.begin;
  const V* const values_in = arrays.values_on(bucket.side) + source.begin;
  const typename Source::template Places<kThreadsOf, kItems> places{source, thread, count};
  Word* const keys_out = arrays.keys[0] + bucket.begin;
  V* const values_out = arrays.values[0] + bucket.begin;
  const auto restored = [&](Word key) { return maps ? arrays.order.restored(key) : key; };

  Word keys[kItems];
  if (threadIdx.x < 2) shared.differ[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    shared.low = ~0U;
    shared.high = 0;
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.nobody_has(i)) break;
    if (places.has(i)) keys[i] = keys_in[places[i]];
  }
  Word first = keys_in[source.at(0)];
#pragma unroll
  for (int b = 0; b < static_cast<int>(Stage::kBins); b += kThreadsOf) stage.bins[b + thread] = 0;
  if (maps) {
    first = arrays.order.ordered(first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (places.nobody_has(i)) break;
      keys[i] = arrays.order.ordered(keys[i]);
    }
  }
  __syncthreads();
  // 32 bits of each key, from the highest on in which any differs, and their range.
  int bits = 32;
  if constexpr (sizeof(Word) > 4) {
    Word differ = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (places.nobody_has(i)) break;
      if (places.has(i)) differ |= keys[i] ^ first;
    }
    or_into(shared.differ, differ);
    __syncthreads();
    bits = max(1, bit_length(shared.differ));
  }
  std::uint32_t low = 0, range = ~0U;
  if (sizeof(Word) == 4 || bucket.merged != 0) {
    std::uint32_t lowest = ~0U, highest = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (places.nobody_has(i)) break;
      if (!places.has(i)) continue;
      const std::uint32_t upper = upper_bits(keys[i], bits);
      lowest = min(lowest, upper);
      highest = max(highest, upper);
    }
    lowest = ~max_of_warp(~lowest);
    highest = max_of_warp(highest);
    if (threadIdx.x % kWarp == 0) {
      atomicMin(&shared.low, lowest);
      atomicMax(&shared.high, highest);
    }
    __syncthreads();
    low = shared.low;
    range = shared.high - low;
  } else if (bits < 32) {
    range <<= 32 - bits;
  }
  const int shift = min(31, __clz(static_cast<int>(range)));
  // Rounded down by more than the errors of a float, so that no bin is beyond the last.
  const auto scale = static_cast<std::uint32_t>(static_cast<float>(Stage::kBins) * (0x1p32F - 0x1p12F) /
                                                (static_cast<float>(range << shift) + 256));
  // No bin has two different keys: there are twice as many as values.
  const bool exact = bits < Stage::kBinBits || (bits <= 32 && range < Stage::kBins / 2);

  if (!exact) {
    // Of four times 32 keys, many in one of 32 parts of the range: the attempt is spared. They are from all over the
    // bucket, since keys side by side may be of one digit.
    constexpr int kApart = kThreadsOf / static_cast<int>(kWarp);
    if (thread % kApart == 0) {
#pragma unroll
      for (std::uint32_t r = 0; r < kRows; ++r) {
        constexpr int kLastItem = kItems - 1;
        const int i = static_cast<int>(r) * kLastItem / (static_cast<int>(kRows) - 1);
        const auto lane = static_cast<std::uint32_t>(thread / kApart);
        shared.parts[(lane + r) % kRows][lane] = places.has(i) ? (upper_bits(keys[i], bits) - low) << shift >> 27
                                                               : kWarp + static_cast<std::uint32_t>(thread);
      }
    }
    __syncthreads();
    bool is_uneven = false;
    if (threadIdx.x < kRows * kWarp) {
      const std::uint32_t alike = __match_any_sync(kAllLanes, shared.parts[threadIdx.x / kWarp][threadIdx.x % kWarp]);
      is_uneven = __any_sync(kAllLanes, static_cast<std::uint32_t>(__popc(alike)) >= kClumpedKeys) != 0;
    }
    if (static_cast<std::uint32_t>(__syncthreads_count(is_uneven)) > kRows / 2 * kWarp) return false;
  }

  std::uint32_t slots[kItems];  // of a key's bin; from bit 16 on, how many came before it
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.nobody_has(i)) break;
    if (!places.has(i)) continue;
    const std::uint32_t slot = Stage::slot(__umulhi((upper_bits(keys[i], bits) - low) << shift, scale));
    slots[i] = slot | atomicAdd(stage.bins + slot, 1U) << 16;
  }
  __syncthreads();
  std::uint32_t mine = 0, most = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < Stage::kOfThread; ++k) {
    const std::uint32_t keys_of_bin = stage.bins[Stage::slot(threadIdx.x * Stage::kOfThread + k)];
    mine += keys_of_bin;
    most = max(most, keys_of_bin);
  }
  std::uint32_t all;
  const std::uint32_t begin = exclusive_sum(mine, all, shared.warps);
  std::uint32_t before = begin;
#pragma unroll
  for (std::uint32_t k = 0; k < Stage::kOfThread; ++k) {
    std::uint32_t& bin = stage.bins[Stage::slot(threadIdx.x * Stage::kOfThread + k)];
    const std::uint32_t keys_of_bin = bin;
    bin = before;
    before += keys_of_bin;
  }
  if (__syncthreads_or(!exact && (most > kFewKeys || mine > kFewOfThread)) != 0) return false;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.nobody_has(i)) break;
    if (!places.has(i)) continue;
    const std::uint32_t place = stage.bins[slots[i] & 0xFFFF] + (slots[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[places[i]];
  }
  __syncthreads();
  if (!exact) {
    bool sorted = false;
    if constexpr (!kHasValue<V>) {
      // The bins of a warp's threads lie in a row.
      const std::uint32_t of_warp = __shfl_sync(kAllLanes, begin, 0);
      sorted = sort_in_lanes(stage, of_warp, of_warp + sum_of_warp(mine), max_of_warp(most));
    }
    if (!sorted) sort_by_insertion(stage, begin, begin + mine);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (!has(i)) continue;
    keys_out[place_of(i)] = restored(stage.keys[place_of(i)]);
    if constexpr (kHasValue<V>) values_out[place_of(i)] = stage.values[place_of(i)];
  }
  return true;
}

}  // namespace sortlab::msd_gpu
