// One thread's sort of a bucket: the same radix sort in place, with whole buckets as stripes, down to buckets of few
// elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/paradis/histogram.hpp"
#include "algorithms/paradis/permute.hpp"
#include "algorithms/paradis/plan.hpp"
#include "algorithms/paradis/small_sort.hpp"

namespace sortlab::paradis {

/// One thread's sort, with its tables.
template <class K, class V>
class Worker {
 public:
  explicit Worker(const Settings& settings)
      : settings_(settings),
        radix_(std::size_t{1} << settings.digit_bits),
        tables_((3 + levels(settings)) * radix_),
        next_row_(3 * radix_),
        small_(settings.small_sort) {}

  std::uint64_t bytes() const { return tables_.size() * sizeof tables_[0] + small_.bytes(); }
  Stripes stripes() { return {tables_.data(), tables_.data() + radix_, tables_.data() + 2 * radix_}; }

  /// Counts digits into stripes().tail.
  void count(const Run<K, V>& run, Digit<K> digit) {
    count_digits<K>(run.keys, run.n, digit, stripes().tail, stripes().hole_end);
  }

  /// Sorts a run whose keys differ only in the `rest` lowest bits of their images.
  void sort(const Run<K, V>& run, int rest) {
    while (rest > 0) {
      if (run.n <= settings_.insertion) {
        insertion_sort(run, run.n * run.n);
        return;
      }
      if (run.n <= settings_.small_sort) return small_.sort(run, rest);
      const auto digit = Digit<K>::top(rest, settings_.digit_bits);
      count(run, digit);
      const std::uint64_t* const counts = stripes().tail;
      if (!settings_.skips || std::find(counts, counts + digit.radix(), run.n) == counts + digit.radix())
        return split(run, digit);
      rest = differing_bits(run.keys, run.n, run.keys[0]);
    }
  }

 private:
  /// Number of nested levels, each of which holds a row of bucket ends.
  static std::size_t levels(const Settings& settings) {
    return (8 * sizeof(K) - 1) / static_cast<std::size_t>(settings.digit_bits) + 1;
  }

  /// Splits a run by a digit that has been counted, and sorts its buckets.
  void split(const Run<K, V>& run, Digit<K> digit) {
    const Stripes whole = stripes();
    std::uint64_t* const ends = tables_.data() + next_row_;
    std::uint64_t place = 0;
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      whole.head[d] = place;
      place += whole.tail[d];
      whole.tail[d] = place;
      ends[d] = place;
    }
    Permutation<K, V>(run, digit, whole).permute();
    if (digit.shift == 0) return;
    next_row_ += radix_;
    std::uint64_t first = 0;
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      if (ends[d] - first > 1) sort(run.part(first, ends[d]), digit.shift);
      first = ends[d];
    }
    next_row_ -= radix_;
  }

  Settings settings_;
  std::size_t radix_;
  std::vector<std::uint64_t> tables_;  ///< three tables for stripes, then rows of bucket ends
  std::size_t next_row_;               ///< next free row in tables_
  SmallSort<K, V> small_;
};

}  // namespace sortlab::paradis
