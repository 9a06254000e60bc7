// Splitters for a segment with skewed digits: its keys are divided between 255 keys of a sorted sample, as in sample
// sort, instead of by their next 8 bits.
//
// A class holds the keys from one splitter up to, not including, the next. A key so frequent in the sample that it
// would be two splitters is followed by its successor as the next splitter: the class between holds only equal keys.
#pragma once

#include "algorithms/msd_radix_gpu/sampled.cuh"

namespace sortlab::msd_gpu {

template <class Word>
inline constexpr std::uint32_t kLargeDraw = large_draw(sizeof(Word));

template <class Word>
struct SplitShared {
  Word sample[2 * kLargeDraw<Word> * kThreads];
};

/// Draws a sample of a segment's keys, one from each of equally many parts, and sorts it. All threads see it
/// afterwards.
template <std::uint32_t kOf, class Word>
__device__ void draw_sample(const Word* keys, std::uint64_t count, const KeyOrder<Word>& order, Word* sample) {
  Word words[kOf];
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    words[r] = order.ordered(keys[sample_position(kOf * threadIdx.x + r, kOf * kThreads, count)]);
  }
  sort_sample<kOf * kThreads>(words, sample);
  __syncthreads();
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) sample[kOf * threadIdx.x + r] = words[r];
  __syncthreads();
}

/// True if digits of `bits` bits from `shift` on are skewed, judged by a sorted sample of a segment of `count` keys.
/// They are if one digit exceeds skew_threshold (or, if levels are to be saved, has the whole sample), or if many keys
/// have digits that would need another level where classes between splitters would not. `bucket`: keys that a block can
/// sort.
template <class Word>
__device__ bool is_uneven(const Word* sample, std::uint32_t size, int shift, int bits, std::uint64_t count,
                          std::uint32_t bucket, bool spares_levels) {
  const std::uint32_t digits = 1U << bits;
  const auto alike = [&](std::uint32_t i, std::uint32_t j) {
    return get_digit(sample[i], shift, digits) == get_digit(sample[j], shift, digits);
  };
  if (alike(0, size - 1)) return spares_levels && sample[0] != sample[size - 1];
  const std::uint32_t most = skew_threshold(size, bits, spares_levels);
  // A bucket and half as much again, since the sample may err. On long segments, where classes would be no shorter, no
  // digit is too long.
  const bool ends_levels = count <= std::uint64_t{kDigits} / 2 * bucket;
  const std::uint32_t bucket_keys =
      ends_levels ? static_cast<std::uint32_t>(size * (bucket + bucket / 2) / count) : size;
  bool found = false;
  std::uint32_t beyond = 0;  // sampled keys of overlong digits, except the last ones of each digit
  for (std::uint32_t i = threadIdx.x; i < size; i += kThreads) {
    if (i + most < size && alike(i, i + most)) found = true;
    if (i + bucket_keys < size && alike(i, i + bucket_keys)) ++beyond;
  }
  __shared__ std::uint32_t all_beyond;
  if (threadIdx.x == 0) all_beyond = 0;
  __syncthreads();
  beyond = warp_sum(beyond);
  if (threadIdx.x % kWarp == 0 && beyond != 0) atomicAdd(&all_beyond, beyond);
  return __syncthreads_or(found) != 0 || all_beyond > size / 8;
}

template <std::uint32_t kOf, class Word, class V>
__device__ void choose_splitters(const Arrays<Word, V>& arrays, const Lists& lists, Segment& segment,
                                 std::uint32_t number, Word* sample) {
  constexpr std::uint32_t kSize = kOf * kThreads, kStep = kSize / kDigits;
  draw_sample<kOf>(arrays.keys_on(segment.buffer) + segment.begin, segment.count, arrays.order, sample);
  if (is_uneven(sample, kSize, segment.shift(), segment.bits, segment.count, lists.ends[kClasses - 1],
                lists.spares_levels)) {
    const Word low = static_cast<Word>(static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - segment.bits_left));
    const Word lowest = sample[0] & static_cast<Word>(~low), highest = lowest | low;
    const auto splitter = [&](std::uint32_t i) {
      const Word key = sample[kStep * (i + 1) - 1];
      const bool follows = i > 0 && key == sample[kStep * i - 1] && key != highest;
      return follows ? static_cast<Word>(key + 1) : key;
    };
    for (std::uint32_t c = threadIdx.x; c < kDigits; c += kThreads) {
      // Index 0 of the tree is never searched, but still written.
      lists.splitter_tree<Word>(number)[c + 1 < kDigits ? tree_index(c + 1, kDigits) : 0] =
          c + 1 < kDigits ? splitter(c) : highest;
      const Word first = c == 0 ? lowest : splitter(c - 1);
      const Word last = c + 1 == kDigits ? highest : static_cast<Word>(splitter(c) - 1);
      const Word differ = first ^ last;
      const unsigned long long halves[2] = {word_half(differ, 0), word_half(differ, 1)};
      lists.class_bits_left(number)[c] = static_cast<std::uint8_t>(bit_length(halves));
    }
    if (threadIdx.x == 0) segment.by_splitters = true;
  }
  __syncthreads();
}

/// Decides whether a segment is divided by splitters, and if so writes them as a search tree.
template <class Word, class V>
__device__ void choose_segment(const Arrays<Word, V>& arrays, const Lists& lists, int level, std::uint32_t number,
                               SplitShared<Word>& shared) {
  Segment& segment = lists.level_segments(level)[number];
  if (segment.kind == Kind::copy || number >= lists.trees) return;
  constexpr std::uint64_t kSmallDrawElements = small_draw_elements(sizeof(Word), kValueBytes<V>);
  if (segment.count <= kSmallDrawElements) {
    choose_splitters<kSmallDraw>(arrays, lists, segment, number, shared.sample);
  } else {
    choose_splitters<kLargeDraw<Word>>(arrays, lists, segment, number, shared.sample);
  }
}

/// Classes of keys, 2^`bits` of them, by a branch-free search in a tree of splitters.
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
