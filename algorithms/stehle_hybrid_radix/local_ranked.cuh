// Sorts a bucket in shared memory by rank: its keys are partitioned by their highest bits into about as many bins as
// there are keys, and then each key is compared with the few others of its bin. A bucket with overfull bins is left to
// CUB's sort.
#pragma once

#include "algorithms/stehle_hybrid_radix/local_pass.cuh"

namespace sortlab::hybrid_radix {

/// Binary logarithm of the number of bins for `block_keys` keys, which is the largest power of two not above them.
template <std::uint32_t block_keys>
inline constexpr int kLog2Bins = 1 + kLog2Bins<block_keys / 2>;
template <>
inline constexpr int kLog2Bins<1> = 0;

/// Padded index of a counter: threads that each traverse a power of two of consecutive counters have no bank conflicts.
__host__ __device__ constexpr std::uint32_t padded(std::uint32_t counter) {
  return counter + counter / kWarp;
}

/// First partition of the keys, by their highest remaining bits.
template <class Word>
struct Bins {
  Word mask;         ///< mask of the bits from the pass's digit downwards
  Word first_digit;  ///< the bucket's first digit, which is mapped to 0
  int shift;         ///< bits below those that select the bin

  __device__ Bins(const Bucket& bucket, int shift_of_pass, int bits_of_pass, int bin_bits) {
    constexpr int width = 8 * sizeof(Word);
    const int all_bits = shift_of_pass + bits_of_pass;
    mask = all_bits >= width ? static_cast<Word>(~Word{0}) : static_cast<Word>((Word{1} << all_bits) - 1);
    first_digit = shift_of_pass >= width ? Word{0} : static_cast<Word>(Word{bucket.first_digit()} << shift_of_pass);
    const int digit_bits = 32 - __clz(bucket.digit_count() - 1);  // bits by which the bucket's digits differ
    shift = max(0, shift_of_pass + digit_bits - bin_bits);
  }
  __device__ std::uint32_t of(Word key) const {
    return static_cast<std::uint32_t>(static_cast<Word>((key & mask) - first_digit) >> shift);
  }
};

template <class Word, class V, int kThreads, int kItems>
struct RankedStorage {
  static constexpr std::uint32_t kKeys = kThreads * kItems;
  static constexpr int kBinBits = kLog2Bins<kKeys>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kElementBytes = sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0);
  static constexpr std::uint32_t kBytes = kKeys * kElementBytes + (padded(kBins) + 1) * 4;

  Word* keys;
  V* values;
  std::uint32_t* bins;  ///< count, then begin, of each bin; one more entry: the number of keys

  __device__ explicit RankedStorage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kKeys)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kKeys * kElementBytes)) {}
};

/// Turns the counts of kBins bins into their exclusive prefix sums; called by all threads. Returns false if keys that
/// share a bin would need more than `limit` comparisons.
template <int kThreads, std::uint32_t kBins>
__device__ bool sum_bins(std::uint32_t* bins, std::uint64_t limit, unsigned long long* warps) {
  constexpr std::uint32_t kPerThread = (kBins + kThreads - 1) / kThreads;
  // Keys in the low half, comparisons in the high half: one sum for both.
  unsigned long long mine = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < kPerThread; ++i) {
    const std::uint32_t bin = threadIdx.x * kPerThread + i;
    const std::uint32_t count = bin < kBins ? bins[padded(bin)] : 0;
    mine += count | static_cast<unsigned long long>(count * (count - 1)) << 32;
  }
  unsigned long long all;
  auto before = static_cast<std::uint32_t>(exclusive_sum(mine, all, warps));
  if (all >> 32 > limit) return false;
#pragma unroll
  for (std::uint32_t i = 0; i < kPerThread; ++i) {
    const std::uint32_t bin = threadIdx.x * kPerThread + i;
    if (bin >= kBins) break;
    const std::uint32_t count = bins[padded(bin)];
    bins[padded(bin)] = before;
    before += count;
  }
  return true;
}

template <class Word, class V, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads, 1536 / kThreads) sort_by_rank(LocalPass<Word, V> pass) {
  using Storage = RankedStorage<Word, V, kThreads, kItems>;
  extern __shared__ uint4 shared[];
  __shared__ unsigned long long warps[kThreads / kWarp];
  const Storage storage{shared};
  pass.for_each_bucket([&](const Bucket& bucket, std::uint32_t listed_at) {
    const Bins<Word> bins{bucket, pass.shift, pass.bits, Storage::kBinBits};
    const auto bin_begin = [&](std::uint32_t bin) -> std::uint32_t& { return storage.bins[padded(bin)]; };
    for (std::uint32_t at = threadIdx.x; at <= padded(Storage::kBins); at += kThreads) storage.bins[at] = 0;
    Word keys[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t at = threadIdx.x + i * kThreads;
      if (at < bucket.count) keys[i] = pass.in.ordered(pass.keys[bucket.keys + at]);
    }
    __syncthreads();
    std::uint16_t ranks[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (threadIdx.x + i * kThreads < bucket.count) {
        ranks[i] = static_cast<std::uint16_t>(atomicAdd(&bin_begin(bins.of(keys[i])), 1U));
      }
    }
    __syncthreads();
    const std::uint64_t limit =
        bins.shift == 0 ? ~0ULL : std::uint64_t{max_comparisons(pass.bits_left(bucket))} * bucket.count;
    if (!sum_bins<kThreads, Storage::kBins>(storage.bins, limit, warps)) {
      if (threadIdx.x == 0) pass.leave(listed_at);
      return;
    }
    if (threadIdx.x == 0) bin_begin(Storage::kBins) = bucket.count;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t at = threadIdx.x + i * kThreads;
      if (at >= bucket.count) continue;
      const std::uint32_t place = bin_begin(bins.of(keys[i])) + ranks[i];
      storage.keys[place] = keys[i];
      if constexpr (kHasValue<V>) storage.values[place] = pass.values[bucket.keys + at];
    }
    __syncthreads();
    for (std::uint32_t place = threadIdx.x; place < bucket.count; place += kThreads) {
      const Word key = storage.keys[place];
      std::uint32_t to = place;
      if (bins.shift > 0) {
        const std::uint32_t bin = bins.of(key);
        const std::uint32_t end = bin_begin(bin + 1);
        to = bin_begin(bin);
        for (std::uint32_t other = to; other < end; ++other) {
          const Word compared = storage.keys[other];
          to += compared < key || (compared == key && other < place) ? 1 : 0;
        }
      }
      pass.keys_out[bucket.keys + to] = pass.out.restored(key);
      if constexpr (kHasValue<V>) pass.values_out[bucket.keys + to] = storage.values[place];
    }
    __syncthreads();
  });
}

}  // namespace sortlab::hybrid_radix
