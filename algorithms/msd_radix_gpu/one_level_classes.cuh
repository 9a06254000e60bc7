// Classes of the one-level sort (one_level.cuh): equal parts of a sample's range, or the intervals between splitters
// drawn from it.
#pragma once

#include "algorithms/msd_radix_gpu/one_level_plan.cuh"
#include "algorithms/msd_radix_gpu/splitters.cuh"

namespace sortlab::msd_gpu {

/// Classes of equal width; keys beyond the range belong to the first or last class.
template <class Word>
struct EvenClasses {
  Word lowest, highest;  ///< bounds of the keys that share the sample's common prefix
  int bits;
  std::uint32_t low, range, scale;
  int shift;
  std::uint32_t last;

  __device__ std::uint32_t operator()(Word key) const {
    if (key < lowest) return 0;
    if (key > highest) return last;
    const std::uint32_t upper = upper_bits(key, bits);
    if (upper < low) return 0;
    if (upper - low > range) return last;
    return __umulhi((upper - low) << shift, scale);
  }
  template <int kKeys>
  __device__ void operator()(const Word (&ordered)[kKeys], std::uint32_t (&classes)[kKeys]) const {
#pragma unroll
    for (int k = 0; k < kKeys; ++k) classes[k] = (*this)(ordered[k]);
  }
};

/// Classes between splitters.
template <class Word>
struct SplitClasses {
  const Word* tree;
  int class_bits;

  template <int kKeys>
  __device__ void operator()(const Word (&ordered)[kKeys], std::uint32_t (&classes)[kKeys]) const {
    classify(tree, class_bits, ordered, classes);
  }
};

/// Chooses the classes from a sample. Returns true and sets `even` if the sample is evenly distributed; otherwise
/// builds a tree of splitters and `pure`.
template <class Word, class V, int kItems>
__device__ bool choose_classes(const Word* keys, std::uint32_t count, const KeyOrder<Word>& order, const OneLevel& plan,
                               const OneStage<Word, V, kItems>& stage, OneShared& shared, EvenClasses<Word>& even) {
  constexpr std::uint32_t kSample = kOneSample<Word, V, kItems>, kOf = kSample / kMaxThreads;
  const std::uint32_t thread = threadIdx.x, classes = plan.classes();
  Word sample[kOf];
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    sample[r] = order.ordered(keys[sample_position(kOf * thread + r, kSample, count)]);
  }
  const Word first = order.ordered(keys[sample_position(0, kSample, count)]);
  if (thread < 2) shared.bucket.differ[thread] = 0;
  if (thread == 0) {
    shared.bucket.low = ~0U;
    shared.bucket.high = 0;
  }
  for (std::uint32_t c = thread; c < classes; c += kMaxThreads) stage.counts[c] = 0;
  if (thread < kOneLevelMaxClasses / kWarp) shared.pure[thread] = 0;
  __syncthreads();
  Word differ = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) differ |= sample[r] ^ first;
  or_into(shared.bucket.differ, differ);
  __syncthreads();
  constexpr int kWidth = 8 * sizeof(Word);
  const int bits = max(1, bit_length(shared.bucket.differ));
  const auto below = static_cast<Word>(static_cast<Word>(~Word{0}) >> (kWidth - bits));
  even.bits = bits;
  even.lowest = first & static_cast<Word>(~below);
  even.highest = first | below;
  std::uint32_t lowest = ~0U, highest = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    lowest = min(lowest, upper_bits(sample[r], bits));
    highest = max(highest, upper_bits(sample[r], bits));
  }
  lowest = ~warp_max(~lowest);
  highest = warp_max(highest);
  if (thread % kWarp == 0) {
    atomicMin(&shared.bucket.low, lowest);
    atomicMax(&shared.bucket.high, highest);
  }
  __syncthreads();
  even.low = shared.bucket.low;
  even.range = shared.bucket.high - even.low;
  even.shift = min(31, __clz(static_cast<int>(even.range)));
  // Rounded down by more than the rounding error of a float, so that the last class is never exceeded.
  even.scale = static_cast<std::uint32_t>(static_cast<float>(classes) * (0x1p32F - 0x1p12F) /
                                          (static_cast<float>(even.range << even.shift) + 256));
  even.last = classes - 1;
  bool uneven = even.range == 0;
  if (!uneven) {
#pragma unroll
    for (std::uint32_t r = 0; r < kOf; ++r) {
      if (atomicAdd(stage.counts + even(sample[r]), 1U) >= plan.even_keys) uneven = true;
    }
  }
  if (__syncthreads_or(uneven) == 0) return true;

  if (bit_length(shared.bucket.differ) > 0) sort_sample<kSample>(sample, stage.exchange);
  __syncthreads();
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) stage.exchange[kOf * thread + r] = sample[r];
  __syncthreads();
  const std::uint32_t step = kSample >> plan.class_bits;
  const Word highest_key = static_cast<Word>(~Word{0});
  const auto splitter = [&](std::uint32_t i) {
    const Word key = stage.exchange[step * (i + 1) - 1];
    const bool follows = i > 0 && key == stage.exchange[step * i - 1] && key != highest_key;
    return follows ? static_cast<Word>(key + 1) : key;
  };
  Word splitters[kOneLevelMaxClasses / kMaxThreads];
  bool is_pure[kOneLevelMaxClasses / kMaxThreads];
#pragma unroll
  for (std::uint32_t r = 0; r < kOneLevelMaxClasses / kMaxThreads; ++r) {
    const std::uint32_t c = r * kMaxThreads + thread;
    splitters[r] = c + 1 < classes ? splitter(c) : highest_key;
    // Class c holds the keys from splitter c - 1 up to, not including, splitter c.
    is_pure[r] = false;
    if (c > 0 && c + 1 < classes) is_pure[r] = static_cast<Word>(splitters[r] - splitter(c - 1)) <= 1;
    if (c > 0 && c + 1 == classes) is_pure[r] = splitter(c - 1) == highest_key;
    const std::uint32_t word = __ballot_sync(kAllLanes, is_pure[r]);
    if (c < classes && thread % kWarp == 0) shared.pure[c / kWarp] = word;
  }
  __syncthreads();  // the tree may overlap the sample
#pragma unroll
  for (std::uint32_t r = 0; r < kOneLevelMaxClasses / kMaxThreads; ++r) {
    const std::uint32_t c = r * kMaxThreads + thread;
    if (c < classes) stage.tree[c + 1 < classes ? tree_index(c + 1, classes) : 0] = splitters[r];
  }
  __syncthreads();
  return false;
}

}  // namespace sortlab::msd_gpu
