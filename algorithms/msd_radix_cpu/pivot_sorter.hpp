// The mode without a partition by digits: pivots partition the words in place until a range fits into a core's cache
// and is sorted there. A team makes the first partitions together. Then threads take ranges from one another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/range_pool.hpp"
#include "algorithms/msd_radix_cpu/team_partition.hpp"
#include "core/thread_team.hpp"

namespace sortlab::msd {

/// Sorts n elements of one form as words, in place or in scratch memory.
template <class Word, bool values>
class PivotSorter {
 public:
  /// `in_cache`: maximum number of words that are sorted in cache.
  PivotSorter(std::uint64_t n, std::size_t in_cache, const Form<Word>& form, const Kernels<Word>& kernels, int threads)
      : n_(n),
        shared_(shared_range(n, threads)),
        in_cache_(std::max<std::uint64_t>(kernels.small, std::min<std::uint64_t>(in_cache, shared_))),
        form_(&form),
        kernels_(&kernels),
        together_(n, ranges(n, form, threads), form, kernels, threads) {}

  std::uint64_t bytes() const { return together_.bytes(); }

  /// `words`: memory of the words, with their values `to_values` further on. It is the elements' own memory if the form
  /// allows that, otherwise scratch.
  void begin(const Arrays& arrays, Word* words, std::ptrdiff_t to_values) {
    arrays_ = arrays;
    words_ = words;
    to_values_ = to_values;
    pool_.begin(n_);
    together_.begin(arrays, words, to_values);
  }

  /// One thread's part of the work. All threads of the team call it.
  void work(int thread, ThreadTeam& team, CachedSorter<Word, values>& cached) {
    if (together_.parts()) {
      together_.work(thread, team, pool_);
    } else {
      if (!form_->direct) {
        const auto size = static_cast<std::uint64_t>(team.size());
        const std::uint64_t begin = n_ * static_cast<std::uint64_t>(thread) / size;
        const std::uint64_t end = n_ * static_cast<std::uint64_t>(thread + 1) / size;
        form_->enter(arrays_, begin, end - begin, words_ + begin, words_ + begin + to_values_);
        team.wait();
      }
      if (thread == 0) pool_.give({0, n_, max_levels(n_)});
    }
    while (const auto range = pool_.take()) sort(*range, cached);
  }

 private:
  /// Number of ranges that the first partitions make. Even one thread partitions elements while it converts them to
  /// words, which saves a pass through memory.
  std::uint32_t ranges(std::uint64_t n, const Form<Word>& form, int threads) const {
    return threads == 1 && !form.in_place && n > in_cache_ ? 2 : ranges_of_team(n, threads);
  }

  /// Partitions a range by pivots until it fits into the cache, and offers large parts to other threads. After bad
  /// pivots, quicksort continues alone, with its own fallback.
  void sort(WordRange range, CachedSorter<Word, values>& cached) {
    if (range.sorted) return leave(words_ + range.first, to_values_, range);
    // Quicksort need not run in cache, but words should be converted back to keys and values while they are there.
    const std::uint64_t small = form_->direct && !cached.worth_it(in_cache_) ? shared_ : in_cache_;
    while (range.n > small && range.levels > 0) {
      const Parts parts = kernels_->part(words_ + range.first, to_values_, range.n);
      const WordRange upper{range.first + parts.below, range.n - parts.below, range.levels - 1};
      leave(words_ + range.first + parts.less, to_values_, {range.first + parts.less, parts.below - parts.less, 0});
      range = {range.first, parts.less, range.levels - 1};
      if (upper.n > shared_) {
        pool_.give(upper);
      } else {
        sort(upper, cached);
      }
    }
    Word* const words = words_ + range.first;
    const Piece<Word> piece{words, range.n};
    const auto find_range = [&] { return kernels_->range(words, range.n); };
    if (range.n <= in_cache_ && (cached.sort_narrow({&piece, 1}, range.n, find_range) ||
                                 cached.sort_by_digits({&piece, 1}, to_values_, range.n, find_range))) {
      leave(cached.words(), cached.to_values(), range);
    } else {
      kernels_->sort(words, to_values_, range.n);
      leave(words, to_values_, range);
    }
  }

  /// Converts sorted words back to elements in their places, unless they are there already.
  void leave(const Word* sorted, std::ptrdiff_t to_values, const WordRange& range) {
    Word* const place = words_ + range.first;
    if (!form_->direct) {
      form_->leave(sorted, sorted + to_values, range.n, arrays_, range.first);
    } else if (sorted != place) {
      std::memcpy(place, sorted, range.n * sizeof(Word));
      if constexpr (values) std::memcpy(place + to_values_, sorted + to_values, range.n * sizeof(Word));
    }
    pool_.sorted(range.n);
  }

  std::uint64_t n_;
  std::uint64_t shared_;
  std::uint64_t in_cache_;
  const Form<Word>* form_;
  const Kernels<Word>* kernels_;
  TeamPartition<Word, values> together_;
  RangePool pool_;
  Arrays arrays_{};  ///< arrays of the current call
  Word* words_ = nullptr;
  std::ptrdiff_t to_values_ = 0;
};

}  // namespace sortlab::msd
