// Stable sort of a bucket in shared memory by one block, into the result array. Equal keys are ordered by their
// position in the bucket.
//
// The range of the keys is cut into about twice as many bins as there are keys. A key's position is the begin of its
// bin plus the number of keys in the bin that come before it. If a bin has many keys, the bucket is sorted by an LSD
// radix sort over the bits in which its keys differ.
#pragma once

#include "algorithms/msd_radix_gpu/stable_rank.cuh"

namespace sortlab::msd_gpu::stable {

/// Maximum number of keys per bin, which a thread compares with its own
inline constexpr std::uint32_t kMaxBinKeys = 16;
inline constexpr std::uint32_t kAhead = 4;  ///< keys read at a time
inline constexpr int kPlaceBits = 14;       ///< bits of a position in a bucket

template <class Word, class V, int kBlockThreads, int kThreadItems>
struct BucketStage {
  static constexpr int kThreads = kBlockThreads;
  static constexpr int kItems = kThreadItems;
  static constexpr std::uint32_t kElements = kBlockThreads * kItems;
  static constexpr std::uint32_t kBins = kBlockThreads * 16;
  static_assert(kElements <= 1U << kPlaceBits && kElements >= kBlockThreads);
  using BlockRanks = Ranks<kBlockThreads / static_cast<int>(kWarp)>;

  static constexpr std::uint32_t kBinsAt = 2 * kWarp * 4;  // after the shared variables
  static constexpr std::uint32_t kWordsAt = kBinsAt + kBins * 2;
  static constexpr std::uint32_t kPlacesAt = kWordsAt + (kElements + kAhead) * 4;
  static constexpr std::uint32_t kBinsEnd = kPlacesAt + kElements * 2;
  static constexpr std::uint32_t kValuesAt = aligned(kBinsAt + kElements * sizeof(Word));
  static constexpr std::uint32_t kValuesEnd = kValuesAt + kElements * sizeof(V);
  static constexpr std::uint32_t kRanksAt = kValuesAt + aligned(kElements * 2);
  static constexpr std::uint32_t kRanksEnd = kRanksAt + BlockRanks::kBytes;
  static constexpr std::uint32_t kBytes = aligned(std::max({kBinsEnd, kValuesEnd, kRanksEnd}));
  static_assert(kBytes == bucket_stage_bytes({kThreads, kItems}, sizeof(Word), sizeof(V)) &&
                kBytes <= kMaxDynamicBytes);

  // Shared variables besides the stage.
  std::uint32_t* sums;         ///< one per warp
  unsigned long long* differ;  ///< bits in which any key differs from the first, two words
  std::uint32_t* limits;       ///< minimum and maximum of the keys' upper bits
  // While keys are in bins; two bins per word.
  std::uint32_t* bins;    ///< number of keys per bin, then its begin
  std::uint32_t* words;   ///< comparison words of the keys, bin after bin
  std::uint16_t* places;  ///< positions of those keys in the bucket
  // Afterwards, and during the radix sort.
  Word* keys;
  V* values;
  std::uint16_t* origins;  ///< positions of the keys in the bucket, in the memory of the values
  BlockRanks ranks;

  __device__ explicit BucketStage(uint4* shared) : BucketStage(reinterpret_cast<std::byte*>(shared)) {}
  __device__ explicit BucketStage(std::byte* shared)
      : sums(reinterpret_cast<std::uint32_t*>(shared)),
        differ(reinterpret_cast<unsigned long long*>(shared + kWarp * 4)),
        limits(reinterpret_cast<std::uint32_t*>(shared + kWarp * 4 + 16)),
        bins(reinterpret_cast<std::uint32_t*>(shared + kBinsAt)),
        words(reinterpret_cast<std::uint32_t*>(shared + kWordsAt)),
        places(reinterpret_cast<std::uint16_t*>(shared + kPlacesAt)),
        keys(reinterpret_cast<Word*>(shared + kBinsAt)),
        values(reinterpret_cast<V*>(shared + kValuesAt)),
        origins(reinterpret_cast<std::uint16_t*>(shared + kValuesAt)),
        ranks(shared + kRanksAt) {}
};

/// The 32 bits of a key from bit `bits` downwards, left-aligned if `bits` is less than 32.
template <class Word>
__device__ std::uint32_t upper_bits(Word key, int bits) {
  constexpr int kWidth = 8 * sizeof(Word);
  return static_cast<std::uint32_t>(static_cast<Word>(key << (kWidth - bits)) >> (kWidth - 32));
}

/// The keys of a bucket that a thread holds: one of each row of 32 in its warp's contiguous piece.
template <class Word, int kItems>
struct Held {
  std::uint32_t count;  ///< number of keys of the bucket
  std::uint32_t rows;   ///< rows of 32 keys per warp
  std::uint32_t first;  ///< position of the thread's first key
  Word keys[kItems];

  __device__ Held(std::uint32_t of_bucket, std::uint32_t threads)
      : count(of_bucket),
        rows((of_bucket + threads - 1) / threads),
        first(threadIdx.x / kWarp * rows * kWarp + threadIdx.x % kWarp) {}
  __device__ std::uint32_t place(int i) const { return first + static_cast<std::uint32_t>(i) * kWarp; }
  __device__ bool has(int i) const { return static_cast<std::uint32_t>(i) < rows && place(i) < count; }
  __device__ bool is_over(int i) const { return static_cast<std::uint32_t>(i) >= rows; }
};

/// LSD radix sort over the bits in which keys differ, with stable ranks.
template <class Stage, class Word, class V, int kItems>
__device__ void sort_by_digits(const Arrays<Word, V>& arrays, const Bucket& bucket, Held<Word, kItems>& held,
                               const Stage& stage) {
  const V* const values_in = arrays.values_on(bucket.buffer) + bucket.begin;
  if (threadIdx.x < 2) stage.differ[threadIdx.x] = 0;
  __syncthreads();
  const Word first = arrays.order.ordered(arrays.keys_on(bucket.buffer)[bucket.begin]);
  Word differ = 0;
  std::uint32_t origins[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (held.has(i)) differ |= held.keys[i] ^ first;
    origins[i] = held.place(i);
  }
  or_into(stage.differ, differ);
  __syncthreads();
  if constexpr (sizeof(Word) > 8) {
    differ = static_cast<Word>(stage.differ[1]) << 64 | stage.differ[0];
  } else {
    differ = static_cast<Word>(stage.differ[0]);
  }
  constexpr int kDigitMask = static_cast<int>(kDigits) - 1;
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Word));) {
    if ((differ >> shift & 1) == 0) {
      ++shift;
      continue;
    }
    const auto digit = [&](int i) { return static_cast<std::uint32_t>(held.keys[i] >> shift) & kDigitMask; };
    std::uint32_t ranks[kItems] = {};
    stage.ranks.clear();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (held.is_over(i)) break;
      ranks[i] = stage.ranks.template next<false>(digit(i), held.has(i));
    }
    stage.ranks.place([](std::uint32_t, std::uint32_t) {});
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!held.has(i)) break;
      const std::uint32_t place = stage.ranks.position(digit(i), ranks[i]);
      stage.keys[place] = held.keys[i];
      stage.origins[place] = static_cast<std::uint16_t>(origins[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!held.has(i)) break;
      held.keys[i] = stage.keys[held.place(i)];
      origins[i] = stage.origins[held.place(i)];
    }
    shift += kDigitBits;
  }
  V values[kItems] = {};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (held.has(i)) values[i] = values_in[origins[i]];
  }
  __syncthreads();  // wait until all values are read before they are overwritten
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!held.has(i)) break;
    arrays.keys[0][bucket.begin + held.place(i)] = arrays.order.restored(held.keys[i]);
    arrays.values[0][bucket.begin + held.place(i)] = values[i];
  }
}

/// Maps the distance of a key's upper bits from the minimum to its bin.
struct Bins {
  std::uint32_t scale;
  __device__ std::uint32_t index(std::uint32_t distance) const { return __umulhi(distance, scale); }
};

/// Tie break between equal comparison words: compares whole keys, unless the words hold all their bits.
template <class Word>
struct TieBreak {
  const KeyOrder<Word>& order;
  const Word* keys_in;
  bool words_are_whole;
};

/// Number of keys in the bin at `begin` that come before the held key `i`; less than kMaxBinKeys. If kPacked,
/// comparison words include the key's position, and no two are equal.
template <bool kPacked, class Stage, class Word, int kItems>
__device__ std::uint32_t keys_before(const Stage& stage, const Held<Word, kItems>& held, int i, std::uint32_t word,
                                     std::uint32_t begin, const Bins& bins, const TieBreak<Word>& ties) {
  constexpr std::uint32_t kDistanceMask = kPacked ? ~0U << kPlaceBits : ~0U;
  const std::uint32_t bin = bins.index(word & kDistanceMask);
  std::uint32_t before = 0, equal = 0, at = begin;
  do {
    std::uint32_t others[kAhead];
#pragma unroll
    for (std::uint32_t k = 0; k < kAhead; ++k) others[k] = stage.words[at + k];
#pragma unroll
    for (std::uint32_t k = 0; k < kAhead; ++k) {
      // Keys behind the bin are higher.
      before += others[k] < word ? 1 : 0;
      if constexpr (!kPacked) equal += others[k] == word ? 1 : 0;
    }
    at += kAhead;
    // The last key read shows whether the bin ends here.
    if (at >= held.count || bins.index(others[kAhead - 1] & kDistanceMask) != bin) break;
  } while (true);
  if constexpr (!kPacked) {
    if (equal > 1) {
      for (std::uint32_t q = begin; q < min(at, held.count); ++q) {
        if (stage.words[q] != word) continue;
        const std::uint32_t place = stage.places[q];
        bool is_less = place < held.place(i);
        if (!ties.words_are_whole) {
          const Word key = ties.order.ordered(ties.keys_in[place]);
          is_less = key < held.keys[i] || (key == held.keys[i] && is_less);
        }
        before += is_less ? 1 : 0;
      }
    }
  }
  return before;
}

/// Exclusive prefix sum over the bins. Called by all threads; ends with a barrier.
template <class Stage>
__device__ void sum_bins(const Stage& stage) {
  constexpr std::uint32_t kVectors = Stage::kBins / 2 / 4 / Stage::kThreads;  // vectors per thread
  auto* const vectors = reinterpret_cast<uint4*>(stage.bins) + threadIdx.x * kVectors;
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kVectors; ++k) {
    const uint4 four = vectors[k];
    mine += four.x + four.y + four.z + four.w;  // both 16-bit halves are summed at once
  }
  std::uint32_t all;
  std::uint32_t before = exclusive_sum((mine & 0xFFFF) + (mine >> 16), all, stage.sums);
  const auto begins = [&](std::uint32_t word) {
    const std::uint32_t second = before + (word & 0xFFFF);
    const std::uint32_t both = before | second << 16;
    before = second + (word >> 16);
    return both;
  };
#pragma unroll
  for (std::uint32_t k = 0; k < kVectors; ++k) {
    uint4 four = vectors[k];
    four.x = begins(four.x);
    four.y = begins(four.y);
    four.z = begins(four.z);
    four.w = begins(four.w);
    vectors[k] = four;
  }
  __syncthreads();
}

/// Sorts a bucket of evenly distributed keys; returns false, having written nothing, if they are skewed.
template <class Stage, class Word, class V, int kItems>
__device__ bool sort_by_bins(const Arrays<Word, V>& arrays, const Bucket& bucket, const Held<Word, kItems>& held,
                             const Stage& stage) {
  const Word* const keys_in = arrays.keys_on(bucket.buffer) + bucket.begin;
  const V* const values_in = arrays.values_on(bucket.buffer) + bucket.begin;
  const int bits_left = bucket.bits_left;
  auto* const vectors = reinterpret_cast<uint4*>(stage.bins);
  for (std::uint32_t v = threadIdx.x; v < Stage::kBins / 8; v += Stage::kThreads) vectors[v] = uint4{0, 0, 0, 0};
  std::uint32_t low = 0;
  int shift = 0;
  std::uint32_t range = ~0U;
  if (bucket.merged != 0) {
    if (threadIdx.x < 2) stage.limits[threadIdx.x] = 0;
    __syncthreads();
    std::uint32_t lowest = ~0U, highest = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!held.has(i)) break;
      lowest = min(lowest, upper_bits(held.keys[i], bits_left));
      highest = max(highest, upper_bits(held.keys[i], bits_left));
    }
    lowest = warp_max(~lowest);
    highest = warp_max(highest);
    if (threadIdx.x % kWarp == 0) {
      atomicMax(stage.limits, lowest);
      atomicMax(stage.limits + 1, highest);
    }
    __syncthreads();
    low = ~stage.limits[0];
    range = stage.limits[1] - low;
    shift = min(31, __clz(static_cast<int>(range)));
    range <<= shift;
  }
  __syncthreads();
  const Bins bins{range == ~0U
                      ? Stage::kBins
                      : static_cast<std::uint32_t>((std::uint64_t{Stage::kBins} << 32) / (std::uint64_t{range} + 1))};
  const auto distance = [&](int i) { return (upper_bits(held.keys[i], bits_left) - low) << shift; };

  std::uint32_t at[kItems] = {};  // the bin; from bit 16 on, the key's rank in it
  std::uint32_t most = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!held.has(i)) break;
    const std::uint32_t bin = bins.index(distance(i)), half = bin % 2 * 16;
    const std::uint32_t before = atomicAdd(stage.bins + bin / 2, 1U << half) >> half & 0xFFFF;
    most = max(most, before);
    at[i] = bin | before << 16;
  }
  if (__syncthreads_or(most >= kMaxBinKeys) != 0) return false;
  sum_bins(stage);
  // A position fits into the bits below those in which distances differ.
  const bool packed = bits_left <= 32 && 32 - bits_left + shift >= kPlaceBits;
  const auto comparison_word = [&](int i) { return packed ? distance(i) | held.place(i) : distance(i); };
  const auto* const begins = reinterpret_cast<const std::uint16_t*>(stage.bins);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!held.has(i)) break;
    const std::uint32_t begin = begins[at[i] & 0xFFFF], slot = begin + (at[i] >> 16);
    stage.words[slot] = comparison_word(i);
    if (!packed) stage.places[slot] = static_cast<std::uint16_t>(held.place(i));
    at[i] = begin;
  }
  if (threadIdx.x < kAhead) stage.words[held.count + threadIdx.x] = ~0U;
  __syncthreads();
  V values[kItems] = {};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!held.has(i)) break;
    values[i] = values_in[held.place(i)];
  }
  const TieBreak<Word> ties{arrays.order, keys_in, bits_left <= 32};
  const auto find_places = [&]<bool kPacked>() {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!held.has(i)) break;
      at[i] += keys_before<kPacked>(stage, held, i, comparison_word(i), at[i], bins, ties);
    }
  };
  if (packed) {
    find_places.template operator()<true>();
  } else {
    find_places.template operator()<false>();
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!held.has(i)) break;
    stage.keys[at[i]] = held.keys[i];
    stage.values[at[i]] = values[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t place = threadIdx.x + static_cast<std::uint32_t>(i) * Stage::kThreads;
    if (place >= held.count) break;
    arrays.keys[0][bucket.begin + place] = arrays.order.restored(stage.keys[place]);
    arrays.values[0][bucket.begin + place] = stage.values[place];
  }
  return true;
}

/// Sorts one bucket with one block; ends with a barrier.
template <class Stage, class Word, class V>
__device__ void sort_bucket(const Arrays<Word, V>& arrays, const Bucket& bucket, const Stage& stage) {
  constexpr int kItems = Stage::kItems;
  Held<Word, kItems> held{bucket.count, Stage::kThreads};
  const Word* const keys_in = arrays.keys_on(bucket.buffer) + bucket.begin;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    held.keys[i] = 0;
    if (held.has(i)) held.keys[i] = arrays.order.ordered(keys_in[held.place(i)]);
  }
  // With few bits left, the radix sort takes one pass.
  if (bucket.bits_left <= kDigitBits || !sort_by_bins(arrays, bucket, held, stage)) {
    __syncthreads();
    sort_by_digits(arrays, bucket, held, stage);
  }
  __syncthreads();
}

template <class Word, class V, int size_class>
struct ClassOf {
  static constexpr Shape kShape = class_shape(size_class, sizeof(Word), sizeof(V));
  using Stage = BucketStage<Word, V, kShape.threads, kShape.items>;
  static constexpr int kResidentBlocks = size_class == 0   ? std::min(5, kResidentThreads / 256)
                                         : size_class == 1 ? 2
                                                           : 1;
};

template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::Stage::kThreads,
                                  ClassOf<Word, V, size_class>::kResidentBlocks)
    sort_buckets(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const typename ClassOf<Word, V, size_class>::Stage stage{shared};
  const std::uint32_t buckets = lists.state->buckets[size_class];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.class_buckets(size_class)[b];
    sort_bucket(arrays, bucket, stage);
  }
}

/// Sorts the whole input with one block.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::Stage::kThreads,
                                  ClassOf<Word, V, size_class>::kResidentBlocks)
    sort_few(Arrays<Word, V> arrays, std::uint32_t n) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const typename ClassOf<Word, V, size_class>::Stage stage{shared};
  const Bucket all{.begin = 0, .count = n, .bits_left = 8 * sizeof(Word), .buffer = 0, .merged = 1};
  sort_bucket(arrays, all, stage);
}

}  // namespace sortlab::msd_gpu::stable
