// Buckets and their destinations, for the kernels that partition.
#pragma once

#include <type_traits>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/multi_gpu_radix/block.cuh"
#include "algorithms/multi_gpu_radix/plan.hpp"

namespace sortlab::multi_gpu {

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

/// Bucket of a key: its digit, plus one for each splitter that it reaches and one for each that it exceeds.
template <class Word>
struct BucketOf {
  KeyOrder<Word> order;
  int shift = 0;  ///< below the digit
  std::uint32_t digits = 1;
  int cuts = 0;
  Word first[kMaxCuts]{};
  Word last[kMaxCuts]{};

  BucketOf(const KeyOrder<Word>& key_order, std::uint32_t digit_count, const Buckets& buckets)
      : order(key_order),
        shift(8 * static_cast<int>(sizeof(Word)) - kDigitBits),
        digits(digit_count),
        cuts(static_cast<int>(buckets.splitters.size())) {
    for (int j = 0; j < cuts; ++j) {
      const KeyRange& range = buckets.splitters[static_cast<std::size_t>(j)];
      first[j] = static_cast<Word>(range.first);
      last[j] = static_cast<Word>(range.last());
    }
  }

  __host__ __device__ std::uint32_t count() const { return digits + 2 * static_cast<std::uint32_t>(cuts); }
  __device__ std::uint32_t operator()(Word key) const {
    const Word ordered = order.ordered(key);
    std::uint32_t bucket = static_cast<std::uint32_t>(ordered >> shift) & (digits - 1);
    if (cuts > 0) bucket += passed(0, ordered);  // the only one of two devices, without a loop
    for (int j = 1; j < cuts; ++j) bucket += passed(j, ordered);
    return bucket;
  }

 private:
  __device__ std::uint32_t passed(int cut, Word ordered) const {
    return static_cast<std::uint32_t>(ordered >= first[cut]) + static_cast<std::uint32_t>(ordered > last[cut]);
  }
};

/// Arrays that receive elements: the parts of one long array, one after the other, as the lanes' shards of the result
/// are; and beyond these, one for each cut, which receives the bucket that the cut divides.
template <class Word, class V>
struct Targets {
  static constexpr std::uint32_t kCount = kMaxLanes + kMaxCuts;

  /// Less the position of the first element, so that all positions are of the long array.
  Word* keys[kCount];
  V* values[kCount];
  unsigned long long end[kCount];  ///< the next target begins here
};

/// Positions that a lane's partition reads and advances in its device's memory.
struct Sends {
  unsigned long long next[kMaxBuckets];  ///< position of the lane's next element of each bucket
  std::uint8_t target[kMaxBuckets];      ///< target of the lane's first element of each bucket
  std::uint32_t taken;                   ///< tiles taken by blocks
};

}  // namespace sortlab::multi_gpu
