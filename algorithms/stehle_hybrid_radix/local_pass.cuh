// List of local buckets of a pass, shared by the local sorts, and the selection of those that a kernel takes.
#pragma once

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// List of local buckets with 4-byte or 8-byte offsets: one kernel serves both.
struct LocalList {
  void* buckets;
  bool wide;

  template <class Offset>
  explicit LocalList(LocalBucket<Offset>* list) : buckets(list), wide(sizeof(Offset) == kWideOffsets) {}

  __device__ LocalBucket<unsigned long long> at(std::uint32_t i) const {
    if (wide) return static_cast<const LocalBucket<unsigned long long>*>(buckets)[i];
    const auto bucket = static_cast<const LocalBucket<std::uint32_t>*>(buckets)[i];
    return {bucket.keys, bucket.count, bucket.digits};
  }
  __device__ void leave(std::uint32_t i) const {
    constexpr std::uint32_t left = LocalBucket<std::uint32_t>::kLeft;
    if (wide) {
      static_cast<LocalBucket<unsigned long long>*>(buckets)[i].digits |= left;
    } else {
      static_cast<LocalBucket<std::uint32_t>*>(buckets)[i].digits |= left;
    }
  }
};
using Bucket = LocalBucket<unsigned long long>;

/// A size class of the buckets that a pass listed.
template <class Word, class V>
struct LocalPass {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
  LocalList list;
  PassState* state;
  KeyOrder<Word> in;   ///< maps keys as read; the identity if a pass has mapped them
  KeyOrder<Word> out;  ///< maps keys back to their memory format
  int shift;           ///< bits below the pass's digit: the remaining ones of a bucket of one digit
  int bits;            ///< width of the digit
  int size_class;
  bool left;  ///< true to take the buckets that the ranked sort left, false to take the others

  /// Calls `sort(bucket, place in the list)` for each bucket of the class.
  template <class Sort>
  __device__ void for_each_bucket(const Sort& sort) const {
    if (left && state->left == 0) return;
    std::uint32_t begin = 0;
    for (int c = 0; c < size_class; ++c) begin += state->local[c];
    const auto wanted = [&](std::uint32_t i) { return list.at(begin + i).is_left() == left; };
    for_each_wanted(state->local[size_class], wanted, [&](std::uint32_t i) { sort(list.at(begin + i), begin + i); });
  }

  __device__ int bits_left(const Bucket& bucket) const { return bucket.digit_count() == 1 ? shift : shift + bits; }

  /// Leaves a bucket to the block radix sort. Called by one thread.
  __device__ void leave(std::uint32_t listed_at) const {
    list.leave(listed_at);
    atomicAdd(&state->left, 1U);
  }
};

}  // namespace sortlab::hybrid_radix
