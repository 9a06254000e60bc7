// The repair of PARADIS (Cho et al. 2015, algorithm 4). After a speculative permutation, the misplaced elements of a
// bucket lie at the end of each thread's stripe. The repair gathers them at the end of the bucket.
//
// The paper searches for misplaced elements from the front and for right ones from the back, key by key. Here the head
// of a stripe separates the two, so that no key need be read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/paradis/elements.hpp"

namespace sortlab::paradis {

/// One thread's stripe of a bucket: elements in [begin, head) belong to the bucket, those in [head, end) do not.
struct RepairedStripe {
  std::uint64_t begin = 0;
  std::uint64_t head = 0;
  std::uint64_t end = 0;
};

/// Swaps elements until all misplaced ones lie after the bucket's own, and returns the begin of the misplaced ones.
/// get_stripe(t) is stripe t of `stripes` adjacent stripes.
template <class K, class V, class StripeOf>
std::uint64_t repair(const Run<K, V>& run, int stripes, const StripeOf& get_stripe) {
  int front = 0;
  int back = stripes - 1;
  RepairedStripe wrong = get_stripe(front);
  RepairedStripe right = get_stripe(back);
  while (true) {
    while (wrong.head == wrong.end && front + 1 < stripes) wrong = get_stripe(++front);
    while (right.head == right.begin && back > 0) right = get_stripe(--back);
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
  std::uint64_t place = get_stripe(0).begin;
  for (int t = 0; t < stripes; ++t) place += get_stripe(t).head - get_stripe(t).begin;
  return place;
}

}  // namespace sortlab::paradis
