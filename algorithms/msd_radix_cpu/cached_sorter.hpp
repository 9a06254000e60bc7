// Sorts a bucket that fits into a core's own cache. One more partition, by an exact histogram, makes runs small enough
// for a sorting network. Moving words into 500 runs costs no more than five levels of quicksort.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "algorithms/msd_radix_cpu/blocks.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "core/pages.hpp"

namespace sortlab::msd {

template <class Word, bool values>
class CachedSorter {
 public:
  CachedSorter(std::size_t capacity, const Kernels<Word>& kernels, PageKind pages)
      : kernels_(&kernels),
        capacity_(capacity),
        memory_((values ? 2 : 1) * capacity * sizeof(Word), pages),
        digits_(capacity),
        ends_(capacity / kMinRun + 2) {}

  std::size_t capacity() const { return capacity_; }
  std::uint64_t bytes() const {
    return memory_.size() + digits_.size() * sizeof digits_[0] + ends_.size() * sizeof ends_[0];
  }
  Word* words() const { return memory_.template data<Word>(); }
  std::ptrdiff_t to_values() const { return values ? static_cast<std::ptrdiff_t>(capacity_) : 0; }

  /// True if n words are enough for digits to be possibly faster than quicksort.
  bool worth_it(std::size_t n) const { return sorts_by_digits(sizeof(Word), n); }

  /// Sorts the words of the pieces, n in all and at most capacity(), into words().
  void sort(std::span<const Piece<Word>> pieces, std::ptrdiff_t to_values, std::size_t n, const Range<Word>& range) {
    const auto known = [&] { return range; };
    if (sort_narrow(pieces, n, known) || sort_by_digits(pieces, to_values, n, known)) return;
    gather(pieces, to_values);
    if (range.low != range.high) kernels_->sort(words(), this->to_values(), n);
  }

  /// Sorts like sort() 64-bit words whose range, which `find_range` returns, 32-bit words hold: a register has twice as
  /// many. Otherwise returns false and moves nothing.
  template <class FindRange>
  bool sort_narrow(std::span<const Piece<Word>> pieces, std::size_t n, const FindRange& find_range) {
    if constexpr (sizeof(Word) == 8 && !values) {
      if (n < kNarrowed || !looks_narrow(pieces)) return false;
      const Range<Word> range = find_range();
      if (!is_narrow(range.low, range.high)) return false;
      std::uint32_t* const narrow = memory_.template data<std::uint32_t>() + n;
      std::size_t i = 0;
      for (const Piece<Word>& piece : pieces) {
        kernels_->narrow(piece.words, piece.n, range.low, narrow + i);
        i += piece.n;
      }
      kernels_->sort_narrowed(narrow, n);
      kernels_->widen(narrow, n, range.low, words());
      return true;
    }
    return false;
  }

  /// Sorts like sort() if that is faster than quicksort: many words that a sample shows to be evenly spread over their
  /// range, which `find_range` returns. Otherwise returns false and moves nothing.
  template <class FindRange>
  bool sort_by_digits(std::span<const Piece<Word>> pieces, std::ptrdiff_t to_values, std::size_t n,
                      const FindRange& find_range) {
    if (!worth_it(n)) return false;
    const Word spread = even_width(pieces);
    if (spread == 0) return false;
    const Range<Word> range = find_range();
    return (range.high - range.low) / 2 <= spread && !(values && range.high == static_cast<Word>(~Word{0})) &&
           partition(pieces, to_values, n, range);
  }

 private:
  /// Minimum average number of words per run.
  static constexpr std::size_t kMinRun = 8;

  void gather(std::span<const Piece<Word>> pieces, std::ptrdiff_t to_values) {
    Word* to = words();
    for (const Piece<Word>& piece : pieces) {
      std::memcpy(to, piece.words, piece.n * sizeof(Word));
      if constexpr (values) std::memcpy(to + this->to_values(), piece.words + to_values, piece.n * sizeof(Word));
      to += piece.n;
    }
  }

  /// True if the range of a few words is narrow, as that of all then usually is.
  static bool looks_narrow(std::span<const Piece<Word>> pieces) {
    Range<Word> range{pieces[0].words[0], pieces[0].words[0]};
    for (const Piece<Word>& piece : {pieces.front(), pieces[pieces.size() / 2], pieces.back()}) {
      for (const std::size_t at : {std::size_t{0}, piece.n / 3, piece.n / 2, piece.n - 1}) {
        range = {std::min(range.low, piece.words[at]), std::max(range.high, piece.words[at])};
      }
    }
    return is_narrow(range.low, range.high);
  }

  /// Prefetches the destination: otherwise each scattered word would wait for a line that is not in cache.
  void fetch(std::size_t first, std::size_t n) const {
    for (std::size_t i = first; i < first + n; i += 64 / sizeof(Word)) {
      __builtin_prefetch(words() + i, 1);
      if constexpr (values) __builtin_prefetch(words() + to_values() + i, 1);
    }
  }

  /// Width of the range over which the words of a sample are evenly spread, so that its equal parts are about equally
  /// full; 0 if they are not.
  Word even_width(std::span<const Piece<Word>> pieces) const {
    constexpr std::size_t sampled = kEvenParts;
    std::array<Word, sampled> sample;
    for (std::size_t i = 0; i < sampled; ++i) {
      const Piece<Word>& piece = pieces[i * pieces.size() / sampled];
      sample[i] = piece.words[pieces.size() < sampled ? i * piece.n / sampled : i * 31 % piece.n];
    }
    const Range<Word> range = kernels_->range(sample.data(), sampled);
    std::array<std::uint16_t, sampled> parts;
    kernels_->digits(sample.data(), sampled, {range, sampled}, parts.data());
    std::array<std::uint8_t, sampled> counts{};
    for (const std::uint16_t part : parts) {
      if (++counts[part] > kFullPart) return 0;
    }
    return range.high - range.low;
  }

  /// Returns false, having moved nothing, if most words have few digits.
  bool partition(std::span<const Piece<Word>> pieces, std::ptrdiff_t to_values, std::size_t n,
                 const Range<Word>& range) {
    // Runs of five sixths of the network's capacity: few then exceed it.
    const Digits<Word> map{range, static_cast<std::uint32_t>(std::max<std::size_t>(2, n * 6 / (kernels_->small * 5)))};
    std::uint32_t* const ends = ends_.data();
    std::fill_n(ends, map.count, 0);
    std::size_t i = 0;
    for (const Piece<Word>& piece : pieces) {
      for (std::size_t done = 0; done < piece.n; done += kTile) {
        const std::size_t some = std::min(kTile, piece.n - done);
        fetch(i, some);
        kernels_->digits(piece.words + done, some, map, digits_.data() + i);
        kernels_->count(digits_.data() + i, some, ends);
        i += some;
      }
    }
    std::uint32_t sum = 0;
    std::uint32_t most = 0;
    for (std::uint32_t d = 0; d < map.count; ++d) {
      most = std::max(most, ends[d]);
      sum += std::exchange(ends[d], sum);
    }
    if (most > n / 4) return false;
    i = 0;
    Word* const to = words();
    const std::ptrdiff_t apart = this->to_values();
    for (const Piece<Word>& piece : pieces) {
      kernels_->scatter(piece.words, to_values, digits_.data() + i, piece.n, ends, to, apart);
      i += piece.n;
    }
    kernels_->sort_runs(to, apart, ends, map.count);
    return true;
  }

  const Kernels<Word>* kernels_;
  std::size_t capacity_;
  Pages memory_;
  std::vector<std::uint16_t> digits_;
  std::vector<std::uint32_t> ends_;  ///< ends of the runs
};

}  // namespace sortlab::msd
