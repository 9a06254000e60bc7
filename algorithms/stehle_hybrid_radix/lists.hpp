// Data passed between the kernels of a pass in global memory: buckets, their blocks, and locally sorted buckets. The
// sizes are those of section 4.5.
#pragma once

#include <cstdint>

#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "core/host_device.hpp"

namespace sortlab::hybrid_radix {

/// A block's share of a bucket that is too large to be sorted locally.
template <class Offset>
struct BlockAssignment {
  Offset keys;          ///< begin of its keys
  std::uint32_t count;  ///< number of keys
  std::uint32_t bucket;
  Offset bucket_keys;  ///< begin of the bucket; equal to `keys` in the bucket's first block
};

/// A bucket, or merged neighbouring sub-buckets, that a block sorts in shared memory.
template <class Offset>
struct LocalBucket {
  Offset keys;
  std::uint32_t count;
  std::uint32_t digits;  ///< first digit in the pass that made it; from bit 16 on, the number of digits

  /// Flag in `digits`: left by the ranked sort to the block radix sort
  static constexpr std::uint32_t kLeft = 1U << 31;
  SORTLAB_HOST_DEVICE std::uint32_t first_digit() const { return digits & 0xFFFF; }
  SORTLAB_HOST_DEVICE std::uint32_t digit_count() const { return digits >> 16 & 0x7FFF; }
  SORTLAB_HOST_DEVICE bool is_left() const { return (digits & kLeft) != 0; }
};
static_assert(sizeof(BlockAssignment<std::uint32_t>) == 16 && sizeof(LocalBucket<std::uint32_t>) == 12);
static_assert(sizeof(BlockAssignment<std::uint64_t>) == 24 && sizeof(LocalBucket<std::uint64_t>) == 16);

/// State of a pass at its begin, written by the previous pass; all zero at the start of a sort, except the first.
struct PassState {
  std::uint32_t buckets;    ///< buckets to be partitioned
  std::uint32_t blocks;     ///< blocks of these buckets
  unsigned long long keys;  ///< keys in these buckets
  // Written and sorted by this pass itself.
  std::uint32_t local[kMaxClasses];   ///< buckets to be sorted locally, by class
  std::uint32_t listed[kMaxClasses];  ///< local buckets listed so far, by class
  std::uint32_t merged;               ///< local buckets of more than one sub-bucket
  std::uint32_t left;                 ///< local buckets left by the ranked sort to the block radix sort
  unsigned long long local_keys;      ///< keys in the local buckets
};

/// Lists and counters of a sort, in device memory.
template <class Offset>
struct Tables {
  PassState* states;            ///< one per pass, and one more
  Offset* bucket_counts;        ///< at bucket * r + digit: count, then end, then end of the free space while keys move
  std::uint32_t* block_counts;  ///< at block * r + digit
  BlockAssignment<Offset>* blocks[2];  ///< blocks of this and the next pass, indexed by the pass's parity
  LocalBucket<Offset>* local;          ///< class after class
};

/// Upper ends of the size classes.
struct ClassEnds {
  int count;
  std::uint32_t keys[kMaxClasses];
  SORTLAB_HOST_DEVICE int of(std::uint32_t size) const {
    int c = 0;
    while (c + 1 < count && size > keys[c]) ++c;
    return c;
  }
};

/// The rules that classify buckets (R1 to R4).
struct Rules {
  ClassEnds classes;
  std::uint32_t local_keys;
  std::uint32_t merge_keys;
  bool list;    ///< false in the last pass, after which all keys are in order, and if the host makes the lists
  bool ranked;  ///< true if local sorts are ranked: some buckets are then left to the block radix sort
};

}  // namespace sortlab::hybrid_radix
