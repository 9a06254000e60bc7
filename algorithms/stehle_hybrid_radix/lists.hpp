// Data passed between the kernels of a pass in device memory: buckets, their blocks, and locally sorted buckets. The
// sizes are those of section 4.5.
#pragma once

#include <cstdint>

#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "core/host_device.hpp"

namespace sortlab::hybrid_radix {

/// A block's share of a bucket that is too large to be sorted locally.
template <class Offset>
struct BlockAssignment {
  Offset keys;          ///< where its keys begin
  std::uint32_t count;  ///< of keys
  std::uint32_t bucket;
  Offset bucket_keys;  ///< begin of the bucket: equal in the bucket's first block
};

/// A bucket, or neighbours of one bucket merged, that a block sorts in shared memory.
template <class Offset>
struct LocalBucket {
  Offset keys;
  std::uint32_t count;
  std::uint32_t digits;  ///< first digit of the pass that made it, and from bit 16 on how many there are

  static constexpr std::uint32_t kLeft = 1U << 31;  ///< in `digits`: left by the ranked sort to the other one
  SORTLAB_HOST_DEVICE std::uint32_t first_digit() const { return digits & 0xFFFF; }
  SORTLAB_HOST_DEVICE std::uint32_t digit_count() const { return digits >> 16 & 0x7FFF; }
  SORTLAB_HOST_DEVICE bool is_left() const { return (digits & kLeft) != 0; }
};
static_assert(sizeof(BlockAssignment<std::uint32_t>) == 16 && sizeof(LocalBucket<std::uint32_t>) == 12);
static_assert(sizeof(BlockAssignment<std::uint64_t>) == 24 && sizeof(LocalBucket<std::uint64_t>) == 16);

/// State of a pass before it begins, made by the pass before; all zero at the start of a sort, except the first.
struct PassState {
  std::uint32_t buckets;    ///< to be partitioned
  std::uint32_t blocks;     ///< of them
  unsigned long long keys;  ///< in them
  // Made by the same pass as the rest, and sorted at its end.
  std::uint32_t local[kMostClasses];   ///< buckets to be sorted locally, by class
  std::uint32_t listed[kMostClasses];  ///< of them listed so far
  std::uint32_t merged;                ///< of them of more than one sub-bucket
  std::uint32_t left;                  ///< of them left by the ranked sort to the other one
  unsigned long long local_keys;       ///< in them
};

/// Lists and counters of a sort, in device memory.
template <class Offset>
struct Tables {
  PassState* states;                   ///< one per pass, and one more
  Offset* bucket_counts;               ///< at bucket * r + digit: counts, then ends, then free places while keys move
  std::uint32_t* block_counts;         ///< at block * r + digit
  BlockAssignment<Offset>* blocks[2];  ///< of this pass and of the next, by the pass's parity
  LocalBucket<Offset>* local;          ///< class after class
};

/// Upper ends of the size classes.
struct ClassEnds {
  int count;
  std::uint32_t keys[kMostClasses];
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
  bool list;    ///< false in the last pass, after which all keys are in order, and where the host lists
  bool ranked;  ///< whether local sorts are ranked: some buckets are left to the other sort at once
};

}  // namespace sortlab::hybrid_radix
