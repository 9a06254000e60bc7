// Sorts a bucket in shared memory, by a block, into the array of the result.
//
// In general by rank: keys are partitioned by the highest bits in which they differ into about as many bins as there are
// keys, and each is then compared with the others of its bin. Where bins are too full for that, a bitonic network sorts.
// Keys of 32 bits without values of which few bits are left are counted instead: their counts, four bits each, are
// enough to know where each key goes.
#pragma once

#include "algorithms/common/cuda/bitonic_sort.cuh"
#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

inline constexpr int kCountedBits = 16;               ///< at most, of counters of four bits
inline constexpr std::uint32_t kMostComparisons = 64;  ///< a key, on average: more take longer than the network

template <std::uint32_t elements>
inline constexpr int kLog2 = 1 + kLog2<elements / 2>;
template <>
inline constexpr int kLog2<1> = 0;

template <class Word, class V, int kThreadsOf, int kItems>
struct BucketStage {
  static constexpr std::uint32_t kElements = kThreadsOf * kItems;
  static constexpr bool kCounts = sizeof(Word) == 4 && !kHasValue<V> && kThreadsOf == kThreads;
  static constexpr int kBinBits = kLog2<kElements / 2>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kOfThread = kBins / kThreadsOf;
  static constexpr std::uint32_t kCountWords = kCounts ? (1U << kCountedBits) / 8 : 0;
  static constexpr std::uint32_t kBinBytes = (kBins + 1) * 4;
  static constexpr std::uint32_t kCountBytes = kCountWords * 6;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>) + 15) / 16 * 16;
  static constexpr std::uint32_t kBytes = kElementBytes + (kBinBytes > kCountBytes ? kBinBytes : kCountBytes);

  Word* keys;
  V* values;
  std::uint32_t* bins;      ///< of kBins bins the keys, then where each begins; and one more, where the last ends
  std::uint32_t* counts;    ///< in the place of bins: eight counters a word
  std::uint16_t* prefixes;  ///< of a word of counters: keys before

  __device__ explicit BucketStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)),
        counts(bins),
        prefixes(reinterpret_cast<std::uint16_t*>(counts + kCountWords)) {}

  /// Where of `all` counters, of which each thread sums up as many in a row, one lies: neighbours' lie in other banks.
  template <std::uint32_t all>
  __device__ static std::uint32_t slot(std::uint32_t counter) {
    constexpr std::uint32_t of_thread = all / kThreadsOf;
    return counter % of_thread * kThreadsOf + counter / of_thread;
  }
  __device__ std::uint32_t& bin(std::uint32_t b) const { return bins[b == kBins ? b : slot<kBins>(b)]; }
};

/// What the block's threads share beside the stage.
struct BucketShared {
  unsigned long long warps[kThreads / kWarp];
  unsigned long long differ[2];
};

/// The sum of the eight counters of a word.
__device__ inline std::uint32_t sum_of_counters(std::uint32_t word) {
  const std::uint32_t pairs = (word & 0x0F0F0F0F) + (word >> 4 & 0x0F0F0F0F);
  return pairs * 0x01010101U >> 24;
}

/// By counters of four bits, one for each value of the `left` bits; false, with nothing done, where one overflows. Keys
/// in their order, a thread's i-th at place threadIdx.x + i * blockDim.x.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ bool place_by_counts(const Word* keys, std::uint32_t count, int left,
                                const BucketStage<Word, V, kThreadsOf, kItems>& stage, unsigned long long* warps) {
  using Stage = BucketStage<Word, V, kThreadsOf, kItems>;
  constexpr std::uint32_t kWords = Stage::kCountWords, kOfThread = kWords / kThreadsOf;
  const std::uint32_t mask = (1U << left) - 1;
  const auto slot_of = [](std::uint32_t value) { return Stage::template slot<kWords>(value / 8); };
  const auto has = [&](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreadsOf < count; };
  for (std::uint32_t w = threadIdx.x; w < kWords; w += kThreadsOf) stage.counts[w] = 0;
  __syncthreads();
  std::uint32_t equals[(kItems + 7) / 8] = {};  // of a key: those that were counted before it
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!has(i)) continue;
    const std::uint32_t value = keys[i] & mask, at = value % 8 * 4;
    const std::uint32_t before = atomicAdd(stage.counts + slot_of(value), 1U << at);
    equals[i / 8] |= (before >> at & 0xF) << i % 8 * 4;
  }
  __syncthreads();
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) mine += sum_of_counters(stage.counts[k * kThreadsOf + threadIdx.x]);
  std::uint32_t all;
  std::uint32_t before = exclusive_sum(mine, all, reinterpret_cast<std::uint32_t*>(warps));
  // An overflow takes 15 or 16 from the sum, and adds nothing.
  if (all != count) {
    __syncthreads();
    return false;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t slot = k * kThreadsOf + threadIdx.x;
    stage.prefixes[slot] = static_cast<std::uint16_t>(before);
    before += sum_of_counters(stage.counts[slot]);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!has(i)) continue;
    const std::uint32_t value = keys[i] & mask, slot = slot_of(value);
    const std::uint32_t smaller = stage.counts[slot] & ((1U << value % 8 * 4) - 1);
    const std::uint32_t place =
        stage.prefixes[slot] + sum_of_counters(smaller) + (equals[i / 8] >> i % 8 * 4 & 0xF);
    stage.keys[place] = keys[i];
  }
  __syncthreads();
  return true;
}

template <class Word, class V, int kThreadsOf, int kItems>
__device__ void sort_bucket(const Arrays<Word, V>& arrays, const Bucket& bucket,
                            const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  using Stage = BucketStage<Word, V, kThreadsOf, kItems>;
  constexpr std::uint32_t kOfThread = Stage::kOfThread;
  const auto place_of = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreadsOf; };
  const auto has = [&](int i) { return place_of(i) < bucket.count; };
  const Word* const keys_in = arrays.keys_on(bucket.side) + bucket.begin;
  const V* const values_in = arrays.values_on(bucket.side) + bucket.begin;
  Word* const keys_out = arrays.keys[0] + bucket.begin;
  V* const values_out = arrays.values[0] + bucket.begin;
  const auto write_out = [&] {  // of the stage
    for (std::uint32_t place = threadIdx.x; place < bucket.count; place += kThreadsOf) {
      keys_out[place] = arrays.order.restored(stage.keys[place]);
      if constexpr (kHasValue<V>) values_out[place] = stage.values[place];
    }
  };

  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) keys[i] = keys_in[place_of(i)];
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i] = arrays.order.ordered(keys[i]);
  if constexpr (Stage::kCounts) {
    if (bucket.left > Stage::kBinBits && bucket.left <= kCountedBits &&
        place_by_counts(keys, bucket.count, bucket.left, stage, shared.warps)) {
      write_out();
      return;
    }
  }

  // The bits in which keys differ, and no more than are left, tell the bins.
  if (threadIdx.x < 2) shared.differ[threadIdx.x] = 0;
  for (std::uint32_t b = threadIdx.x; b <= Stage::kBins; b += kThreadsOf) stage.bins[b] = 0;
  __syncthreads();
  const Word first = arrays.order.ordered(keys_in[0]);
  Word differ = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) differ |= keys[i] ^ first;
  }
  or_into(shared.differ, differ);
  __syncthreads();
  const int bits = bit_length(shared.differ);
  const int shift = max(0, bits - Stage::kBinBits);
  const Word mask = bits >= static_cast<int>(8 * sizeof(Word)) ? static_cast<Word>(~Word{0})
                                                               : static_cast<Word>((Word{1} << bits) - 1);
  const auto bin_of = [&](Word key) { return static_cast<std::uint32_t>((key & mask) >> shift); };

  std::uint32_t ranks[(kItems + 1) / 2] = {};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) ranks[i / 2] |= atomicAdd(&stage.bin(bin_of(keys[i])), 1U) << i % 2 * 16;
  }
  __syncthreads();
  // Keys in the low half, comparisons in the high one: one sum for both.
  unsigned long long mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t count = stage.bins[k * kThreadsOf + threadIdx.x];
    mine += count | static_cast<unsigned long long>(count * (count - 1)) << 32;
  }
  unsigned long long all;
  auto before = static_cast<std::uint32_t>(exclusive_sum(mine, all, shared.warps));
  const bool ranked = shift > 0 && all >> 32 <= std::uint64_t{kMostComparisons} * bucket.count;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    std::uint32_t& bin = stage.bins[k * kThreadsOf + threadIdx.x];
    const std::uint32_t count = bin;
    bin = before;
    before += count;
  }
  if (threadIdx.x == 0) stage.bin(Stage::kBins) = bucket.count;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!has(i)) continue;
    const std::uint32_t place = stage.bin(bin_of(keys[i])) + (ranks[i / 2] >> i % 2 * 16 & 0xFFFF);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[place_of(i)];
  }
  __syncthreads();
  if (!ranked) {
    if (shift > 0) bitonic_sort(stage.keys, stage.values, bucket.count);
    write_out();
    return;
  }
  for (std::uint32_t place = threadIdx.x; place < bucket.count; place += kThreadsOf) {
    const Word key = stage.keys[place];
    const std::uint32_t bin = bin_of(key), end = stage.bin(bin + 1);
    std::uint32_t to = stage.bin(bin);
    for (std::uint32_t other = to; other < end; ++other) {
      const Word compared = stage.keys[other];
      to += compared < key || (compared == key && other < place) ? 1 : 0;
    }
    keys_out[to] = arrays.order.restored(key);
    if constexpr (kHasValue<V>) values_out[to] = stage.values[place];
  }
}

template <class Word, class V, int size_class>
struct ClassOf {
  static constexpr Shape kShape = class_shape(size_class, sizeof(Word), kValueBytes<V>);
  using Stage = BucketStage<Word, V, kShape.threads, kShape.items>;
};

/// The buckets of a size class.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads,
                                  kBlocks* kThreads / ClassOf<Word, V, size_class>::kShape.threads)
    sort_buckets(Arrays<Word, V> arrays, Lists lists) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->buckets[size_class];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    sort_bucket(arrays, lists.buckets_of(size_class)[b], stage, shared);
    __syncthreads();
  }
}

/// So few keys that one block sorts them.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads,
                                  kBlocks* kThreads / ClassOf<Word, V, size_class>::kShape.threads)
    sort_few(Arrays<Word, V> arrays, std::uint32_t n) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  sort_bucket(arrays, Bucket{.begin = 0, .count = n, .left = 8 * sizeof(Word), .side = 0},
              typename ClassOf<Word, V, size_class>::Stage{shared_bytes}, shared);
}

}  // namespace sortlab::msd_gpu
