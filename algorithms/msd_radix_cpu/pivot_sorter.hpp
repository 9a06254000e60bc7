// Without the first partition: pivots part the words in place, until what is left fits into a core's cache and is
// sorted there. Threads take ranges from one another: parallel quicksort.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "algorithms/common/thread_team.hpp"
#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/range_pool.hpp"

namespace sortlab::msd {

/// Sorts n elements of one form as words, which lie where the elements do or in scratch memory.
template <class Word, bool values>
class PivotSorter {
 public:
  /// `in_cache`: words that are sorted in cache.
  PivotSorter(std::uint64_t n, std::size_t in_cache, const Form<Word>& form, const Kernels<Word>& kernels, int threads)
      : n_(n),
        // A range that another thread may take over: to sort fewer takes it little longer than to ask.
        shared_(threads == 1 ? n
                             : std::max<std::uint64_t>(kLeastShared, n / (8 * static_cast<std::uint64_t>(threads)))),
        in_cache_(std::max<std::uint64_t>(kernels.small, std::min<std::uint64_t>(in_cache, shared_))),
        form_(&form),
        kernels_(&kernels) {}

  /// `words`, and their values `to_values` beyond: the elements' own memory, where their form allows it, or scratch.
  void begin(const Arrays& arrays, Word* words, std::ptrdiff_t to_values) {
    arrays_ = arrays;
    words_ = words;
    to_values_ = to_values;
    pool_.begin(n_, 2 * static_cast<int>(std::bit_width(n_)));
  }

  /// One thread's part of the work. All threads of the team call it.
  void work(int thread, ThreadTeam& team, CachedSorter<Word, values>& cached) {
    if (!form_->in_place && team.size() == 1 && n_ > in_cache_) {
      part_first();
    } else if (!form_->direct) {
      const auto size = static_cast<std::uint64_t>(team.size());
      const std::uint64_t begin = n_ * static_cast<std::uint64_t>(thread) / size;
      const std::uint64_t end = n_ * static_cast<std::uint64_t>(thread + 1) / size;
      form_->enter(arrays_, begin, end - begin, words_ + begin, words_ + begin + to_values_);
      team.wait();
    }
    while (const auto range = pool_.take()) sort(*range, cached);
  }

 private:
  static constexpr std::uint64_t kLeastShared = 4096;
  static constexpr std::size_t kSampled = 255;

  /// Elements become words on their way through the first partition, which spares a way through memory.
  void part_first() {
    std::array<Word, kSampled> sample;
    for (std::size_t i = 0; i < kSampled; ++i) form_->enter(arrays_, n_ / kSampled * i, 1, &sample[i], tile_[1].data());
    std::ranges::nth_element(sample, sample.begin() + kSampled / 2);
    Room<Word> room{words_, to_values_, n_};
    for (std::uint64_t i = 0; i < n_; i += kTile) {
      const std::size_t n = std::min<std::uint64_t>(kTile, n_ - i);
      form_->enter(arrays_, i, n, tile_[0].data(), tile_[1].data());
      kernels_->part_into(tile_[0].data(), kTile, n, sample[kSampled / 2], room);
    }
    pool_.divide(static_cast<std::uint64_t>(room.words - words_));
  }

  /// Parts a range by pivots down to what fits into the cache, and leaves large parts to other threads. Where pivots
  /// prove bad, quicksort goes on alone, and guards itself.
  void sort(WordRange range, CachedSorter<Word, values>& cached) {
    // Quicksort needs no cache; but words that return to keys and values had better do so from there.
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
    if (range.n <= in_cache_ && cached.worth_it(range.n) &&
        cached.sort_by_digits({&piece, 1}, to_values_, range.n, kernels_->range(words, range.n))) {
      leave(cached.words(), cached.to_values(), range);
    } else {
      kernels_->sort(words, to_values_, range.n);
      leave(words, to_values_, range);
    }
  }

  /// Sorted words go where their elements belong, unless they are there.
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
  RangePool pool_;
  Arrays arrays_{};  ///< of the call at hand
  Word* words_ = nullptr;
  std::ptrdiff_t to_values_ = 0;
  alignas(64) std::array<std::array<Word, kTile>, 2> tile_;  ///< words, and values beside them
};

}  // namespace sortlab::msd
