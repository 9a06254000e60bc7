// Sort of elements that a partition has left in buckets: each bucket's keys come before those of the next. It owns no
// second array, so that a sort which partitions first needs no third.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/plugin.hpp"

namespace sortlab {

struct KeyBucket {
  unsigned long long count;
  std::uint32_t bits_left;  ///< number of low bits, in sort order, above which its keys agree; 0: they are equal
  std::int32_t row;         ///< row of BucketSorter's `rows` that counts its keys; -1: none does
};

inline constexpr std::uint32_t kMaxKeyBuckets = 512;

class BucketSorter {
 public:
  virtual ~BucketSorter() = default;
  virtual std::uint64_t scratch_bytes() const = 0;
  /// Queues the sort of `data`, which consists of `buckets` buckets whose descriptions lie in device memory. Overwrites
  /// `spare`, arrays as large. Returns the one of the two that will hold the result. A stable sorter keeps the order of
  /// equal keys, and reads no descriptions. If `described` is null, `data` is in any order.
  /// `rows`: for each row, the number of keys by the 8 bits below the highest 8, in device memory; overwritten.
  virtual Buffers sort_given(const Buffers& data, const Buffers& spare, const KeyBucket* described,
                             std::uint32_t buckets, unsigned long long* rows) = 0;
};

inline constexpr int kTopCountBits = 16;

/// Histogram of keys by their highest kTopCountBits bits in sort order.
class TopCounter {
 public:
  virtual ~TopCounter() = default;
  virtual std::uint64_t scratch_bytes() const = 0;
  /// Queues the count of n keys; `counts` has 2^kTopCountBits places in device memory.
  virtual void count(const void* keys, std::uint64_t n, unsigned long long* counts) = 0;
};

/// Makes a counter on the current device, by the kernels of msd_radix_gpu; null if the build's shared memory is too
/// small for it. Null itself in a build without CUDA.
[[gnu::weak]] std::unique_ptr<TopCounter> make_top_counter(KeyType key, const Resources& resources);

/// Makes a sorter of n elements on the current device, by the kernels of msd_radix_gpu. Null in a build without CUDA.
[[gnu::weak]] std::unique_ptr<BucketSorter> make_bucket_sorter(const Problem& problem, bool stable,
                                                               const Resources& resources);

}  // namespace sortlab
