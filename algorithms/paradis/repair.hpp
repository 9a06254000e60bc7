// The repair of PARADIS (Cho et al. 2015, algorithm 4): after a speculative permutation, the misplaced elements of a
// bucket, which lie at the end of each thread's stripe of it, are gathered at the end of the bucket.
//
// The paper searches for misplaced elements from the front and for right ones from the back, key by key. Here the head
// of a stripe separates the two, so that no key is read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/paradis/elements.hpp"

namespace sortlab::paradis {

/// One thread's stripe of a bucket: [begin, head) are elements of the bucket, [head, end) are not.
struct RepairedStripe {
  std::uint64_t begin = 0;
  std::uint64_t head = 0;
  std::uint64_t end = 0;
};

/// Swaps until no misplaced element of the bucket lies before one of its own; stripe_of(t) is stripe t of `stripes`,
/// which follow one another. Returns where the misplaced elements begin.
template <class K, class V, class StripeOf>
std::uint64_t repair(const Run<K, V>& run, int stripes, const StripeOf& stripe_of) {
  int front = 0;
  int back = stripes - 1;
  RepairedStripe wrong = stripe_of(front);
  RepairedStripe right = stripe_of(back);
  while (true) {
    while (wrong.head == wrong.end && front + 1 < stripes) wrong = stripe_of(++front);
    while (right.head == right.begin && back > 0) right = stripe_of(--back);
    if (wrong.head >= right.head) break;
    const std::uint64_t count = std::min(wrong.end - wrong.head, right.head - right.begin);
    if (count == 0) break;
    const std::uint64_t from = right.head - count;
    std::swap_ranges(run.keys + wrong.head, run.keys + wrong.head + count, run.keys + from);
    if constexpr (Run<K, V>::has_values) {
      std::swap_ranges(run.values + wrong.head, run.values + wrong.head + count, run.values + from);
    }
    wrong.head += count;
    right.head -= count;
  }
  std::uint64_t place = stripe_of(0).begin;
  for (int t = 0; t < stripes; ++t) place += stripe_of(t).head - stripe_of(t).begin;
  return place;
}

}  // namespace sortlab::paradis
