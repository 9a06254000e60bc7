// Sorts uniform ranks quickly, for inputs that are sorted by definition. The sorted sequence is unique, so the input
// does not depend on the algorithm or the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

namespace sortlab {
namespace sort_ranks_detail {

inline constexpr std::uint64_t kSmall = 1024;  ///< number of ranks below which a comparison sort is as fast
inline constexpr int kDigits = 3;              ///< counting passes within a bucket
inline constexpr int kLargestDigit = 8;        ///< maximum bits of a pass

/// Sorts a bucket of `n` ranks whose bits from `bits` up are equal, from `from` to `to`; overwrites both. Makes three
/// counting passes over the highest bits, and an insertion sort that has little left to do.
template <class B>
void sort_bucket(B* from, B* to, std::uint64_t n, int bits) {
  if (n < kSmall) {
    std::copy_n(from, n, to);
    std::sort(to, to + n);
    return;
  }
  const int counted = std::min(bits, kDigits * kLargestDigit);
  const int digit = (counted + kDigits - 1) / kDigits;
  for (int pass = 0; pass < kDigits; ++pass, std::swap(from, to)) {
    const int shift = bits - counted + pass * digit;
    const auto rank_digit = [=](B rank) {
      return shift >= bits ? 0 : static_cast<std::uint32_t>(rank >> shift) & ((1U << digit) - 1);
    };
    std::uint64_t place[1 << kLargestDigit] = {};
    for (std::uint64_t i = 0; i < n; ++i) ++place[rank_digit(from[i])];
    std::uint64_t sum = 0;
    for (std::uint64_t& p : place) sum += std::exchange(p, sum);
    for (std::uint64_t i = 0; i < n; ++i) to[place[rank_digit(from[i])]++] = from[i];
  }
  B* const sorted = from;  // the array `to`, after an odd number of passes
  for (std::uint64_t i = 1; i < n; ++i) {
    const B rank = sorted[i];
    std::uint64_t hole = i;
    for (; hole > 0 && rank < sorted[hole - 1]; --hole) sorted[hole] = sorted[hole - 1];
    sorted[hole] = rank;
  }
}

}  // namespace sort_ranks_detail

/// Sorts n ranks below 2^bits with `threads` threads. `scratch` has room for n ranks. The sort is fast for uniform
/// ranks, whose highest bits divide them evenly into buckets that fit into a cache.
template <class B>
void sort_ranks(B* ranks, B* scratch, std::uint64_t n, int bits, int threads) {
  using namespace sort_ranks_detail;
  if (n < kSmall) {
    std::sort(ranks, ranks + n);
    return;
  }
  const int bucket_bits = std::min({bits, 8, std::max(0, static_cast<int>(std::bit_width(n)) - 15)});
  const std::uint64_t buckets = std::uint64_t{1} << bucket_bits;
  const int shift = bits - bucket_bits;
  const auto rank_bucket = [=](B rank) { return bucket_bits == 0 ? 0 : static_cast<std::uint64_t>(rank >> shift); };

  // Each part of the input counts its ranks by bucket, and then writes them to its share of each bucket.
  const std::uint64_t parts = static_cast<std::uint64_t>(std::max(threads, 1));
  const auto part_begin = [&](std::uint64_t part) { return n / parts * part + std::min(part, n % parts); };
  std::vector<std::uint64_t> place(parts * buckets);
  in_parallel(parts, threads, 1, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t part = begin; part < end; ++part) {
      std::uint64_t* const count = &place[part * buckets];
      for (const B& rank : std::span{ranks + part_begin(part), ranks + part_begin(part + 1)})
        ++count[rank_bucket(rank)];
    }
  });
  std::vector<std::uint64_t> bucket_begin(buckets + 1, n);
  std::uint64_t sum = 0;
  for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
    bucket_begin[bucket] = sum;
    for (std::uint64_t part = 0; part < parts; ++part) sum += std::exchange(place[part * buckets + bucket], sum);
  }
  in_parallel(parts, threads, 1, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t part = begin; part < end; ++part) {
      std::uint64_t* const to = &place[part * buckets];
      for (const B& rank : std::span{ranks + part_begin(part), ranks + part_begin(part + 1)}) {
        scratch[to[rank_bucket(rank)]++] = rank;
      }
    }
  });
  std::atomic<std::uint64_t> next{0};
  in_parallel(parts, threads, 1, [&](std::uint64_t, std::uint64_t) {
    for (std::uint64_t bucket = next++; bucket < buckets; bucket = next++) {
      const std::uint64_t begin = bucket_begin[bucket];
      sort_bucket(scratch + begin, ranks + begin, bucket_begin[bucket + 1] - begin, shift);
    }
  });
}

}  // namespace sortlab
