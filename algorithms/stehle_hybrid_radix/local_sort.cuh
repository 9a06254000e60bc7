// Sorts the buckets of a size class in shared memory, a block each, on the bits that are left (section 4.1): by CUB's
// LSD radix sort of a block, as in the paper; or by ranks, and by that sort where ranks would cost too many
// comparisons.
#pragma once

#include <cub/block/block_radix_sort.cuh>

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

inline constexpr int kBlockRadixBits = 4;  ///< of a pass of CUB's sort
/// Comparisons a key that the ranked sort makes at most; a bucket that needs more is left to
/// the other.
inline constexpr std::uint32_t kMostComparisons = 24;

/// The list of local buckets, of either width of offset: one kernel serves both.
struct LocalList {
  void* buckets;
  bool wide;

  template <class Offset>
  explicit LocalList(LocalBucket<Offset>* list) : buckets(list), wide(sizeof(Offset) == kWideOffsets) {}

  __device__ LocalBucket<unsigned long long> at(std::uint32_t i) const {
    if (wide) return static_cast<const LocalBucket<unsigned long long>*>(buckets)[i];
    const auto bucket = static_cast<const LocalBucket<std::uint32_t>*>(buckets)[i];
    return {bucket.keys, bucket.count, bucket.digits};
  }
  __device__ void leave(std::uint32_t i) const {
    constexpr std::uint32_t left = LocalBucket<std::uint32_t>::kLeft;
    if (wide) {
      static_cast<LocalBucket<unsigned long long>*>(buckets)[i].digits |= left;
    } else {
      static_cast<LocalBucket<std::uint32_t>*>(buckets)[i].digits |= left;
    }
  }
};
using Bucket = LocalBucket<unsigned long long>;

/// A size class of the buckets that a pass listed.
template <class Word, class V>
struct LocalPass {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
  LocalList list;
  PassState* state;
  KeyOrder<Word> in;   ///< maps what is read: the identity where a pass has mapped it
  KeyOrder<Word> out;  ///< maps back
  int shift;           ///< bits below the pass's digit: what is left of a bucket of one digit
  int bits;            ///< of the digit
  int size_class;
  bool only_left;  ///< only what the ranked sort left

  /// Calls `sort(bucket, place in the list)` for each bucket of the class.
  template <class Sort>
  __device__ void for_each_bucket(const Sort& sort) const {
    if (only_left && state->left == 0) return;
    std::uint32_t begin = 0;
    for (int c = 0; c < size_class; ++c) begin += state->local[c];
    const auto wanted = [&](std::uint32_t i) { return !only_left || list.at(begin + i).is_left(); };
    for_each_wanted(state->local[size_class], wanted, [&](std::uint32_t i) { sort(list.at(begin + i), begin + i); });
  }
};

template <class Word, class V, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads) sort_by_block_radix(LocalPass<Word, V> pass) {
  using Value = std::conditional_t<kHasValue<V>, V, cub::NullType>;
  using Sort = cub::BlockRadixSort<Word, kThreads, kItems, Value, kBlockRadixBits>;
  __shared__ typename Sort::TempStorage storage;
  pass.for_each_bucket([&](const Bucket& bucket, std::uint32_t) {
    const int bits = bucket.digit_count() == 1 ? pass.shift : pass.shift + pass.bits;
    // What fills up the block comes after all keys, and is as good as they are where the bits that are left tie.
    constexpr int width = 8 * sizeof(Word);
    const Word last =
        pass.in.ordered(pass.keys[bucket.keys]) | static_cast<Word>(bits >= width ? ~Word{0} : (Word{1} << bits) - 1);
    Word keys[kItems];
    [[maybe_unused]] Value values[kItems];
    // Where there are values, what is missing must come after the last key, and so be the last of the block.
    const auto place = [&](int i) { return kHasValue<V> ? threadIdx.x * kItems + i : threadIdx.x + i * kThreads; };
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const bool is_key = place(i) < bucket.count;
      keys[i] = is_key ? pass.in.ordered(pass.keys[bucket.keys + place(i)]) : last;
      if constexpr (kHasValue<V>) {
        if (is_key) values[i] = pass.values[bucket.keys + place(i)];
      }
    }
    if constexpr (kHasValue<V>) {
      Sort{storage}.SortBlockedToStriped(keys, values, 0, bits);
    } else {
      Sort{storage}.SortBlockedToStriped(keys, 0, bits);
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t at = threadIdx.x + i * kThreads;
      if (at >= bucket.count) continue;
      pass.keys_out[bucket.keys + at] = pass.out.restored(keys[i]);
      if constexpr (kHasValue<V>) pass.values_out[bucket.keys + at] = values[i];
    }
    __syncthreads();
  });
}

/// Bins of the ranked sort of a block of so many keys: about as many.
template <std::uint32_t block_keys>
inline constexpr int kBinBitsOf = 1 + kBinBitsOf<block_keys / 2>;
template <>
inline constexpr int kBinBitsOf<1> = 0;
/// Where a bin's counter lies: threads that each go through a power of two of counters in a row meet in no bank.
__host__ __device__ constexpr std::uint32_t padded(std::uint32_t bin) {
  return bin + bin / kWarp;
}
template <class Word, class V, int kThreads, int kItems>
constexpr std::uint32_t ranked_bytes() {
  constexpr std::uint32_t keys = kThreads * kItems;
  constexpr std::uint32_t value_bytes = kHasValue<V> ? sizeof(V) : 0;
  return keys * (sizeof(Word) + value_bytes) + (padded(1U << kBinBitsOf<keys>) + 1) * 4;
}

/// One partition by the highest bits that are left into about as many bins as keys, then each key's rank among the few
/// of its bin.
template <class Word, class V, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads, 1536 / kThreads) sort_by_rank(LocalPass<Word, V> pass) {
  constexpr std::uint32_t kKeys = kThreads * kItems;
  constexpr int kBinBits = kBinBitsOf<kKeys>;
  constexpr std::uint32_t kBins = 1U << kBinBits, kBinsOfThread = (kBins + kThreads - 1) / kThreads;
  extern __shared__ uint4 shared[];
  __shared__ unsigned long long warps[kThreads / kWarp];
  auto* const keys_of_block = reinterpret_cast<Word*>(shared);
  auto* const values_of_block = reinterpret_cast<V*>(keys_of_block + kKeys);
  auto* const bins = reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) +
                                                      kKeys * (sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0)));
  constexpr int width = 8 * sizeof(Word);
  pass.for_each_bucket([&](const Bucket& bucket, std::uint32_t listed_at) {
    for (std::uint32_t at = threadIdx.x; at <= padded(kBins); at += kThreads) bins[at] = 0;
    // Of the bits from the digit on, what the first digit makes of them is 0, and what the last one does sets how many
    // there are.
    const int all_bits = pass.shift + pass.bits;
    const Word mask = all_bits >= width ? static_cast<Word>(~Word{0}) : static_cast<Word>((Word{1} << all_bits) - 1);
    const Word least = pass.shift >= width ? Word{0} : static_cast<Word>(Word{bucket.first_digit()} << pass.shift);
    const int digit_bits = 32 - __clz(bucket.digit_count() - 1);
    const int bin_shift = max(0, pass.shift + digit_bits - kBinBits);
    const auto bin_of = [&](Word key) {
      return static_cast<std::uint32_t>(static_cast<Word>((key & mask) - least) >> bin_shift);
    };

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
        ranks[i] = static_cast<std::uint16_t>(atomicAdd(bins + padded(bin_of(keys[i])), 1U));
      }
    }
    __syncthreads();

    // Keys in the low half, comparisons in the high one: one sum for both.
    unsigned long long mine = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kBinsOfThread; ++i) {
      const std::uint32_t bin = threadIdx.x * kBinsOfThread + i;
      const std::uint32_t count = bin < kBins ? bins[padded(bin)] : 0;
      mine += count | static_cast<unsigned long long>(count * (count - 1)) << 32;
    }
    unsigned long long all;
    auto before = static_cast<std::uint32_t>(exclusive_sum(mine, all, warps));
    if (bin_shift > 0 && all >> 32 > kMostComparisons * bucket.count) {
      if (threadIdx.x == 0) {
        pass.list.leave(listed_at);
        atomicAdd(&pass.state->left, 1U);
      }
      return;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kBinsOfThread; ++i) {
      const std::uint32_t bin = threadIdx.x * kBinsOfThread + i;
      if (bin >= kBins) break;
      const std::uint32_t count = bins[padded(bin)];
      bins[padded(bin)] = before;
      before += count;
    }
    if (threadIdx.x == 0) bins[padded(kBins)] = bucket.count;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t at = threadIdx.x + i * kThreads;
      if (at >= bucket.count) continue;
      const std::uint32_t place = bins[padded(bin_of(keys[i]))] + ranks[i];
      keys_of_block[place] = keys[i];
      if constexpr (kHasValue<V>) values_of_block[place] = pass.values[bucket.keys + at];
    }
    __syncthreads();
    for (std::uint32_t place = threadIdx.x; place < bucket.count; place += kThreads) {
      const Word key = keys_of_block[place];
      std::uint32_t to = place;
      if (bin_shift > 0) {
        const std::uint32_t bin = bin_of(key);
        const std::uint32_t end = bins[padded(bin + 1)];
        to = bins[padded(bin)];
        for (std::uint32_t other = to; other < end; ++other) {
          const Word compared = keys_of_block[other];
          to += compared < key || (compared == key && other < place) ? 1 : 0;
        }
      }
      pass.keys_out[bucket.keys + to] = pass.out.restored(key);
      if constexpr (kHasValue<V>) pass.values_out[bucket.keys + to] = values_of_block[place];
    }
    __syncthreads();
  });
}

}  // namespace sortlab::hybrid_radix
