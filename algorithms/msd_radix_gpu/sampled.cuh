// Bins between the keys of a sorted sample, by a block, for a bucket whose keys lie unevenly in their range.
//
// A sample of the bucket's keys, sorted, cuts the rest: a key equal to one of the sample is in one bin, and of such
// none need be compared; keys between it and the next are in eight more, by the first bits of their distances from it.
// Every key finds its bin by a search in a tree, and its place in the bin by comparison with all the bin's keys: of 32
// bits of that distance, which nearly always are all that it has.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

inline constexpr int kSubBits = 3;  ///< of the bins between two keys of a sample
inline constexpr std::uint32_t kBinMask = (1U << 14) - 1;
inline constexpr std::uint32_t kOfEqual = 1U << 14;   ///< the bin is of equal keys
inline constexpr std::uint32_t kInexact = 1U << 15;   ///< equal words in the bin need not be equal keys
inline constexpr std::uint32_t kOneClaim = 1U << 16;  ///< on the place

/// Shared memory of a block with kSpace keys at most and a sample of kSampleKeys, a power of two.
template <class Word, int kThreadsOf, std::uint32_t kSampleKeys, std::uint32_t kSpace>
struct SampleStage {
  static constexpr std::uint32_t kKeys = kSampleKeys;
  static constexpr int kSteps = kLog2<kSampleKeys>;
  static constexpr std::uint32_t kOfGap = 1 + (1U << kSubBits);  ///< bins from one key of the sample to the next
  static constexpr std::uint32_t kBins = kOfGap * kSampleKeys;
  static constexpr std::uint32_t kOfThread = std::max<std::uint32_t>(kSampleKeys / kThreadsOf, 1);
  static constexpr std::uint32_t kBinsOfThread = kOfGap * kOfThread;
  static constexpr bool kHasWords =
      sizeof(Word) > 4;  ///< whether comparison words are stored; keys of 4 bytes are their own
  static constexpr std::uint32_t kTail =
      std::max<std::uint32_t>(2 * kSampleKeys * sizeof(Word), kSpace*(kHasWords ? 8 : 4));
  static constexpr std::uint32_t kBytes = (2 * kSampleKeys + 2) * sizeof(Word) + kTail + (kBins + 1) * 4;
  static_assert(kBins <= kBinMask + 1 && kTail % 16 == 0);

  Word* tree;               ///< the sample but its last
  Word* sorted;             ///< the same in order, from 1 on, between two zeros
  Word* exchange;           ///< two buffers of a sample, while it is sorted
  std::uint32_t* of_place;  ///< later: bin of the key at a place, and flags
  std::uint32_t* words;     ///< later: 32 bits of the key at a place, for comparisons in its bin
  std::uint32_t* bins;      ///< keys of a bin, then where it begins; one more: where all end

  __device__ explicit SampleStage(void* begin)
      : tree(static_cast<Word*>(begin)),
        sorted(tree + kSampleKeys),
        exchange(sorted + kSampleKeys + 2),
        of_place(reinterpret_cast<std::uint32_t*>(exchange)),
        words(of_place + kSpace),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(exchange) + kTail)) {}
};

/// Where in [0, count) a sample takes its key from the `part`-th of `parts` equal ones, powers of two: anywhere in it.
__device__ inline std::uint64_t place_of_sample(std::uint32_t part, std::uint32_t parts, std::uint64_t count) {
  const std::uint32_t within = part * 0x9E3779B1U >> 22;  // of 1024
  return (std::uint64_t{part} << 10 | within) * count / (std::uint64_t{parts} << 10);
}

/// Zeros before the highest bit that is set.
template <class Word>
__device__ int leading_zeros(Word word) {
  if constexpr (sizeof(Word) == 4) {
    return __clz(static_cast<int>(word));
  } else if constexpr (sizeof(Word) == 8) {
    return __clzll(static_cast<long long>(word));
  } else {
    const int high = __clzll(static_cast<long long>(half_of(word, 1)));
    return high < 64 ? high : 64 + __clzll(static_cast<long long>(half_of(word, 0)));
  }
}

/// Where the word that is `number`-th of `all` less one in order, from 1 on, stands in their tree, from 1 on: a power
/// of two, `all`, less one are in breadth-first order, so that a level's lie in a row.
__device__ inline std::uint32_t place_in_tree(std::uint32_t number, std::uint32_t all) {
  const int height = __ffs(static_cast<int>(number)) - 1;
  return (all >> (height + 1)) + (number >> (height + 1));
}

/// Steps of a bitonic network over words of which each thread has kOf in a row, from `first` on: from kStep down,
/// within a warp. `ascends(r)`: whether the row that the thread's word r is in will.
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
/// Makes rows of kSize words sorted ones, each second descending.
template <std::uint32_t kSize, class Word, std::uint32_t kOf>
__device__ void sort_in_warp(Word (&words)[kOf], std::uint32_t first) {
  if constexpr (kSize > 2) sort_in_warp<kSize / 2>(words, first);
  if constexpr (kSize > 1) {
    compare_in_warp<kSize / 2>(words, first, [&](std::uint32_t r) { return ((first + r) & kSize) == 0; });
  }
}

/// Sorts kKeys words, of which each thread has kOf in a row, by a bitonic network (Batcher 1968); `exchange` has room
/// for them twice. Threads beyond the last word only wait.
template <std::uint32_t kKeys, class Word, std::uint32_t kOf>
__device__ void sort_sample(Word (&words)[kOf], Word* exchange) {
  constexpr std::uint32_t kOfWarp = kOf * kWarp, kTakers = kKeys / kOf;
  static_assert(kKeys % kOfWarp == 0);
  const std::uint32_t thread = threadIdx.x, first = thread * kOf;
  const bool takes_part = thread < kTakers;  // warps do as a whole
  std::uint32_t buffer = 0;
  if (takes_part) sort_in_warp<kOfWarp>(words, first);
#pragma unroll 1
  for (std::uint32_t size = 2 * kOfWarp; size <= kKeys; size *= 2) {
    const bool ascends = (first & size) == 0;
#pragma unroll 1
    for (std::uint32_t step = size / 2; step >= kOfWarp; step /= 2) {
      Word* const words_of_all = exchange + buffer;  // side by side: the first of each thread, then the second
      buffer ^= kKeys;
      if (takes_part) {
#pragma unroll
        for (std::uint32_t r = 0; r < kOf; ++r) words_of_all[r * kTakers + thread] = words[r];
      }
      __syncthreads();
      if (!takes_part) continue;
      const bool keeps_lower = ascends == ((first & step) == 0);
#pragma unroll
      for (std::uint32_t r = 0; r < kOf; ++r) {
        const Word other = words_of_all[r * kTakers + (thread ^ step / kOf)];
        if (keeps_lower == (other < words[r])) words[r] = other;
      }
    }
    if (takes_part) compare_in_warp<kOfWarp / 2>(words, first, [&](std::uint32_t) { return ascends; });
  }
}

}  // namespace sortlab::msd_gpu
