// The sort: one partition of all elements into blocks in scratch memory, then each bucket sorted in a core's own cache
// and written where it belongs. Memory is read twice and written twice, whatever the width of the keys.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/common/thread_team.hpp"
#include "algorithms/msd_radix_cpu/blocks.hpp"
#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/runs.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::msd {

/// Sorts n elements of one form, whose words have values beside them or not.
template <class Word, bool values>
class MsdSorter final : public Sorter {
 public:
  MsdSorter(std::uint64_t n, const Form<Word>& form, const Plan& plan, const Kernels<Word>& kernels,
            const Resources& resources)
      : n_(n),
        form_(form),
        plan_(plan),
        kernels_(&kernels),
        team_(resources.threads, resources.cpus),
        blocks_(plan.blocks, plan.block_elements, values, resources.pages),
        next_digit_(0) {
    for (int i = 0; i < team_.size(); ++i) {
      workers_.push_back(std::make_unique<Worker>(plan, kernels, blocks_, resources.pages));
    }
    buckets_.resize(plan.digits);
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = blocks_.bytes() + buckets_.size() * sizeof buckets_[0];
    for (const auto& worker : workers_) bytes += worker->bytes();
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (n_ < 2) return data;
    arrays_ = {data.keys.data, data.values.data};
    {
      const auto phase = phases.phase("guard");
      // More than two threads sort faster than one merges, and to merge takes scratch memory.
      const std::size_t most = team_.size() > 2 || plan_.blocks == 0 ? 1 : kMostRuns;
      if (form_.merge_runs(arrays_, n_, most, blocks_.words(), kernels_->ascending)) return data;
    }
    if (plan_.digits == 1) {
      const auto phase = phases.phase("sort");
      sort_alone();
      return data;
    }
    const Digits<Word> map = sample();
    if (team_.size() == 1 && splits_much(map)) {
      const auto phase = phases.phase("sort");
      sort_alone();
      return data;
    }
    next_tile_ = 0;
    next_digit_ = 0;
    blocks_.free_all();
    team_.run([&](int thread) {
      Worker& worker = *workers_[static_cast<std::size_t>(thread)];
      {
        const auto phase = phases.phase("partition", 0, thread);
        partition(map, worker);
      }
      team_.wait();
      if (thread == 0) place_buckets(map.count);
      team_.wait();
      const auto phase = phases.phase("sort", 0, thread);
      for (std::uint32_t d; (d = next_digit_.fetch_add(1)) < map.count;) sort_bucket(d, worker);
    });
    return data;
  }

 private:
  /// Elements that are taken from the input at a time: their words and digits stay in the L1 cache.
  static constexpr std::size_t kTile = 1024;
  static constexpr std::size_t kTilesAtOnce = 16;

  struct Bucket {
    std::uint64_t first = 0;  ///< its place in the output
    std::uint64_t n = 0;
  };

  struct Worker {
    Worker(const Plan& plan, const Kernels<Word>& kernels, Blocks<Word>& blocks, PageKind pages)
        : source(blocks),
          distributor(plan.digits, plan.lines, source, kernels, pages),
          splitter(kSplit, plan.lines, source, kernels, pages),
          cached(plan.capacity, kernels, pages) {}
    std::uint64_t bytes() const { return distributor.bytes() + splitter.bytes() + cached.bytes() + sizeof *this; }

    BlockSource<Word> source;
    Distributor<Word, values> distributor;
    Distributor<Word, values> splitter;
    CachedSorter<Word, values> cached;
    alignas(64) std::array<Word, kTile> words;
    alignas(64) std::array<Word, values ? kTile : 1> beside;
    alignas(64) std::array<std::uint16_t, kTile> digits;
  };

  /// One thread, without the first partition.
  void sort_alone() {
    Word* words = blocks_.words();
    std::ptrdiff_t to_values = blocks_.to_values();
    if (form_.in_place) {
      words = static_cast<Word*>(arrays_.keys);
      to_values = values ? static_cast<Word*>(arrays_.values) - words : 0;
    }
    if (!form_.direct) form_.enter(arrays_, 0, n_, words, words + to_values);
    halve(words, to_values, n_, static_cast<int>(std::bit_width(n_)));
    if (!form_.direct) form_.leave(words, words + to_values, n_, arrays_, 0);
  }

  /// Partitions by pivots down to what fits into the cache. Where pivots prove bad, quicksort goes on alone, and guards
  /// itself.
  void halve(Word* words, std::ptrdiff_t to_values, std::size_t n, int levels) {
    if (n <= plan_.capacity) {
      CachedSorter<Word, values>& cached = workers_.front()->cached;
      if (!cached.worth_it(n)) return kernels_->sort(words, to_values, n);
      const Piece<Word> piece{words, n};
      cached.sort({&piece, 1}, to_values, n, kernels_->range(words, n));
      std::memcpy(words, cached.words(), n * sizeof(Word));
      if constexpr (values) std::memcpy(words + to_values, cached.words() + cached.to_values(), n * sizeof(Word));
      return;
    }
    const std::size_t below = levels == 0 ? n : kernels_->partition(words, to_values, n);
    if (below == n) return kernels_->sort(words, to_values, n);
    halve(words, to_values, below, levels - 1);
    halve(words + below, to_values, n - below, levels - 1);
  }

  /// Digits for the first partition, from a sample of the words. Its range grows by what n words are likely to exceed
  /// it by.
  Digits<Word> sample() {
    Worker& worker = *workers_.front();
    for (std::size_t i = 0; i < kTile; ++i)
      form_.enter(arrays_, n_ / kTile * i, 1, &worker.words[i], worker.beside.data());
    Range<Word> range = kernels_->range(worker.words.data(), kTile);
    const Word margin = (range.high - range.low) / (kTile / 4);
    range.low -= std::min(range.low, margin);
    range.high += std::min(static_cast<Word>(~range.high), margin);
    return {range, plan_.digits};
  }

  /// Whether a quarter of the sampled words lie in buckets too large for the cache: pivots then do better than digits.
  bool splits_much(const Digits<Word>& map) {
    Worker& worker = *workers_.front();
    kernels_->digits(worker.words.data(), kTile, map, worker.digits.data());
    std::sort(worker.digits.begin(), worker.digits.end());
    const std::size_t fits = std::max<std::size_t>(2, 2 * kTile * plan_.capacity / n_);
    std::size_t much = 0;
    for (std::size_t i = 0, end = 0; i < kTile; i = end) {
      while (end < kTile && worker.digits[end] == worker.digits[i]) ++end;
      if (end - i > fits) much += end - i;
    }
    return much > kTile / 4;
  }

  /// Takes tiles of the input as long as there are any, and appends their elements to the chains of their digits.
  void partition(const Digits<Word>& map, Worker& worker) {
    worker.source.begin();
    worker.distributor.begin(map.count);
    constexpr std::uint64_t stride = kTile * kTilesAtOnce;
    for (std::uint64_t first; (first = next_tile_.fetch_add(stride)) < n_;) {
      const std::uint64_t end = std::min(n_, first + stride);
      for (std::uint64_t i = first; i < end; i += kTile) {
        const std::size_t n = std::min<std::uint64_t>(kTile, end - i);
        const Word* words = worker.words.data();
        const Word* beside = worker.beside.data();
        if (form_.direct) {
          words = static_cast<const Word*>(arrays_.keys) + i;
          if constexpr (values) beside = static_cast<const Word*>(arrays_.values) + i;
        } else {
          form_.enter(arrays_, i, n, worker.words.data(), worker.beside.data());
        }
        kernels_->digits(words, n, map, worker.digits.data());
        worker.distributor.append(words, beside, worker.digits.data(), n);
      }
    }
    worker.distributor.end(map.count);
  }

  void place_buckets(std::uint32_t digits) {
    std::uint64_t first = 0;
    for (std::uint32_t d = 0; d < digits; ++d) {
      std::uint64_t n = 0;
      for (const auto& worker : workers_) n += worker->distributor.chain(d).elements;
      buckets_[d] = {first, n};
      first += n;
    }
  }

  void sort_bucket(std::uint32_t digit, Worker& worker) {
    const Bucket& bucket = buckets_[digit];
    std::vector<Piece<Word>> pieces;
    for (const auto& source : workers_) add_pieces(source->distributor.chain(digit), pieces);
    sort_pieces(pieces, bucket, 0, worker);
  }

  void add_pieces(const Chain& chain, std::vector<Piece<Word>>& pieces) const {
    std::uint32_t block = chain.first;
    for (std::uint64_t left = chain.elements; left > 0; block = blocks_.next(block)) {
      const std::size_t n = std::min<std::uint64_t>(left, blocks_.elements());
      pieces.push_back({blocks_.words(block), n});
      left -= n;
    }
  }

  /// Pieces read ahead.
  static constexpr std::size_t kAhead = 4;

  void prefetch(const Piece<Word>& piece) const {
    for (std::size_t i = 0; i < piece.n; i += kLineBytes / sizeof(Word)) {
      __builtin_prefetch(piece.words + i);
      if constexpr (values) __builtin_prefetch(piece.words + blocks_.to_values() + i);
    }
  }

  Range<Word> range_of(const std::vector<Piece<Word>>& pieces) const {
    Range<Word> range{std::numeric_limits<Word>::max(), 0};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      // Blocks lie anywhere: no hardware prefetcher sees the next one coming.
      if (i + kAhead < pieces.size()) prefetch(pieces[i + kAhead]);
      const Range<Word> part = kernels_->range(pieces[i].words, pieces[i].n);
      range = {std::min(range.low, part.low), std::max(range.high, part.high)};
    }
    return range;
  }

  void sort_pieces(const std::vector<Piece<Word>>& pieces, const Bucket& bucket, int splits, Worker& worker) {
    if (bucket.n == 0) return;
    const Range<Word> range = range_of(pieces);
    if (range.low != range.high && bucket.n > plan_.capacity) return split(pieces, bucket, splits, range, worker);
    if (range.low == range.high) {
      std::uint64_t first = bucket.first;
      for (const Piece<Word>& piece : pieces) {
        form_.leave(piece.words, piece.words + blocks_.to_values(), piece.n, arrays_, first);
        first += piece.n;
      }
    } else {
      worker.cached.sort(pieces, blocks_.to_values(), bucket.n, range);
      const Word* const words = worker.cached.words();
      form_.leave(words, words + worker.cached.to_values(), bucket.n, arrays_, bucket.first);
    }
    for (const Piece<Word>& piece : pieces) worker.source.give(blocks_.block_of(piece.words));
  }

  /// A bucket too large for the cache: its words move to other blocks by finer digits. What is read is free again.
  void split(const std::vector<Piece<Word>>& pieces, const Bucket& bucket, int splits, Range<Word> range,
             Worker& worker) {
    if (splits % 2 == 0) range = where_most_are(pieces, range, worker);
    const Digits<Word> map{range, kSplit};
    worker.splitter.begin(map.count);
    for (const Piece<Word>& piece : pieces) {
      for (std::size_t i = 0; i < piece.n; i += kTile) {
        const Word* const words = piece.words + i;
        const std::size_t n = std::min(kTile, piece.n - i);
        kernels_->digits(words, n, map, worker.digits.data());
        worker.splitter.append(words, words + blocks_.to_values(), worker.digits.data(), n);
      }
      worker.source.give(blocks_.block_of(piece.words));
    }
    worker.splitter.end(map.count);
    const std::vector<Chain> chains = worker.splitter.chains();
    // What fits into the cache comes first, and frees its blocks: those filled in part that wait for another split are
    // then no more than there are buckets of more than a cacheful.
    for (const bool large : {false, true}) {
      Bucket part{bucket.first, 0};
      for (std::uint32_t d = 0; d < map.count; ++d) {
        part.n = chains[d].elements;
        if ((part.n > plan_.capacity) == large) {
          std::vector<Piece<Word>> parts;
          add_pieces(chains[d], parts);
          sort_pieces(parts, part, splits + 1, worker);
        }
        part.first += part.n;
      }
    }
  }

  /// The range without a thirtieth of a sample at either end, or a value that most of it has, between its neighbours.
  Range<Word> where_most_are(const std::vector<Piece<Word>>& pieces, const Range<Word>& all, Worker& worker) const {
    constexpr std::size_t sampled = 255;
    for (std::size_t i = 0; i < sampled; ++i) {
      const Piece<Word>& piece = pieces[i * pieces.size() / sampled];
      worker.words[i] = piece.words[i * 7919 % piece.n];
    }
    std::sort(worker.words.begin(), worker.words.begin() + sampled);
    const Range<Word> most{worker.words[8], worker.words[sampled - 9]};
    if (most.low != most.high) return most;
    return {most.low == all.low ? most.low : static_cast<Word>(most.low - 1),
            most.high == all.high ? most.high : static_cast<Word>(most.high + 1)};
  }

  std::uint64_t n_;
  Form<Word> form_;
  Plan plan_;
  const Kernels<Word>* kernels_;
  ThreadTeam team_;
  Blocks<Word> blocks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Bucket> buckets_;
  Arrays arrays_{};  ///< of the call at hand
  std::atomic<std::uint64_t> next_tile_ = 0;
  std::atomic<std::uint32_t> next_digit_ = 0;
};

}  // namespace sortlab::msd
