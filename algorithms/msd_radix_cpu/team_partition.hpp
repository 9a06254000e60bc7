// The first partitions of a parallel quicksort: all threads partition the same ranges, by pivots of one sample, until
// there are enough ranges for all of them. Elements that are not words yet become words in the first partition.
//
// Each thread partitions two segments of a range as if they were one. The left segment is as long as the expected
// number of words up to the pivot. So few words lie on the wrong side after one pass, and threads exchange only these.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/range_pool.hpp"
#include "core/thread_team.hpp"

namespace sortlab::msd {

template <class Word, bool values>
class TeamPartition {
 public:
  /// `ranges`: approximate number of ranges to make; 1: nothing is partitioned.
  TeamPartition(std::uint64_t n, std::uint32_t ranges, const Form<Word>& form, const Kernels<Word>& kernels,
                int threads)
      : n_(n),
        ranges_(ranges),
        form_(&form),
        kernels_(&kernels),
        threads_(static_cast<std::uint64_t>(threads)),
        units_(threads == 1 ? 1 : std::clamp(n / kUnit, threads_, kMaxUnits * threads_)),
        sample_(ranges == 1 ? 0 : 2 * std::max(kLeastSampled, kSampledOfRange * ranges)),
        below_(std::uint64_t{3} * ranges * units_) {}

  std::uint64_t bytes() const { return sample_.size() * sizeof sample_[0] + below_.size() * sizeof below_[0]; }

  /// Draws the pivots. `words`: memory for the elements' words, with their values `to_values` further on.
  void begin(const Arrays& arrays, Word* words, std::ptrdiff_t to_values) {
    arrays_ = arrays;
    words_ = words;
    to_values_ = to_values;
    pivots_.clear();
    if (ranges_ > 1) choose_pivots();
  }

  /// True if there are pivots; otherwise there is nothing to do.
  bool parts() const { return !pivots_.empty(); }

  /// One thread's part of the work. All threads of the team call it; the first passes the ranges to the pool.
  void work(int thread, ThreadTeam& team, RangePool& pool) {
    // All threads compute the same intervals.
    std::vector<Interval> intervals{interval(0, n_, 0, pivots_.size())};
    for (bool first = true; !intervals.empty(); first = false) {
      const std::vector<Shares> shares = make_shares(intervals);
      for (std::uint64_t unit; (unit = next_unit_.fetch_add(1)) < units_;) {
        for (const Shares& share : shares) share.below[unit] = part(share, unit, first);
      }
      team.wait();
      if (thread == 0) next_unit_ = 0;
      intervals.clear();
      for (const Shares& share : shares) {
        const std::uint64_t below = share.all_below();
        exchange(share, below, static_cast<std::uint64_t>(thread));
        const Interval& one = share.interval;
        for (const Interval& part : {interval(one.first, below, one.pivots, one.middle),
                                     interval(one.first + below, one.n - below, one.middle + 1, one.pivots_end)}) {
          if (part.n > 0 && part.pivots < part.pivots_end) {
            intervals.push_back(part);
          } else if (thread == 0) {
            give(part, pool);
          }
        }
      }
      team.wait();
    }
  }

 private:
  /// Minimum number of elements that a thread takes at a time, and maximum number of units per thread in a round.
  /// Threads that wake late take fewer units.
  static constexpr std::uint64_t kUnit = 16384;
  static constexpr std::uint64_t kMaxUnits = 8;
  static constexpr std::size_t kLeastSampled = 256;
  static constexpr std::size_t kSampledOfRange = 16;

  struct Pivot {
    Word word;
    std::size_t rank;  ///< number of sampled words up to it
  };

  /// Words between two pivots, and the pivots among them.
  struct Interval {
    std::uint64_t first, n;
    std::size_t pivots, pivots_end;
    std::size_t middle;    ///< the pivot that partitions it
    std::uint64_t likely;  ///< words up to that pivot, estimated from the sample
  };

  struct Stretch {
    std::uint64_t first, n;
  };

  /// Division of an interval among threads. The elements that are partitioned in a round form units of equal size, some
  /// of which lie in the interval.
  struct Shares {
    Interval interval;
    std::uint64_t before, all;  ///< elements of the intervals before it, and of all intervals
    std::uint64_t units;
    Below* below;  ///< result of each unit after its partition

    /// Number of the interval's elements that precede a part of all elements.
    std::uint64_t cut(std::uint64_t part, std::uint64_t parts) const {
      return std::clamp(part_begin(all, part, parts), before, before + interval.n) - before;
    }
    /// The part of `total`, spread evenly over the interval, that lies before the cut.
    std::uint64_t before_part(std::uint64_t part, std::uint64_t parts, std::uint64_t total) const {
      return part_begin(total, cut(part, parts), interval.n);
    }
    Stretch left(std::uint64_t unit) const {
      const std::uint64_t begin = before_part(unit, units, interval.likely);
      const std::uint64_t end = before_part(unit + 1, units, interval.likely);
      return {interval.first + begin, end - begin};
    }
    Stretch right(std::uint64_t unit) const {
      const std::uint64_t begin = before_part(unit, units, interval.n - interval.likely);
      const std::uint64_t end = before_part(unit + 1, units, interval.n - interval.likely);
      return {interval.first + interval.n - end, end - begin};
    }
    /// Number of the interval's elements in the units before `unit`.
    std::uint64_t elements_before(std::uint64_t unit) const {
      return before_part(unit, units, interval.likely) + before_part(unit, units, interval.n - interval.likely);
    }
    std::uint64_t all_below() const {
      std::uint64_t sum = 0;
      for (std::uint64_t unit = 0; unit < units; ++unit) sum += below[unit].left + below[unit].right;
      return sum;
    }
  };

  /// Begin of part `part` of `parts` among `all` elements. Monotone in `part`; equals `all` for part == parts.
  static std::uint64_t part_begin(std::uint64_t all, std::uint64_t part, std::uint64_t parts) {
    return static_cast<std::uint64_t>(static_cast<double>(all) *
                                      (static_cast<double>(part) / static_cast<double>(parts)));
  }

  std::vector<Shares> make_shares(const std::vector<Interval>& intervals) {
    std::uint64_t all = 0;
    for (const Interval& interval : intervals) all += interval.n;
    std::vector<Shares> shares;
    std::uint64_t before = 0;
    for (const Interval& interval : intervals) {
      shares.push_back({interval, before, all, units_, below_.data() + shares.size() * units_});
      before += interval.n;
    }
    return shares;
  }

  /// Chooses pivots as quantiles of a sample. A frequent word is also separated from the words below it, so that it is
  /// in its place.
  void choose_pivots() {
    const std::size_t sampled = sample_.size() / 2;
    for (std::size_t i = 0; i < sampled; ++i) {
      // Golden-ratio steps: as even as equal steps, and never in phase with a period of the input.
      const std::uint64_t step = i * 0x9E3779B97F4A7C15U;
      const auto place = static_cast<std::uint64_t>(static_cast<unsigned __int128>(step) * n_ >> 64);
      form_->enter(arrays_, place, 1, &sample_[i], &sample_[sampled + i]);
    }
    kernels_->sort(sample_.data(), static_cast<std::ptrdiff_t>(sampled), sampled);
    const auto words = std::span{sample_}.first(sampled);
    const auto add = [&](Word word, auto end) {
      if (!pivots_.empty() && pivots_.back().word >= word) return;
      pivots_.push_back({word, static_cast<std::size_t>(end - words.begin())});
    };
    for (std::size_t i = 1; i < ranges_; ++i) {
      const Word word = words[i * sampled / ranges_];
      const auto equal = std::ranges::equal_range(words, word);
      const bool many = equal.size() > sampled / ranges_ / 2;
      if (many && word > 0) add(static_cast<Word>(word - 1), equal.begin());
      if (word < std::numeric_limits<Word>::max()) add(word, equal.end());
    }
  }

  Interval interval(std::uint64_t first, std::uint64_t n, std::size_t pivots, std::size_t pivots_end) const {
    if (pivots == pivots_end) return {first, n, pivots, pivots_end, 0, 0};
    const std::size_t low = pivots == 0 ? 0 : pivots_[pivots - 1].rank;
    const std::size_t high = pivots_end == pivots_.size() ? sample_.size() / 2 : pivots_[pivots_end].rank;
    std::size_t middle = pivots;
    while (middle + 1 < pivots_end && pivots_[middle].rank + pivots_[middle + 1].rank < low + high) ++middle;
    const std::uint64_t likely = part_begin(n, pivots_[middle].rank - low, std::max<std::size_t>(1, high - low));
    return {first, n, pivots, pivots_end, middle, likely};
  }

  /// Partitions the part of an interval in a unit. `first`: its elements are not words yet, unless the form is direct.
  Below part(const Shares& shares, std::uint64_t unit, bool first) const {
    const Stretch left = shares.left(unit);
    const Stretch right = shares.right(unit);
    if (left.n + right.n == 0) return {0, 0};
    const Word pivot = pivots_[shares.interval.middle].word;
    if (first && !form_->in_place) return enter_parted(left, right, shares.elements_before(unit), pivot);
    if (first && !form_->direct) {
      enter(left.first, left);
      enter(right.first, right);
    }
    return part_apart(left, right, pivot);
  }

  void enter(std::uint64_t from, const Stretch& to) const {
    form_->enter(arrays_, from, to.n, words_ + to.first, words_ + to.first + to_values_);
  }

  Below part_apart(const Stretch& left, const Stretch& right, Word pivot) const {
    return kernels_->part_apart(words_ + left.first, left.n, words_ + right.first, right.n, to_values_, pivot);
  }

  /// Converts elements from `from` on to words, which go to either segment while both have room. The last ones fill up
  /// both segments, and are partitioned there.
  Below enter_parted(Stretch left, Stretch right, std::uint64_t from, Word pivot) const {
    alignas(64) std::array<Word, (values ? 2 : 1) * kTile> tile;
    const std::uint64_t left_begin = left.first;
    const std::uint64_t left_end = left.first + left.n;
    while (std::min(left.n, right.n) >= kTile) {
      form_->enter(arrays_, from, kTile, tile.data(), tile.data() + tile.size() - kTile);
      from += kTile;
      Room<Word> room{words_ + left.first, to_values_, right.first + right.n - left.first};
      kernels_->part_into(tile.data(), kTile, kTile, pivot, room);
      left.first = static_cast<std::uint64_t>(room.words - words_);
      left.n = left_end - left.first;
      right.n = left.first + room.n - right.first;
    }
    enter(from, left);
    enter(from + left.n, right);
    const Below below = part_apart(left, right, pivot);
    return {left.first - left_begin + below.left, below.right};
  }

  /// Exchanges misplaced words after all units of an interval are partitioned, with `below` words up to the pivot. Each
  /// thread swaps its share of the words up to the pivot that lie too high with as many greater words that lie too low.
  void exchange(const Shares& shares, std::uint64_t below, std::uint64_t thread) const {
    const Interval& interval = shares.interval;
    if (shares.cut(thread, threads_) == shares.cut(thread + 1, threads_)) return;
    const std::uint64_t border = interval.first + below;
    std::vector<Stretch> greater;
    std::vector<Stretch> others;
    std::uint64_t misplaced = 0;
    const auto find = [&](const Stretch& stretch, std::uint64_t n_below) {
      const std::uint64_t middle = stretch.first + n_below;
      const std::uint64_t end = std::min(stretch.first + stretch.n, border);
      const std::uint64_t begin = std::max(stretch.first, border);
      if (middle < end) {
        greater.push_back({middle, end - middle});
        misplaced += end - middle;
      }
      if (begin < middle) others.push_back({begin, middle - begin});
    };
    for (std::uint64_t unit = 0; unit < units_; ++unit) {
      find(shares.left(unit), shares.below[unit].left);
      find(shares.right(unit), shares.below[unit].right);
    }
    swap(greater, others, shares.before_part(thread, threads_, misplaced),
         shares.before_part(thread + 1, threads_, misplaced));
  }

  /// Swaps the begin-th to end-th words of the segments `a` with those of the segments `b`, which have as many words.
  void swap(const std::vector<Stretch>& a, const std::vector<Stretch>& b, std::uint64_t begin,
            std::uint64_t end) const {
    std::uint64_t before_a = 0;  // words of the segments before the i-th
    std::uint64_t before_b = 0;
    for (std::size_t i = 0, j = 0; begin < end;) {
      while (begin >= before_a + a[i].n) before_a += a[i++].n;
      while (begin >= before_b + b[j].n) before_b += b[j++].n;
      const std::uint64_t n = std::min({end, before_a + a[i].n, before_b + b[j].n}) - begin;
      Word* const to_a = words_ + a[i].first + (begin - before_a);
      Word* const to_b = words_ + b[j].first + (begin - before_b);
      std::swap_ranges(to_a, to_a + n, to_b);
      if constexpr (values) std::swap_ranges(to_a + to_values_, to_a + to_values_ + n, to_b + to_values_);
      begin += n;
    }
  }

  /// Passes a range to the pool. A range between two neighbouring word values holds equal words and is sorted: it is
  /// divided, so that all threads convert it back to keys and values.
  void give(const Interval& interval, RangePool& pool) const {
    const bool begins = interval.pivots == 0;
    const bool ends = interval.pivots == pivots_.size();
    const Word low = begins ? 0 : pivots_[interval.pivots - 1].word + 1;
    const Word high = ends ? std::numeric_limits<Word>::max() : pivots_[interval.pivots].word;
    const std::uint64_t parts = low < high ? 1 : threads_;
    for (std::uint64_t p = 0; p < parts; ++p) {
      const std::uint64_t first = part_begin(interval.n, p, parts);
      pool.give({interval.first + first, part_begin(interval.n, p + 1, parts) - first, max_levels(n_), low == high});
    }
  }

  std::uint64_t n_;
  std::uint32_t ranges_;
  const Form<Word>* form_;
  const Kernels<Word>* kernels_;
  std::uint64_t threads_;
  std::uint64_t units_;
  std::atomic<std::uint64_t> next_unit_ = 0;
  std::vector<Word> sample_;  ///< sampled words, and room for values
  std::vector<Pivot> pivots_;
  std::vector<Below> below_;  ///< results of each unit of each interval
  Arrays arrays_{};           ///< arrays of the current call
  Word* words_ = nullptr;
  std::ptrdiff_t to_values_ = 0;
};

}  // namespace sortlab::msd
