// Sorts a bucket in shared memory, by a block, into the array of the result.
//
// The range of the keys is cut into about as many bins as there are keys. Keys alone are then nearly in order, and a
// warp compares neighbours in registers until they are; pairs are sorted by insertion, a thread a few bins. Where a bin
// would have too many, the bucket is uneven, and is cut by a sample of its own instead (sampled.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/sampled.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V, int kThreadsOf, int kItems>
struct BucketStage {
  static constexpr int kThreads = kThreadsOf;
  static constexpr std::uint32_t kElements = kThreadsOf * kItems;
  static constexpr int kBinBits = kLog2<kElements>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>)+15) / 16 * 16;
  using Sample = SampleStage<Word, kThreadsOf, kBins / 16, kElements>;
  static constexpr std::uint32_t kBytes = kElementBytes + std::max(kBins * 4, Sample::kBytes);
  Word* keys;
  V* values;
  std::uint32_t* bins;  ///< of kBins bins the keys, then where each begins

  __device__ explicit BucketStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)) {}

  /// Bins of a thread. They are in a row, and threads side by side sum theirs up: where each would read the first of
  /// its bins, all would meet in a few banks; so the bins of a thread are permuted.
  static constexpr std::uint32_t kOfThread = kBins / kThreadsOf;
  __device__ static std::uint32_t slot(std::uint32_t bin) { return bin ^ (bin / kWarp & (kOfThread - 1)); }
  static_assert(kOfThread <= kWarp);
};

/// What the block's threads share beside the stage.
struct BucketShared {
  std::uint32_t warps[kMostThreads / kWarp];
  unsigned long long differ[2];
  std::uint32_t low, high;            ///< of the keys' upper bits
  std::uint32_t parts[kRows][kWarp];  ///< of their range, in which some keys lie
};

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

/// Keys of a warp, some of which each lane holds in a row: an odd number, so that lanes side by side read and write in
/// different banks.
template <class Word, int kOfLane>
struct WarpKeys {
  static_assert(kOfLane % 2 == 1);
  static constexpr std::uint32_t kMost = kWarp * kOfLane;
  Word keys[kOfLane];

  /// Compares neighbours, each pair once (odd-even transposition).
  __device__ void compare_neighbours() {
#pragma unroll
    for (int k = 0; k + 1 < kOfLane; k += 2) compare(k);
#pragma unroll
    for (int k = 1; k + 1 < kOfLane; k += 2) compare(k);
    constexpr int kLast = kOfLane - 1;
    const std::uint32_t lane = threadIdx.x % kWarp;
    const Word next = key_of_lane(keys[0], 1), previous = key_of_lane(keys[kLast], -1);
    if (lane + 1 < kWarp && next < keys[kLast]) keys[kLast] = next;
    if (lane > 0 && keys[0] < previous) keys[0] = previous;
  }
  __device__ bool is_sorted() const {
    bool sorted = key_of_lane(keys[0], 1) >= keys[kOfLane - 1] || threadIdx.x % kWarp + 1 == kWarp;
#pragma unroll
    for (int k = 0; k + 1 < kOfLane; ++k) sorted = sorted && keys[k] <= keys[k + 1];
    return __all_sync(kAllLanes, sorted) != 0;
  }

 private:
  __device__ void compare(int k) {
    const Word first = keys[k], second = keys[k + 1];
    keys[k] = second < first ? second : first;
    keys[k + 1] = second < first ? first : second;
  }
  /// Of the lane after or before, if there is one.
  __device__ static Word key_of_lane(Word key, int from_own) {
    const auto of_lane = [&](auto word) {
      return from_own > 0 ? __shfl_down_sync(kAllLanes, word, 1) : __shfl_up_sync(kAllLanes, word, 1);
    };
    if constexpr (sizeof(Word) <= 8) {
      return of_lane(key);
    } else {
      return static_cast<Word>(of_lane(half_of(key, 1))) << 64 | of_lane(half_of(key, 0));
    }
  }
};

/// Sorts the stage's keys in [begin, end), which lie in bins of at most `most`, by a warp in registers. False where its
/// lanes cannot hold them.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ bool sort_in_lanes(const BucketStage<Word, V, kThreadsOf, kItems>& stage, std::uint32_t begin,
                              std::uint32_t end, std::uint32_t most) {
  constexpr int kOfLane = (kItems + 2) | 1;
  WarpKeys<Word, kOfLane> warp;
  if (end - begin > warp.kMost) return false;
  if (most < 2) return true;
  const std::uint32_t own = begin + threadIdx.x % kWarp * kOfLane;
  const int have = static_cast<int>(end) - static_cast<int>(own);
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    warp.keys[k] = k < have ? stage.keys[own + k] : static_cast<Word>(~Word{0});  // stays behind all others
  }
  for (std::uint32_t passes = most / 2; passes > 1; --passes) warp.compare_neighbours();
  do {
    warp.compare_neighbours();
  } while (!warp.is_sorted());
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    if (k < have) stage.keys[own + k] = warp.keys[k];
  }
  return true;
}

/// Where a bucket's elements are read from: one after the other.
struct InRow {
  unsigned long long begin;

  __device__ std::uint32_t at(std::uint32_t place) const { return place; }
  template <int kThreadsOf, int kItems>
  struct Places {
    int thread;
    __device__ Places(const InRow&, int of_thread, std::uint32_t) : thread(of_thread) {}
    __device__ int operator[](int i) const { return thread + i * kThreadsOf; }
  };
};

/// Sorts a bucket whose keys lie unevenly.
template <class Word, class V, int kThreadsOf, int kItems, class Source>
__device__ void sort_sampled(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                             const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  using Sample = typename BucketStage<Word, V, kThreadsOf, kItems>::Sample;
  const Sample sample{stage.bins};
  const std::uint32_t count = bucket.count;
  const auto thread = static_cast<std::uint32_t>(own_thread());
  const auto place_of = [&](int i) { return thread + static_cast<std::uint32_t>(i) * kThreadsOf; };
  const auto has = [&](int i) { return place_of(i) < count; };
  const auto nobody = [&](int i) { return static_cast<std::uint32_t>(i) * kThreadsOf >= count; };
  const Word* const keys_in = arrays.keys_on(bucket.side) + source.begin;
  const V* const values_in = arrays.values_on(bucket.side) + source.begin;
  const typename Source::template Places<kThreadsOf, kItems> places{source, static_cast<int>(thread), count};

  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i] = has(i) ? arrays.order.ordered(keys_in[places[i]]) : Word{0};
  Word drawn[Sample::kOfThread];
#pragma unroll
  for (std::uint32_t r = 0; r < Sample::kOfThread; ++r) {
    const std::uint32_t number = thread * Sample::kOfThread + r;
    drawn[r] = 0;
    if (number < Sample::kKeys) {
      const auto place = static_cast<std::uint32_t>(place_of_sample(number, Sample::kKeys, count));
      drawn[r] = arrays.order.ordered(keys_in[source.at(place)]);
    }
  }
  for (std::uint32_t b = thread; b < Sample::kBins; b += kThreadsOf) sample.bins[b] = 0;
  sort_sample<Sample::kKeys>(drawn, sample.exchange);
#pragma unroll
  for (std::uint32_t r = 0; r < Sample::kOfThread; ++r) {
    const std::uint32_t number = thread * Sample::kOfThread + r + 1;
    if (number < Sample::kKeys) sample.tree[place_in_tree(number, Sample::kKeys)] = drawn[r];
    if (number <= Sample::kKeys) sample.sorted[number] = number < Sample::kKeys ? drawn[r] : 0;
  }
  if (threadIdx.x == 0) sample.sorted[0] = 0;
  __syncthreads();

  std::uint32_t bins[kItems];                           // of a key, and flags; from bit 16 on, how many came before it
  std::uint32_t words[Sample::kHasWords ? kItems : 1];  // that the key is compared by in its bin
  constexpr int kTogether = 5;                          // searches of a thread
#pragma unroll
  for (int from = 0; from < kItems; from += kTogether) {
    if (static_cast<std::uint32_t>(from) * kThreadsOf >= count) break;
    std::uint32_t at[kTogether];  // bytes from the tree's begin
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
      const std::uint32_t gap = at[k] / sizeof(Word) - Sample::kKeys;
      const Word lower = sample.sorted[gap];
      bins[i] = gap * Sample::kOfGap;
      if constexpr (Sample::kHasWords) words[i] = 0;
      if (keys[i] == lower) {
        bins[i] |= kOfEqual;
      } else {
        // No distance of a key of the gap has a higher bit than the gap's width less one.
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
      if (has(i)) bins[i] |= atomicAdd(sample.bins + (bins[i] & kBinMask), 1U) << 16;
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
    if (nobody(i)) break;
    if (!has(i)) continue;
    const std::uint32_t place = sample.bins[bins[i] & kBinMask] + (bins[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[places[i]];
    sample.of_place[place] = bins[i] & 0xFFFF;
    if constexpr (Sample::kHasWords) sample.words[place] = words[i];
  }
  __syncthreads();
  for (std::uint32_t p = thread; p < count; p += kThreadsOf) {
    const Word key = stage.keys[p];
    const std::uint32_t flags = sample.of_place[p], bin = flags & kBinMask;
    const std::uint32_t begin = sample.bins[bin], end = sample.bins[bin + 1];
    std::uint32_t place = p;
    if (Sample::kHasWords && (flags & kInexact) != 0) {
      place = begin;
      for (std::uint32_t q = begin; q < end; ++q) {
        if (stage.keys[q] < key || (stage.keys[q] == key && q < p)) ++place;
      }
    } else if ((flags & kOfEqual) == 0 && end - begin > 1) {
      place = begin;
      const auto count_before = [&](const auto* words_of_bin) {
        const auto word = words_of_bin[p];
#pragma unroll 4
        for (std::uint32_t q = begin; q < end; ++q) place += words_of_bin[q] < word ? 1 : 0;
      };
      if constexpr (Sample::kHasWords) {
        count_before(sample.words);
      } else {
        count_before(stage.keys);
      }
      // Equal keys claim the next place one after the other.
      place += atomicAdd(sample.of_place + place, kOneClaim) / kOneClaim;
    }
    arrays.keys[0][bucket.begin + place] = arrays.order.restored(key);
    if constexpr (kHasValue<V>) arrays.values[0][bucket.begin + place] = stage.values[p];
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
    if (nobody(i)) break;
    if (has(i)) keys[i] = keys_in[places[i]];
  }
  Word first = keys_in[source.at(0)];
#pragma unroll
  for (int b = 0; b < static_cast<int>(Stage::kBins); b += kThreadsOf) stage.bins[b + thread] = 0;
  if (maps) {
    first = arrays.order.ordered(first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (nobody(i)) break;
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
      if (nobody(i)) break;
      if (has(i)) differ |= keys[i] ^ first;
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
      if (nobody(i)) break;
      if (!has(i)) continue;
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
        shared.parts[(lane + r) % kRows][lane] =
            has(i) ? (upper_bits(keys[i], bits) - low) << shift >> 27 : kWarp + static_cast<std::uint32_t>(thread);
      }
    }
    __syncthreads();
    bool is_uneven = false;
    if (threadIdx.x < kRows * kWarp) {
      const std::uint32_t alike = __match_any_sync(kAllLanes, shared.parts[threadIdx.x / kWarp][threadIdx.x % kWarp]);
      is_uneven = __any_sync(kAllLanes, static_cast<std::uint32_t>(__popc(alike)) >= kClumpedKeys) != 0;
    }
    if (__syncthreads_count(is_uneven) > kRows / 2 * kWarp) return false;
  }

  std::uint32_t slots[kItems];  // of a key's bin; from bit 16 on, how many came before it
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (!has(i)) continue;
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
    if (nobody(i)) break;
    if (!has(i)) continue;
    const std::uint32_t place = stage.bins[slots[i] & 0xFFFF] + (slots[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[places[i]];
  }
  __syncthreads();
  if (!exact) {
    bool sorted = false;
    if constexpr (!kHasValue<V>) {
      // The bins of a warp's threads lie in a row.
      const std::uint32_t first = __shfl_sync(kAllLanes, begin, 0);
      sorted = sort_in_lanes(stage, first, first + sum_of_warp(mine), max_of_warp(most));
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

template <class Word, class V, int kThreadsOf, int kItems, class Source>
__device__ void sort_bucket(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                            const BucketStage<Word, V, kThreadsOf, kItems>& stage, BucketShared& shared) {
  if (sort_even(arrays, bucket, source, stage, shared)) return;
  __syncthreads();
  sort_sampled(arrays, bucket, source, stage, shared);
}

template <class Word, class V, int size_class>
struct ClassOf {
  static constexpr Shape kShape = class_shape(size_class, sizeof(Word), kValueBytes<V>);
  using Stage = BucketStage<Word, V, kShape.threads, kShape.items>;
};

/// Blocks of the kernel of a size class that a multiprocessor holds: as many as registers allow without spills.
template <class V>
constexpr int even_blocks(Shape shape) {
  return shape.threads == kMostThreads ? 1 : (kHasValue<V> ? 3 : 2) * kThreads / shape.threads;
}

/// The buckets of a size class. Those whose keys lie unevenly are left to sort_uneven_buckets, but those of the largest
/// class.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads,
                                  even_blocks<V>(ClassOf<Word, V, size_class>::kShape))
    sort_buckets(Arrays<Word, V> arrays, Lists lists) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->buckets[size_class];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.buckets_of(size_class)[b];
    if constexpr (size_class == kClasses - 1) {
      sort_bucket(arrays, bucket, InRow{bucket.begin}, stage, shared);
    } else if (!sort_even(arrays, bucket, InRow{bucket.begin}, stage, shared) && threadIdx.x == 0) {
      lists.uneven[atomicAdd(&lists.state->uneven, 1U)] = bucket;
    }
    __syncthreads();
  }
}

/// What sort_buckets left.
template <class Word, class V>
__global__ void __launch_bounds__(ClassOf<Word, V, kClasses - 2>::kShape.threads,
                                  kMostThreads / ClassOf<Word, V, kClasses - 2>::kShape.threads)
    sort_uneven_buckets(Arrays<Word, V> arrays, Lists lists) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, kClasses - 2>::Stage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->uneven;
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.uneven[b];
    sort_sampled(arrays, bucket, InRow{bucket.begin}, stage, shared);
    __syncthreads();
  }
}

/// So few keys that one block sorts them.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads, 1)
    sort_few(Arrays<Word, V> arrays, std::uint32_t n) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  sort_bucket(arrays, Bucket{.begin = 0, .count = n, .left = 8 * sizeof(Word), .side = 0, .merged = 1}, InRow{0}, stage,
              shared);
}

}  // namespace sortlab::msd_gpu
