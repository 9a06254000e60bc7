// One thread's work on a bucket: sorts its pieces, which lie anywhere in scratch memory, and writes them to the output.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/msd_radix_cpu/blocks.hpp"
#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/streamed_output.hpp"

namespace sortlab::msd {

struct Bucket {
  std::uint64_t first = 0;  ///< position of its first element in the output
  std::uint64_t n = 0;
};

template <class Word, bool values>
class BucketSorter {
 public:
  BucketSorter(const Plan& plan, const Form<Word>& form, const Kernels<Word>& kernels, Blocks<Word>& blocks,
               PageKind pages)
      : kernels_(&kernels),
        source_(blocks),
        splitter_(kSplit, plan.lines, source_, kernels, pages),
        cached_(plan.capacity, kernels, pages),
        output_(form) {}

  std::uint64_t bytes() const { return splitter_.bytes() + cached_.bytes() + sizeof *this; }
  BlockSource<Word>& source() { return source_; }
  CachedSorter<Word, values>& cached() { return cached_; }

  void begin(const Arrays& to) {
    to_ = to;
    source_.begin();
  }

  /// Sorts the pieces of a bucket into the output. Other threads see the result after finish_streaming(). `splits`:
  /// number of splits that led to this bucket.
  void sort(const std::vector<Piece<Word>>& pieces, const Bucket& bucket, int splits = 0) {
    if (bucket.n == 0) return;
    const Range<Word> range = pieces_range(pieces);
    if (range.low != range.high && bucket.n > cached_.capacity()) return split(pieces, bucket, splits, range);
    if (range.low == range.high) {
      std::uint64_t first = bucket.first;
      for (const Piece<Word>& piece : pieces) {
        output_.leave(piece.words, piece.words + blocks().to_values(), piece.n, to_, first);
        first += piece.n;
      }
    } else {
      cached_.sort(pieces, blocks().to_values(), bucket.n, range);
      const Word* const words = cached_.words();
      output_.leave(words, words + cached_.to_values(), bucket.n, to_, bucket.first);
    }
    for (const Piece<Word>& piece : pieces) source_.give(blocks().containing_block(piece.words));
  }

 private:
  static constexpr std::size_t kSampled = 255;

  const Blocks<Word>& blocks() const { return source_.blocks(); }

  /// Prefetch distance in pieces.
  static constexpr std::size_t kAhead = 4;

  void prefetch(const Piece<Word>& piece) const {
    for (std::size_t i = 0; i < piece.n; i += kLineBytes / sizeof(Word)) {
      __builtin_prefetch(piece.words + i);
      if constexpr (values) __builtin_prefetch(piece.words + blocks().to_values() + i);
    }
  }

  Range<Word> pieces_range(const std::vector<Piece<Word>>& pieces) const {
    Range<Word> range{std::numeric_limits<Word>::max(), 0};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      // Blocks lie anywhere, so the hardware prefetcher cannot predict the next one.
      if (i + kAhead < pieces.size()) prefetch(pieces[i + kAhead]);
      const Range<Word> part = kernels_->range(pieces[i].words, pieces[i].n);
      range = {std::min(range.low, part.low), std::max(range.high, part.high)};
    }
    return range;
  }

  /// Splits a bucket that is too large for the cache: its words move to other blocks by finer digits. Blocks that have
  /// been read become free.
  void split(const std::vector<Piece<Word>>& pieces, const Bucket& bucket, int splits, Range<Word> range) {
    if (splits % 2 == 0) range = central_range(pieces, range);
    const Digits<Word> map{range, kSplit};
    splitter_.begin(map.count);
    for (const Piece<Word>& piece : pieces) {
      for (std::size_t i = 0; i < piece.n; i += kTile) {
        const Word* const words = piece.words + i;
        const std::size_t n = std::min(kTile, piece.n - i);
        kernels_->digits(words, n, map, digits_.data());
        splitter_.append(words, words + blocks().to_values(), digits_.data(), n);
      }
      source_.give(blocks().containing_block(piece.words));
    }
    splitter_.end(map.count);
    const std::vector<Chain> chains = splitter_.chains();
    for (std::uint32_t d = 0; d < map.count; ++d) {
      if (blocks().ends_empty(chains[d])) source_.give(chains[d].last);
    }
    // Buckets that fit into the cache come first, and free their blocks. Partly filled blocks that wait for another
    // split are then no more than the buckets larger than the cache.
    for (const bool large : {false, true}) {
      Bucket part{bucket.first, 0};
      for (std::uint32_t d = 0; d < map.count; ++d) {
        part.n = chains[d].elements;
        if ((part.n > cached_.capacity()) == large) {
          std::vector<Piece<Word>> parts;
          blocks().add_pieces(chains[d], parts);
          sort(parts, part, splits + 1);
        }
        part.first += part.n;
      }
    }
  }

  /// The range without the outer thirtieths of the sample; or the most frequent value with its neighbours, if most of
  /// the sample has it.
  Range<Word> central_range(const std::vector<Piece<Word>>& pieces, const Range<Word>& all) {
    for (std::size_t i = 0; i < kSampled; ++i) {
      const Piece<Word>& piece = pieces[i * pieces.size() / kSampled];
      sampled_words_[i] = piece.words[i * 7919 % piece.n];
    }
    std::sort(sampled_words_.begin(), sampled_words_.end());
    const Range<Word> most{sampled_words_[8], sampled_words_[kSampled - 9]};
    if (most.low != most.high) return most;
    return {most.low == all.low ? most.low : static_cast<Word>(most.low - 1),
            most.high == all.high ? most.high : static_cast<Word>(most.high + 1)};
  }

  const Kernels<Word>* kernels_;
  BlockSource<Word> source_;
  Distributor<Word, values> splitter_;
  CachedSorter<Word, values> cached_;
  StreamedOutput<Word> output_;
  Arrays to_{};  ///< arrays of the current call
  std::array<Word, kSampled> sampled_words_;
  alignas(64) std::array<std::uint16_t, kTile> digits_;
};

}  // namespace sortlab::msd
