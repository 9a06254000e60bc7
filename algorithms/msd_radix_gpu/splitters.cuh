// Splitters for a segment whose digits are uneven: its keys are divided between 255 keys of a sorted sample, as in a
// sample sort, instead of by their next 8 bits.
//
// A class is the keys from one splitter on, up to the next. A key that the sample has so often that it would be two
// splitters is one, and its successor the next: the class between holds nothing else and is in order.
#pragma once

#include "algorithms/msd_radix_gpu/sampled.cuh"

namespace sortlab::msd_gpu {

template <class Word>
inline constexpr std::uint32_t kDrawn = drawn(sizeof(Word));

template <class Word>
struct SplitShared {
  Word sample[2 * kDrawn<Word> * kThreads];
};

/// A sample of a segment's keys, ordered, one from each of as many parts of it, sorted, for all threads.
template <std::uint32_t kOf, class Word>
__device__ void draw_sample(const Word* keys, std::uint64_t count, const KeyOrder<Word>& order, Word* sample) {
  Word words[kOf];
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    words[r] = order.ordered(keys[place_of_sample(kOf * threadIdx.x + r, kOf * kThreads, count)]);
  }
  sort_sample<kOf * kThreads>(words, sample);
  __syncthreads();
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) sample[kOf * threadIdx.x + r] = words[r];
  __syncthreads();
}

/// Whether digits of `bits` bits from `shift` on are uneven, by a sorted sample of a segment of `count` keys: one has
/// more than uneven_keys, or, where levels are to be spared, all of the sample; or many keys have digits that would
/// need another level, which classes between splitters do not. `bucket`: keys that a block can sort.
template <class Word>
__device__ bool is_uneven(const Word* sample, std::uint32_t size, int shift, int bits, std::uint64_t count,
                          std::uint32_t bucket, bool spares_levels) {
  const std::uint32_t digits = 1U << bits;
  const auto alike = [&](std::uint32_t i, std::uint32_t j) {
    return digit_of(sample[i], shift, digits) == digit_of(sample[j], shift, digits);
  };
  if (alike(0, size - 1)) return spares_levels && sample[0] != sample[size - 1];
  const std::uint32_t most = uneven_keys(size, bits, spares_levels);
  // Of a bucket, and half as many more, since the sample may err; no digit is so long where classes would be no
  // shorter.
  const bool ends_levels = count <= std::uint64_t{kDigits} / 2 * bucket;
  const std::uint32_t of_bucket = ends_levels ? static_cast<std::uint32_t>(size * (bucket + bucket / 2) / count) : size;
  bool found = false;
  std::uint32_t beyond = 0;  // keys of the sample with so long a digit, but the last ones of each
  for (std::uint32_t i = threadIdx.x; i < size; i += kThreads) {
    if (i + most < size && alike(i, i + most)) found = true;
    if (i + of_bucket < size && alike(i, i + of_bucket)) ++beyond;
  }
  __shared__ std::uint32_t all_beyond;
  if (threadIdx.x == 0) all_beyond = 0;
  __syncthreads();
  beyond = sum_of_warp(beyond);
  if (threadIdx.x % kWarp == 0 && beyond != 0) atomicAdd(&all_beyond, beyond);
  return __syncthreads_or(found) != 0 || all_beyond > size / 8;
}

template <std::uint32_t kOf, class Word, class V>
__device__ void choose_splitters(const Arrays<Word, V>& arrays, const Lists& lists, Segment& segment,
                                 std::uint32_t number, Word* sample) {
  constexpr std::uint32_t kSize = kOf * kThreads, kStep = kSize / kDigits;
  draw_sample<kOf>(arrays.keys_on(segment.side) + segment.begin, segment.count, arrays.order, sample);
  if (is_uneven(sample, kSize, segment.shift(), segment.bits, segment.count, lists.ends[kClasses - 1],
                lists.spares_levels)) {
    const Word low = static_cast<Word>(static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - segment.left));
    const Word lowest = sample[0] & static_cast<Word>(~low), highest = lowest | low;
    const auto splitter = [&](std::uint32_t i) {
      const Word key = sample[kStep * (i + 1) - 1];
      const bool follows = i > 0 && key == sample[kStep * i - 1] && key != highest;
      return follows ? static_cast<Word>(key + 1) : key;
    };
    for (std::uint32_t c = threadIdx.x; c < kDigits; c += kThreads) {
      // In the tree's place 0, which no search looks at, something all the same.
      lists.tree_of<Word>(number)[c + 1 < kDigits ? place_in_tree(c + 1, kDigits) : 0] =
          c + 1 < kDigits ? splitter(c) : highest;
      const Word first = c == 0 ? lowest : splitter(c - 1);
      const Word last = c + 1 == kDigits ? highest : static_cast<Word>(splitter(c) - 1);
      const Word differ = first ^ last;
      const unsigned long long halves[2] = {half_of(differ, 0), half_of(differ, 1)};
      lists.lefts_of(number)[c] = static_cast<std::uint8_t>(bit_length(halves));
    }
    if (threadIdx.x == 0) segment.by_splitters = true;
  }
  __syncthreads();
}

/// Decides how a segment is divided, and writes its splitters, if any, as a tree.
template <class Word, class V>
__device__ void choose_segment(const Arrays<Word, V>& arrays, const Lists& lists, int level, std::uint32_t number,
                               SplitShared<Word>& shared) {
  Segment& segment = lists.segments_of(level)[number];
  if (segment.kind == Kind::copy || number >= lists.trees) return;
  constexpr std::uint64_t kFewDrawnElements = few_drawn_elements(sizeof(Word), kValueBytes<V>);
  if (segment.count <= kFewDrawnElements) {
    choose_splitters<kFewDrawn>(arrays, lists, segment, number, shared.sample);
  } else {
    choose_splitters<kDrawn<Word>>(arrays, lists, segment, number, shared.sample);
  }
}

/// The classes of keys, 2^`bits` of them, by a search in a tree of splitters.
template <class Word, int kItems>
__device__ void classify(const Word* tree, int bits, const Word (&ordered)[kItems], std::uint32_t (&classes)[kItems]) {
  constexpr auto kBytes = static_cast<std::uint32_t>(sizeof(Word));
  const auto* const begin = reinterpret_cast<const std::byte*>(tree);
#pragma unroll
  for (int i = 0; i < kItems; ++i) classes[i] = kBytes;
#pragma unroll
  for (int step = 0; step < bits; ++step) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const Word splitter = *reinterpret_cast<const Word*>(begin + classes[i]);
      classes[i] = 2 * classes[i] + (splitter <= ordered[i] ? kBytes : 0);
    }
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) classes[i] = classes[i] / kBytes - (1U << bits);
}

}  // namespace sortlab::msd_gpu
