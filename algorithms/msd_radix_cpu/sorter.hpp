// The sort: one partition of all elements into blocks in scratch memory, then each bucket sorted in a core's own cache
// and written to its place. Memory is read twice and written twice, whatever the width of the keys.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/msd_radix_cpu/bucket_sorter.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/pivot_sorter.hpp"
#include "algorithms/plugin.hpp"
#include "core/thread_team.hpp"

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
        pivots_(n, plan.bucket, form_, kernels, resources.threads),
        // Merging needs scratch memory.
        disorder_{.runs = resources.threads > kMaxRepairThreads || plan.blocks == 0 ? 1 : kMaxRuns,
                  .misplaced = resources.threads > kMaxRepairThreads ? 0 : max_misplaced(n)},
        next_digit_(0) {
    for (int i = 0; i < team_.size(); ++i) {
      workers_.push_back(std::make_unique<Worker>(plan, form_, kernels, blocks_, resources.pages));
    }
    buckets_.resize(plan.digits);
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = blocks_.bytes() + buckets_.size() * sizeof buckets_[0] + pivots_.bytes();
    bytes += disorder_.misplaced * (form_.key_bytes + form_.value_bytes + kMisplacedBytes);
    for (const auto& worker : workers_) bytes += worker->bytes();
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (n_ < 2) return data;
    arrays_ = {data.keys.data, data.values.data};
    {
      const auto phase = phases.phase("sortedness check");
      if (form_.repair(arrays_, n_, disorder_, blocks_.words())) return data;
    }
    const Digits<Word> map = plan_.digits == 1 ? Digits<Word>{} : sample();
    if (plan_.digits == 1 || splits_much(map)) {
      sort_by_pivots(phases);
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
      finish_streaming();
    });
    return data;
  }

 private:
  /// Tiles that a thread takes from the input at a time.
  static constexpr std::size_t kTilesAtOnce = 16;

  struct Worker {
    Worker(const Plan& plan, const Form<Word>& form, const Kernels<Word>& kernels, Blocks<Word>& blocks, PageKind pages)
        : buckets(plan, form, kernels, blocks, pages),
          distributor(plan.digits, plan.lines, buckets.source(), kernels, pages) {}
    std::uint64_t bytes() const { return buckets.bytes() + distributor.bytes() + sizeof *this; }

    BucketSorter<Word, values> buckets;
    Distributor<Word, values> distributor;
    alignas(64) std::array<Word, kTile> words;
    alignas(64) std::array<Word, values ? kTile : 1> beside;
    alignas(64) std::array<std::uint16_t, kTile> digits;
  };

  /// Sorts without the first partition, in place if words need no more room than keys and values.
  void sort_by_pivots(PhaseTimer& phases) {
    auto* const keys = static_cast<Word*>(arrays_.keys);
    if (form_.in_place) {
      pivots_.begin(arrays_, keys, values ? static_cast<Word*>(arrays_.values) - keys : 0);
    } else {
      pivots_.begin(arrays_, blocks_.words(), blocks_.to_values());
    }
    const auto work = [&](int thread) {
      const auto phase = phases.phase("sort", 0, thread);
      pivots_.work(thread, team_, workers_[static_cast<std::size_t>(thread)]->buckets.cached());
    };
    if (team_.size() == 1) return work(0);
    team_.run(work);
  }

  /// The digits of the first partition, from a sample. The sampled range is widened by the expected excess of n words.
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

  /// True if a quarter of the sampled words lie in buckets too large for the cache. Pivots are then faster than digits.
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

  /// Takes tiles of the input while there are any, and appends the elements to their digits' chains.
  void partition(const Digits<Word>& map, Worker& worker) {
    worker.buckets.begin(arrays_);
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
    for (const auto& source : workers_) blocks_.add_pieces(source->distributor.chain(digit), pieces);
    worker.buckets.sort(pieces, bucket);
  }

  std::uint64_t n_;
  Form<Word> form_;
  Plan plan_;
  const Kernels<Word>* kernels_;
  ThreadTeam team_;
  Blocks<Word> blocks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Bucket> buckets_;
  PivotSorter<Word, values> pivots_;
  Disorder disorder_;  ///< largest disorder that is repaired
  Arrays arrays_{};    ///< arrays of the current call
  std::atomic<std::uint64_t> next_tile_ = 0;
  std::atomic<std::uint32_t> next_digit_ = 0;
};

}  // namespace sortlab::msd
