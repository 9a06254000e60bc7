// Bins between the keys of a sorted sample, for a bucket of skewed keys that one block sorts.
//
// A key equal to a sampled key goes into an equality bin, which needs no comparisons. The keys between two sampled keys
// go into eight bins, by the first bits of their distance from the lower one. Every key finds its bin by a search in a
// tree of the sample, and its position in the bin by comparing with all keys there: by 32 bits of that distance, which
// nearly always are all of its bits.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

inline constexpr int kSubBits = 3;  ///< log2 of the number of bins between two sampled keys
inline constexpr std::uint32_t kBinMask = (1U << 14) - 1;
inline constexpr std::uint32_t kEqualKeys = 1U << 14;  ///< flag: the bin holds equal keys
inline constexpr std::uint32_t kInexact = 1U << 15;    ///< flag: equal comparison words need not mean equal keys
inline constexpr std::uint32_t kOneClaim = 1U << 16;   ///< increment that claims a position

/// Shared memory of a block with at most kSpace keys and a sample of kSampleKeys, a power of two.
template <class Word, int kBlockThreads, std::uint32_t kSampleKeys, std::uint32_t kSpace>
struct SampleStage {
  static constexpr std::uint32_t kKeys = kSampleKeys;
  static constexpr int kSteps = kLog2<kSampleKeys>;
  static constexpr std::uint32_t kBinsPerGap = 1 + (1U << kSubBits);  ///< bins from one sampled key to the next
  static constexpr std::uint32_t kBins = kBinsPerGap * kSampleKeys;
  static constexpr std::uint32_t kPerThread = std::max<std::uint32_t>(kSampleKeys / kBlockThreads, 1);
  static constexpr std::uint32_t kBinsOfThread = kBinsPerGap * kPerThread;
  static constexpr bool kHasWords =
      sizeof(Word) > 4;  ///< true if comparison words are stored; 4-byte keys are their own
  static constexpr std::uint32_t kTail =
      std::max<std::uint32_t>(2 * kSampleKeys * sizeof(Word), kSpace*(kHasWords ? 8 : 4));
  static constexpr std::uint32_t kBytes = (2 * kSampleKeys + 2) * sizeof(Word) + kTail + (kBins + 1) * 4;
  static_assert(kBins <= kBinMask + 1 && kTail % 16 == 0);

  Word* tree;             ///< search tree of the sample without its last key
  Word* sorted;           ///< the sample in order, from index 1 on, between two zeros
  Word* exchange;         ///< two buffers for sorting the sample
  std::uint32_t* bin_at;  ///< later: bin and flags of the key at each position
  std::uint32_t* words;   ///< later: comparison word (32 bits) of the key at each position
  std::uint32_t* bins;    ///< number of keys per bin, then its begin; one more entry: the end

  __device__ explicit SampleStage(void* begin)
      : tree(static_cast<Word*>(begin)),
        sorted(tree + kSampleKeys),
        exchange(sorted + kSampleKeys + 2),
        bin_at(reinterpret_cast<std::uint32_t*>(exchange)),
        words(bin_at + kSpace),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(exchange) + kTail)) {}
};

/// Position in [0, count) from which a sample draws its key number `part` of `parts`, a power of two: a pseudo-random
/// position in the part.
__device__ inline std::uint64_t sample_position(std::uint32_t part, std::uint32_t parts, std::uint64_t count) {
  const std::uint32_t within = part * 0x9E3779B1U >> 22;  // in 1/1024 of the part
  return (std::uint64_t{part} << 10 | within) * count / (std::uint64_t{parts} << 10);
}

/// Number of leading zeros.
template <class Word>
__device__ int leading_zeros(Word word) {
  if constexpr (sizeof(Word) == 4) {
    return __clz(static_cast<int>(word));
  } else if constexpr (sizeof(Word) == 8) {
    return __clzll(static_cast<long long>(word));
  } else {
    const int high = __clzll(static_cast<long long>(word_half(word, 1)));
    return high < 64 ? high : 64 + __clzll(static_cast<long long>(word_half(word, 0)));
  }
}

/// Index, from 1 on, in a breadth-first search tree of `all` - 1 words (`all` a power of two) of the word with rank
/// `number` from 1 on. The nodes of a level are contiguous.
__device__ inline std::uint32_t tree_index(std::uint32_t number, std::uint32_t all) {
  const int height = __ffs(static_cast<int>(number)) - 1;
  return (all >> (height + 1)) + (number >> (height + 1));
}

/// Steps kStep and below of a bitonic network within a warp. Each thread has kPerThread consecutive words, from index
/// `first` on. `ascends(r)`: true if the sequence of the thread's word r is sorted ascending.
template <std::uint32_t kStep, class Word, std::uint32_t kOf, class Ascends>
__device__ void compare_in_warp(Word (&words)[kOf], std::uint32_t first, const Ascends& ascends) {
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    if constexpr (kStep >= kOf) {
      const Word other = key_across(words[r], kStep / kOf);
      const bool keeps_lower = ascends(r) == ((first & kStep) == 0);
      if (keeps_lower == (other < words[r])) words[r] = other;
    } else if ((r & kStep) == 0 && ascends(r) == (words[r + kStep] < words[r])) {
      const Word word = words[r];
      words[r] = words[r + kStep];
      words[r + kStep] = word;
    }
  }
  if constexpr (kStep > 1) compare_in_warp<kStep / 2>(words, first, ascends);
}
/// Sorts sequences of kSize words, alternately ascending and descending.
template <std::uint32_t kSize, class Word, std::uint32_t kOf>
__device__ void sort_in_warp(Word (&words)[kOf], std::uint32_t first) {
  if constexpr (kSize > 2) sort_in_warp<kSize / 2>(words, first);
  if constexpr (kSize > 1) {
    compare_in_warp<kSize / 2>(words, first, [&](std::uint32_t r) { return ((first + r) & kSize) == 0; });
  }
}

/// Bitonic sort (Batcher 1968) of kKeys words, kPerThread consecutive ones per thread. `exchange` has room for two
/// copies. Threads beyond the last word only wait.
template <std::uint32_t kKeys, class Word, std::uint32_t kOf>
__device__ void sort_sample(Word (&words)[kOf], Word* exchange) {
  constexpr std::uint32_t kPerWarp = kOf * kWarp, kTakers = kKeys / kOf;
  static_assert(kKeys % kPerWarp == 0);
  const std::uint32_t thread = threadIdx.x, first = thread * kOf;
  const bool takes_part = thread < kTakers;  // uniform within a warp
  std::uint32_t buffer = 0;
  if (takes_part) sort_in_warp<kPerWarp>(words, first);
#pragma unroll 1
  for (std::uint32_t size = 2 * kPerWarp; size <= kKeys; size *= 2) {
    const bool ascends = (first & size) == 0;
#pragma unroll 1
    for (std::uint32_t step = size / 2; step >= kPerWarp; step /= 2) {
      Word* const all_words = exchange + buffer;  // interleaved: the first word of each thread, then the second
      buffer ^= kKeys;
      if (takes_part) {
#pragma unroll
        for (std::uint32_t r = 0; r < kOf; ++r) all_words[r * kTakers + thread] = words[r];
      }
      __syncthreads();
      if (!takes_part) continue;
      const bool keeps_lower = ascends == ((first & step) == 0);
#pragma unroll
      for (std::uint32_t r = 0; r < kOf; ++r) {
        const Word other = all_words[r * kTakers + (thread ^ step / kOf)];
        if (keeps_lower == (other < words[r])) words[r] = other;
      }
    }
    if (takes_part) compare_in_warp<kPerWarp / 2>(words, first, [&](std::uint32_t) { return ascends; });
  }
}

}  // namespace sortlab::msd_gpu
