// Sorts a bucket of skewed keys with one block, by bins between the keys of a sample of its own (sampled.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/bucket_stage.cuh"

namespace sortlab::msd_gpu {

/// Sorts a bucket of skewed keys.
template <class Word, class V, int kBlockThreads, int kItems, class Source>
__device__ void sort_sampled(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                             const BucketStage<Word, V, kBlockThreads, kItems>& stage, BucketShared& shared) {
  using Sample = typename BucketStage<Word, V, kBlockThreads, kItems>::Sample;
  const Sample sample{stage.bins};
  const std::uint32_t count = bucket.count;
  const auto thread = static_cast<std::uint32_t>(opaque_thread());
  const Word* const keys_in = arrays.keys_on(bucket.buffer) + source.begin;
  const V* const values_in = arrays.values_on(bucket.buffer) + source.begin;
  const typename Source::template Places<kBlockThreads, kItems> places{source, static_cast<int>(thread), count};

  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i] = places.has(i) ? arrays.order.ordered(keys_in[places[i]]) : Word{0};
  Word drawn[Sample::kPerThread];
#pragma unroll
  for (std::uint32_t r = 0; r < Sample::kPerThread; ++r) {
    const std::uint32_t number = thread * Sample::kPerThread + r;
    drawn[r] = 0;
    if (number < Sample::kKeys) {
      const auto place = static_cast<std::uint32_t>(sample_position(number, Sample::kKeys, count));
      drawn[r] = arrays.order.ordered(keys_in[source.at(place)]);
    }
  }
  for (std::uint32_t b = thread; b < Sample::kBins; b += kBlockThreads) sample.bins[b] = 0;
  sort_sample<Sample::kKeys>(drawn, sample.exchange);
#pragma unroll
  for (std::uint32_t r = 0; r < Sample::kPerThread; ++r) {
    const std::uint32_t number = thread * Sample::kPerThread + r + 1;
    if (number < Sample::kKeys) sample.tree[tree_index(number, Sample::kKeys)] = drawn[r];
    if (number <= Sample::kKeys) sample.sorted[number] = number < Sample::kKeys ? drawn[r] : 0;
  }
  if (threadIdx.x == 0) sample.sorted[0] = 0;
  __syncthreads();

  std::uint32_t bins[kItems];                           // bin and flags of a key; from bit 16 on, its rank in the bin
  std::uint32_t words[Sample::kHasWords ? kItems : 1];  // comparison word of a key within its bin
  constexpr int kTogether = 5;                          // interleaved searches per thread
#pragma unroll
  for (int from = 0; from < kItems; from += kTogether) {
    if (places.is_past_end(from)) break;
    std::uint32_t at[kTogether];  // byte offset in the tree
#pragma unroll
    for (int k = 0; k < kTogether; ++k) at[k] = sizeof(Word);
    const auto* const tree = reinterpret_cast<const std::byte*>(sample.tree);
#pragma unroll
    for (int step = 0; step < Sample::kSteps; ++step) {
#pragma unroll
      for (int k = 0; k < kTogether && from + k < kItems; ++k) {
        const Word other = *reinterpret_cast<const Word*>(tree + at[k]);
        at[k] = 2 * at[k] + (other <= keys[from + k] ? static_cast<std::uint32_t>(sizeof(Word)) : 0);
      }
    }
#pragma unroll
    for (int k = 0; k < kTogether && from + k < kItems; ++k) {
      const int i = from + k;
      const std::uint32_t gap = at[k] / static_cast<std::uint32_t>(sizeof(Word)) - Sample::kKeys;
      const Word lower = sample.sorted[gap];
      bins[i] = gap * Sample::kBinsPerGap;
      if constexpr (Sample::kHasWords) words[i] = 0;
      if (keys[i] == lower) {
        bins[i] |= kEqualKeys;
      } else {
        // No distance within the gap has a higher bit than the gap's width minus one.
        const int zeros = leading_zeros(static_cast<Word>(sample.sorted[gap + 1] - lower - 1));
        const auto distance = static_cast<Word>(static_cast<Word>(keys[i] - lower) << zeros);
        const auto word = static_cast<std::uint32_t>(distance >> (8 * sizeof(Word) - 32));
        bins[i] += 1 + (word >> (32 - kSubBits));
        if constexpr (Sample::kHasWords) {
          words[i] = word;
          if (zeros < static_cast<int>(8 * sizeof(Word)) - 32) bins[i] |= kInexact;
        }
      }
    }
#pragma unroll
    for (int k = 0; k < kTogether && from + k < kItems; ++k) {
      const int i = from + k;
      if (places.has(i)) bins[i] |= atomicAdd(sample.bins + (bins[i] & kBinMask), 1U) << 16;
    }
  }
  __syncthreads();
  std::uint32_t mine = 0;
  const auto visit_bins = [&](const auto& visit) {
    if (thread * Sample::kBinsOfThread >= Sample::kBins) return;
#pragma unroll
    for (std::uint32_t k = 0; k < Sample::kBinsOfThread; ++k) visit(sample.bins[thread * Sample::kBinsOfThread + k]);
  };
  visit_bins([&](std::uint32_t keys_of_bin) { mine += keys_of_bin; });
  std::uint32_t all;
  std::uint32_t before = exclusive_sum(mine, all, shared.warps);
  visit_bins([&](std::uint32_t& bin) {
    const std::uint32_t keys_of_bin = bin;
    bin = before;
    before += keys_of_bin;
  });
  if (threadIdx.x == 0) sample.bins[Sample::kBins] = count;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (places.is_past_end(i)) break;
    if (!places.has(i)) continue;
    const std::uint32_t place = sample.bins[bins[i] & kBinMask] + (bins[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[places[i]];
    sample.bin_at[place] = bins[i] & 0xFFFF;
    if constexpr (Sample::kHasWords) sample.words[place] = words[i];
  }
  __syncthreads();
  for (std::uint32_t p = thread; p < count; p += kBlockThreads) {
    const Word key = stage.keys[p];
    const std::uint32_t flags = sample.bin_at[p], bin = flags & kBinMask;
    const std::uint32_t begin = sample.bins[bin], end = sample.bins[bin + 1];
    std::uint32_t place = p;
    if (Sample::kHasWords && (flags & kInexact) != 0) {
      place = begin;
      for (std::uint32_t q = begin; q < end; ++q) {
        if (stage.keys[q] < key || (stage.keys[q] == key && q < p)) ++place;
      }
    } else if ((flags & kEqualKeys) == 0 && end - begin > 1) {
      place = begin;
      const auto count_before = [&](const auto* bin_words) {
        const auto word = bin_words[p];
#pragma unroll 4
        for (std::uint32_t q = begin; q < end; ++q) place += bin_words[q] < word ? 1 : 0;
      };
      if constexpr (Sample::kHasWords) {
        count_before(sample.words);
      } else {
        count_before(stage.keys);
      }
      // Equal keys claim consecutive positions.
      place += atomicAdd(sample.bin_at + place, kOneClaim) / kOneClaim;
    }
    arrays.keys[0][bucket.begin + place] = arrays.order.restored(key);
    if constexpr (kHasValue<V>) arrays.values[0][bucket.begin + place] = stage.values[p];
  }
}

}  // namespace sortlab::msd_gpu
