// The passes of the split radix sort, by one thread or a team: histogram, prefix sum, scatter.
#pragma once

#include <hwy/cache_control.h>

#include <memory>
#include <utility>

#include "algorithms/knf_split_radix/tile_histogram.hpp"
#include "algorithms/knf_split_radix/tile_sorter.hpp"
#include "algorithms/plugin.hpp"
#include "core/thread_team.hpp"

namespace sortlab::knf {

struct Settings {
  std::vector<Digit> digits;  ///< one for each pass, the lowest first
  std::size_t tile_bytes = 0;
  bool streaming = false;
  bool skip_constant_digits = true;
};

template <KeyKind kind, class Word, class Value>
class SplitSorter final : public Sorter {
 public:
  SplitSorter(std::uint64_t n, const Settings& settings, const Kernels& kernels, const Resources& resources)
      : settings_(settings),
        n_(n),
        team_(resources.threads, resources.cpus),
        keys_(n * sizeof(Word), resources.pages),
        values_(has_values ? n * sizeof(Value) : 0, resources.pages) {
    for (const Digit& digit : settings_.digits) radix_ = std::max(radix_, digit.radix());
    const std::size_t longest = share(0).second + kShareUnit;
    const std::size_t asked = settings.tile_bytes / (sizeof(Word) + (has_values ? sizeof(Value) : 0));
    tile_ = std::max<std::size_t>(1, std::min(asked, longest));
    for (int thread = 0; thread < resources.threads; ++thread) {
      const auto [first, last] = share(thread);
      const std::size_t tiles = (last - first + tile_ - 1) / tile_;
      workers_.push_back({TileHistogram{radix_}, TileSorter<Word, Value>{tile_, kernels, resources.pages},
                          std::vector<std::uint32_t>(tiles * radix_), std::vector<std::uint64_t>(radix_),
                          std::vector<std::uint64_t>(radix_)});
    }
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = keys_.size() + values_.size();
    for (const Worker& worker : workers_) {
      bytes += worker.tile.bytes() + worker.counts.size() * sizeof worker.counts[0];
    }
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const Elements input{static_cast<Word*>(data.keys.data), static_cast<Value*>(data.values.data)};
    const Elements scratch{keys_.template data<Word>(), values_.template data<Value>()};
    Elements result;
    team_.run([&](int thread) {
      const Elements last = sort_as(thread, input, scratch, phases);
      if (thread == 0) result = last;
    });
    data.keys.data = result.keys;
    if constexpr (has_values) data.values.data = result.values;
    return data;
  }

 private:
  using Elements = Arrays<Word, Value>;
  static constexpr bool has_values = TileSorter<Word, Value>::has_values;
  /// Threads divide the input in units of whole lines of both arrays: 16 elements of 4 bytes.
  static constexpr std::uint64_t kShareUnit = 16;

  struct Worker {
    TileHistogram histogram;
    TileSorter<Word, Value> tile;
    std::vector<std::uint32_t> counts;  ///< count of each digit in each of this thread's tiles
    std::vector<std::uint64_t> totals;  ///< sum of these counts for each digit
    std::vector<std::uint64_t> starts;  ///< destination of this thread's next element of each digit
  };

  /// One thread's share of the elements.
  std::pair<std::size_t, std::size_t> share(int thread) const {
    const std::uint64_t units = (n_ + kShareUnit - 1) / kShareUnit;
    const auto threads = static_cast<std::uint64_t>(team_.size());
    const auto at = [&](int t) {
      return std::min<std::uint64_t>(n_, units * static_cast<std::uint64_t>(t) / threads * kShareUnit);
    };
    return {at(thread), at(thread + 1)};
  }

  /// Runs one thread's part of the sort. Every thread returns the same arrays.
  Elements sort_as(int thread, Elements from, Elements to, PhaseTimer& phases) {
    bool ordered = kind == KeyKind::integer;  // floats are ordered words between the first executed pass and the last
    for (std::size_t pass = 0; pass < settings_.digits.size(); ++pass) {
      const Digit& digit = settings_.digits[pass];
      team_.wait();  // the previous pass is written, and its counts are no longer read
      {
        const auto scope = phases.phase("histogram", static_cast<int>(pass), thread);
        ordered ? count<false>(thread, from, digit) : count<true>(thread, from, digit);
      }
      team_.wait();
      const bool last = pass + 1 == settings_.digits.size();
      const bool must_map_back = kind == KeyKind::real && last && ordered;
      if (!find_starts(thread, digit) && !must_map_back) continue;
      const auto scope = phases.phase("scatter", static_cast<int>(pass), thread);
      scatter(thread, from, to, digit, {!ordered, kind == KeyKind::real && last, settings_.streaming});
      ordered = true;
      std::swap(from, to);
    }
    return from;
  }

  template <bool enters>
  void count(int thread, const Elements& from, const Digit& digit) {
    Worker& worker = workers_[static_cast<std::size_t>(thread)];
    std::ranges::fill(worker.totals, 0);
    std::uint32_t* counts = worker.counts.data();
    const auto [first, end] = share(thread);
    for (std::size_t i = first; i < end; i += tile_, counts += digit.radix()) {
      const std::span<const Word> keys{from.keys + i, std::min(tile_, end - i)};
      worker.histogram.template count<enters>(keys, digit, counts, worker.totals.data());
    }
  }

  /// Computes the exclusive prefix sum over (digit, thread), as far as this thread needs it. False if all keys share
  /// one digit and the pass may be skipped. Each thread sums redundantly, which saves a barrier.
  bool find_starts(int thread, const Digit& digit) {
    std::vector<std::uint64_t>& starts = workers_[static_cast<std::size_t>(thread)].starts;
    bool constant = false;
    std::uint64_t place = 0;
    for (std::size_t rank = 0; rank < digit.radix(); ++rank) {
      const std::size_t d = rank ^ digit.rank_flip;
      const std::uint64_t before = place;
      for (std::size_t t = 0; t < workers_.size(); ++t) {
        if (t == static_cast<std::size_t>(thread)) starts[d] = place;
        place += workers_[t].totals[d];
      }
      constant |= place - before == n_;
    }
    return !(constant && settings_.skip_constant_digits);
  }

  void scatter(int thread, const Elements& from, const Elements& to, const Digit& digit,
               typename TileSorter<Word, Value>::Move move) {
    Worker& worker = workers_[static_cast<std::size_t>(thread)];
    const std::uint32_t* counts = worker.counts.data();
    const auto [first, end] = share(thread);
    for (std::size_t i = first; i < end; i += tile_, counts += digit.radix()) {
      worker.tile.scatter(from.from(i), std::min(tile_, end - i), digit, move, counts, worker.starts.data(), to);
    }
    if (settings_.streaming) hwy::FlushStream();  // makes the output visible to the threads at the barrier
  }

  Settings settings_;
  std::uint64_t n_;
  std::size_t radix_ = 0;  ///< number of values of the widest digit
  std::size_t tile_ = 0;   ///< elements of a full tile
  ThreadTeam team_;
  Pages keys_;
  Pages values_;
  std::vector<Worker> workers_;
};

}  // namespace sortlab::knf
