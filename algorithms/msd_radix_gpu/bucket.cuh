// Sorts a bucket in shared memory, by a block, into the array of the result.
//
// Keys are partitioned by the highest bits in which they differ into about as many bins as there are keys, and a thread
// sorts the few of its bins by insertion. Where a bin is too full for that, keys are partitioned in rounds, each bin
// into as many as it has keys, until none is.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kFullBin = 32;  ///< of more keys: too many for insertion

template <std::uint32_t elements>
inline constexpr int kLog2 = 1 + kLog2<elements / 2>;
template <>
inline constexpr int kLog2<1> = 0;

template <class Word, class V, int kThreadsOf, int kItems>
struct BucketStage {
  static constexpr std::uint32_t kElements = kThreadsOf * kItems;
  static constexpr int kBinBits = kLog2<kElements>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>)+15) / 16 * 16;
  static constexpr std::uint32_t kBytes = kElementBytes + kBins * 4;

  Word* keys;
  V* values;
  std::uint32_t* bins;  ///< of kBins bins the keys, then where each begins

  __device__ explicit BucketStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)) {}
};

/// What the block's threads share beside the stage.
struct BucketShared {
  std::uint32_t warps[kThreads / kWarp];
  unsigned long long differ[2];
};

/// The 32 bits of a key from its bit `bits` downwards, or what it has of them in the highest.
template <class Word>
__device__ std::uint32_t upper_bits(Word key, int bits) {
  constexpr int kWidth = 8 * sizeof(Word);
  if constexpr (kWidth == 32) {
    return key << (kWidth - bits);
  } else if constexpr (kWidth == 64) {
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    return bits > 32 ? __funnelshift_l(low, high, kWidth - bits) : low << (32 - bits);
  } else {
    return static_cast<std::uint32_t>(static_cast<Word>(key << (kWidth - bits)) >> (kWidth - 32));
  }
}

/// Sorts the stage's elements in [begin, end) by insertion, by one thread.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ void sort_by_insertion(const BucketStage<Word, V, kThreadsOf, kItems>& stage, std::uint32_t begin,
                                  std::uint32_t end) {
  if (end - begin < 2) return;
  Word last = stage.keys[begin];
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    const Word key = stage.keys[i];
    if (key >= last) {
      last = key;
      continue;
    }
    V value;
    if constexpr (kHasValue<V>) value = stage.values[i];
    std::uint32_t to = i;
    do {
      stage.keys[to] = stage.keys[to - 1];
      if constexpr (kHasValue<V>) stage.values[to] = stage.values[to - 1];
      --to;
    } while (to > begin && stage.keys[to - 1] > key);
    stage.keys[to] = key;
    if constexpr (kHasValue<V>) stage.values[to] = value;
  }
}

/// Sixteen-bit counters, two a word.
struct PackedCounters {
  std::uint32_t* words;

  __device__ std::uint32_t at(std::uint32_t i) const { return words[i / 2] >> i % 2 * 16 & 0xFFFF; }
  __device__ std::uint32_t add(std::uint32_t i) const {
    return atomicAdd(words + i / 2, 1U << i % 2 * 16) >> i % 2 * 16 & 0xFFFF;
  }
};

/// Partitions the bins that are too full, each into as many as it has keys, and ranks the keys in theirs. A bin that
/// begins at place p with c keys takes the counters from p to p + c, so that their sums are the places of its parts.
/// Leaves the stage sorted. Keys a thread's, in their order, at threadIdx.x + i * kThreadsOf of the bucket.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ void sort_in_rounds(const Word* keys, const V* values_in, std::uint32_t count, int bits,
                               const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  using Stage = BucketStage<Word, V, kThreadsOf, kItems>;
  static_assert(Stage::kElements <= 2 * Stage::kBins && Stage::kElements <= 0x4000);
  constexpr std::uint32_t kWords = (Stage::kElements + 1) / 2, kOfThread = (kWords + kThreadsOf - 1) / kThreadsOf;
  const PackedCounters counters{stage.bins};
  // Of a key: where its bin begins, and from bit 16 on how many keys that has. In the place of the stage, until that
  // takes the keys.
  auto* const found = reinterpret_cast<std::uint32_t*>(stage.keys);
  const auto place_of = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreadsOf; };
  const auto has = [&](int i) { return place_of(i) < count; };
  std::uint8_t left[kItems];  // bits of the key that its bin does not say
  std::uint16_t ranks[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    left[i] = static_cast<std::uint8_t>(bits);
    if (has(i)) found[place_of(i)] = count << 16;
  }
  bool again = true;
  while (again) {
    for (std::uint32_t w = threadIdx.x; w < kWords; w += kThreadsOf) counters.words[w] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!has(i)) continue;
      const std::uint32_t begin = found[place_of(i)] & 0xFFFF, size = found[place_of(i)] >> 16;
      std::uint32_t counter = begin;
      if (size > kFullBin && left[i] > 0) {
        const int taken = min(31 - __clz(static_cast<int>(size)), static_cast<int>(left[i]));
        left[i] = static_cast<std::uint8_t>(left[i] - taken);
        counter += static_cast<std::uint32_t>(keys[i] >> left[i]) & ((1U << taken) - 1);
      }
      ranks[i] = static_cast<std::uint16_t>(counters.add(counter));
      found[place_of(i)] = counter;
    }
    __syncthreads();
    std::uint32_t mine = 0;
    for (std::uint32_t w = threadIdx.x * kOfThread; w < min(kWords, (threadIdx.x + 1) * kOfThread); ++w) {
      mine += (counters.words[w] & 0xFFFF) + (counters.words[w] >> 16);
    }
    std::uint32_t all;
    std::uint32_t before = exclusive_sum(mine, all, shared.warps);
    for (std::uint32_t w = threadIdx.x * kOfThread; w < min(kWords, (threadIdx.x + 1) * kOfThread); ++w) {
      const std::uint32_t low = counters.words[w] & 0xFFFF, high = counters.words[w] >> 16;
      counters.words[w] = before | (before + low) << 16;
      before += low + high;
    }
    __syncthreads();
    bool full = false;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!has(i)) continue;
      const std::uint32_t counter = found[place_of(i)], begin = counters.at(counter);
      const std::uint32_t size = (counter + 1 < count ? counters.at(counter + 1) : count) - begin;
      found[place_of(i)] = begin | size << 16;
      full |= size > kFullBin && left[i] > 0;
    }
    again = __syncthreads_or(full) != 0;
  }
  std::uint32_t bins[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) bins[i] = has(i) ? found[place_of(i)] : 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!has(i)) continue;
    const std::uint32_t place = (bins[i] & 0xFFFF) + ranks[i];
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[place_of(i)];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t begin = bins[i] & 0xFFFF;
    if (has(i) && left[i] > 0 && ranks[i] == 0) sort_by_insertion(stage, begin, begin + (bins[i] >> 16));
  }
  __syncthreads();
}

template <class Word, class V, int kThreadsOf, int kItems>
__device__ void sort_bucket(const Arrays<Word, V>& arrays, const Bucket& bucket,
                            const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  using Stage = BucketStage<Word, V, kThreadsOf, kItems>;
  constexpr std::uint32_t kOfThread = Stage::kBins / kThreadsOf;
  const std::uint32_t count = bucket.count;
  const bool maps = arrays.order.flip != 0;  // each order that changes keys inverts some bit of all
  const auto place_of = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreadsOf; };
  const auto has = [&](int i) { return place_of(i) < count; };
  const Word* const keys_in = arrays.keys_on(bucket.side) + bucket.begin;
  const V* const values_in = arrays.values_on(bucket.side) + bucket.begin;
  Word* const keys_out = arrays.keys[0] + bucket.begin;
  V* const values_out = arrays.values[0] + bucket.begin;
  const auto restored = [&](Word key) { return maps ? arrays.order.restored(key) : key; };

  Word keys[kItems];
  if (threadIdx.x < 2) shared.differ[threadIdx.x] = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) keys[i] = keys_in[place_of(i)];
  }
  Word first = keys_in[0];
  for (std::uint32_t b = threadIdx.x; b < Stage::kBins; b += kThreadsOf) stage.bins[b] = 0;
  if (maps) {
    first = arrays.order.ordered(first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) keys[i] = arrays.order.ordered(keys[i]);
  }
  __syncthreads();
  Word differ = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) differ |= keys[i] ^ first;
  }
  or_into(shared.differ, differ);
  __syncthreads();
  const int bits = max(1, bit_length(shared.differ));
  const bool exact = bits <= Stage::kBinBits;
  const int shift = 32 - min(bits, Stage::kBinBits);
  const auto bin_of = [&](std::uint32_t upper) { return upper >> shift; };

  std::uint32_t ranks[(kItems + 1) / 2];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (i % 2 == 0) ranks[i / 2] = 0;
    if (has(i)) ranks[i / 2] |= atomicAdd(stage.bins + bin_of(upper_bits(keys[i], bits)), 1U) << i % 2 * 16;
  }
  __syncthreads();
  std::uint32_t counts[kOfThread];
  std::uint32_t mine = 0, most = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    counts[k] = stage.bins[threadIdx.x * kOfThread + k];
    mine += counts[k];
    most = max(most, counts[k]);
  }
  std::uint32_t all;
  const std::uint32_t begin = exclusive_sum(mine, all, shared.warps);
  std::uint32_t before = begin;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    stage.bins[threadIdx.x * kOfThread + k] = before;
    before += counts[k];
  }
  if (__syncthreads_or(!exact && most > kFullBin) != 0) {
    sort_in_rounds(keys, values_in, count, bits, stage, shared);
  } else {
    const auto put = [&](int i, std::uint32_t place) {
      stage.keys[place] = keys[i];
      if constexpr (kHasValue<V>) stage.values[place] = values_in[place_of(i)];
    };
    const auto rank = [&](int i) { return ranks[i / 2] >> i % 2 * 16 & 0xFFFF; };
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has(i)) put(i, stage.bins[bin_of(upper_bits(keys[i], bits))] + rank(i));
    }
    // A thread that has many keys in its bins would keep the others waiting: then each ranks its own keys instead.
    const bool uneven = __syncthreads_or(mine > kFullBin) != 0;
    if (!exact && !uneven) {
      sort_by_insertion(stage, begin, begin + mine);
      __syncthreads();
    } else if (!exact) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (!has(i)) continue;
        const std::uint32_t bin = bin_of(upper_bits(keys[i], bits)), bin_begin = stage.bins[bin];
        const std::uint32_t bin_end = bin + 1 < Stage::kBins ? stage.bins[bin + 1] : count;
        const std::uint32_t place = bin_begin + rank(i);
        std::uint32_t before_it = 0;
        for (std::uint32_t other = bin_begin; other < bin_end; ++other) {
          const Word compared = stage.keys[other];
          before_it += compared < keys[i] || (compared == keys[i] && other < place) ? 1 : 0;
        }
        ranks[i / 2] += (before_it - rank(i)) << i % 2 * 16;
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (has(i)) put(i, stage.bins[bin_of(upper_bits(keys[i], bits))] + rank(i));
      }
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t place = place_of(i);
    if (place >= count) continue;
    keys_out[place] = restored(stage.keys[place]);
    if constexpr (kHasValue<V>) values_out[place] = stage.values[place];
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
