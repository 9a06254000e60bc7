// Sorts a bucket of evenly distributed keys with one block: the range is cut into about as many bins as there are keys.
// Keys in bin order are nearly sorted (in_order.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/in_order.cuh"

namespace sortlab::msd_gpu {

/// The 32 bits of a key from bit `bits` downwards, left-aligned if `bits` is less than 32.
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

/// Sorts a bucket of evenly distributed keys; returns false, having written nothing to global memory, if they are
/// skewed.
template <class Word, class V, int kBlockThreads, int kItems, class Source>
__device__ bool sort_even(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                          const BucketStage<Word, V, kBlockThreads, kItems>& stage, BucketShared& shared) {
  using Stage = BucketStage<Word, V, kBlockThreads, kItems>;
  const std::uint32_t count = bucket.count;
  const int thread = opaque_thread();
  const bool maps = arrays.order.flip != 0;  // any mapping that changes keys inverts some bit of all keys
  const auto position = [&](int i) { return thread + i * kBlockThreads; };
  const auto has = [&](int i) { return position(i) < static_cast<int>(count); };
  const auto past_end = [&](int i) { return i * kBlockThreads >= static_cast<int>(count); };
  const Word* const keys_in = arrays.keys_on(bucket.buffer) + source.begin;
  const V* const values_in = arrays.values_on(bucket.buffer) + source.begin;
  const typename Source::template Places<kBlockThreads, kItems> places{source, thread, count};
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
    if (places.is_past_end(i)) break;
    if (places.has(i)) keys[i] = keys_in[places[i]];
  }
  Word first = keys_in[source.at(0)];
#pragma unroll
  for (int b = 0; b < static_cast<int>(Stage::kBins); b += kBlockThreads) stage.bins[b + thread] = 0;
  if (maps) {
    first = arrays.order.ordered(first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (places.is_past_end(i)) break;
      keys[i] = arrays.order.ordered(keys[i]);
    }
  }
  __syncthreads();
  // Take 32 bits of each key, from the highest bit in which any two differ, and their range.
  int bits = 32;
  if constexpr (sizeof(Word) > 4) {
    Word differ = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (places.is_past_end(i)) break;
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
      if (places.is_past_end(i)) break;
      if (!places.has(i)) continue;
      const std::uint32_t upper = upper_bits(keys[i], bits);
      lowest = min(lowest, upper);
      highest = max(highest, upper);
    }
    lowest = ~warp_max(~lowest);
    highest = warp_max(highest);
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
  // Rounded down by more than the rounding error of a float, so that the last bin is never exceeded.
  const auto scale = static_cast<std::uint32_t>(static_cast<float>(Stage::kBins) * (0x1p32F - 0x1p12F) /
                                                (static_cast<float>(range << shift) + 256));
  // No bin holds two different keys: there are twice as many bins as values.
  const bool exact = bits < Stage::kBinBits || (bits <= 32 && range < Stage::kBins / 2);

  if (!exact) {
    // Four samples of 32 keys, spread over the bucket since neighbouring keys may share a digit: if many of them fall
    // into one of 32 parts of the range, the bucket is skewed and not sorted here.
    constexpr int kApart = kBlockThreads / static_cast<int>(kWarp);
    if (thread % kApart == 0) {
#pragma unroll
      for (std::uint32_t r = 0; r < kEvennessSamples; ++r) {
        constexpr int kLastItem = kItems - 1;
        const int i = static_cast<int>(r) * kLastItem / (static_cast<int>(kEvennessSamples) - 1);
        const auto lane = static_cast<std::uint32_t>(thread / kApart);
        shared.parts[(lane + r) % kEvennessSamples][lane] = places.has(i)
                                                                ? (upper_bits(keys[i], bits) - low) << shift >> 27
                                                                : kWarp + static_cast<std::uint32_t>(thread);
      }
    }
    __syncthreads();
    bool is_uneven = false;
    if (threadIdx.x < kEvennessSamples * kWarp) {
      const std::uint32_t alike = __match_any_sync(kAllLanes, shared.parts[threadIdx.x / kWarp][threadIdx.x % kWarp]);
      is_uneven = __any_sync(kAllLanes, static_cast<std::uint32_t>(__popc(alike)) >= kSkewedPartKeys) != 0;
    }
    if (static_cast<std::uint32_t>(__syncthreads_count(is_uneven)) > kEvennessSamples / 2 * kWarp) return false;
  }

  std::uint32_t slots[kItems];  // slot of the key's bin; from bit 16 on, its rank in the bin
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.is_past_end(i)) break;
    if (!places.has(i)) continue;
    const std::uint32_t slot = Stage::slot(__umulhi((upper_bits(keys[i], bits) - low) << shift, scale));
    slots[i] = slot | atomicAdd(stage.bins + slot, 1U) << 16;
  }
  __syncthreads();
  std::uint32_t mine = 0, largest_bin = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < Stage::kPerThread; ++k) {
    const std::uint32_t keys_of_bin = stage.bins[Stage::slot(threadIdx.x * Stage::kPerThread + k)];
    mine += keys_of_bin;
    largest_bin = max(largest_bin, keys_of_bin);
  }
  std::uint32_t all;
  const std::uint32_t begin = exclusive_sum(mine, all, shared.warps);
  std::uint32_t before = begin;
#pragma unroll
  for (std::uint32_t k = 0; k < Stage::kPerThread; ++k) {
    std::uint32_t& bin = stage.bins[Stage::slot(threadIdx.x * Stage::kPerThread + k)];
    const std::uint32_t keys_of_bin = bin;
    bin = before;
    before += keys_of_bin;
  }
  if (__syncthreads_or(!exact && (largest_bin > kMaxKeysPerBin || mine > kMaxThreadKeys)) != 0) return false;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.is_past_end(i)) break;
    if (!places.has(i)) continue;
    const std::uint32_t place = stage.bins[slots[i] & 0xFFFF] + (slots[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[places[i]];
  }
  __syncthreads();
  if (!exact) {
    bool sorted = false;
    if constexpr (!kHasValue<V>) {
      // The bins of a warp's threads are contiguous.
      const std::uint32_t warp_begin = __shfl_sync(kAllLanes, begin, 0);
      sorted = sort_in_lanes(stage, warp_begin, warp_begin + warp_sum(mine), warp_max(largest_bin));
    }
    if (!sorted) sort_by_insertion(stage, begin, begin + mine);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (past_end(i)) break;
    if (!has(i)) continue;
    keys_out[position(i)] = restored(stage.keys[position(i)]);
    if constexpr (kHasValue<V>) values_out[position(i)] = stage.values[position(i)];
  }
  return true;
}

}  // namespace sortlab::msd_gpu
