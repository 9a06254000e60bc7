// The passes of the buffer radix sort, by one thread or a team.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/common/host/buffer_radix/histogram.hpp"
#include "algorithms/common/host/buffer_radix/plan.hpp"
#include "algorithms/common/host/buffer_radix/scatter.hpp"
#include "algorithms/plugin.hpp"
#include "core/thread_team.hpp"

namespace sortlab::satish {

struct Settings {
  int digit_bits = 8;
  int buffer_lines = 4;
  Flush flush = Flush::nontemporal;
  bool skip_constant_digits = true;
};

/// Sorts up to `n` keys of one width, with values in a separate array.
template <KeyKind kind, class Word, class Value>
class LsdSorter final : public Sorter {
 public:
  /// `flip`: bits in which a key differs from its ordered word, that is, the sign bit of signed integers.
  LsdSorter(std::uint64_t n, Word flip, const Settings& settings, const Resources& resources)
      : settings_(settings),
        n_(n),
        team_(resources.threads, resources.cpus),
        keys_(n * sizeof(Word), resources.pages),
        values_(has_values ? n * sizeof(Value) : 0, resources.pages) {
    const LsdDigits digits = lsd_digits(sizeof(Word), settings.digit_bits);
    for (int pass = 0; pass < digits.passes(); ++pass) {
      const int shift = digits.shift(pass);
      const int bits = digits.bits(pass);
      digits_.push_back({shift, bits, digit_at(flip, shift, (std::uint32_t{1} << bits) - 1)});
    }
    radix_ = digits_.front().radix();
    // A single thread counts all digits in one read of the keys. In a team, a thread must count the keys that it will
    // scatter next.
    const std::size_t tables = resources.threads == 1 ? digits_.size() : 1;
    counts_.resize(static_cast<std::size_t>(resources.threads) * tables * radix_);
    const int shares = counts_ahead(n, resources.threads, radix_) ? resources.threads : 0;
    for (int thread = 0; thread < resources.threads; ++thread) {
      workers_.emplace_back(HistogramCounters{tables, digits_.front().bits},
                            AheadCounters{shares, digits_.front().bits}, std::vector<std::uint64_t>(radix_),
                            ScatterBuffers<Word, Value>{radix_, settings.buffer_lines, resources.pages});
    }
  }

  std::uint64_t scratch_bytes() const override {
    const Worker& one = workers_.front();
    return keys_.size() + values_.size() + workers_.size() * (one.buffers.bytes() + one.ahead.bytes());
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    n_ = data.keys.count;
    ahead_ = counts_ahead(n_, team_.size(), radix_);
    input_ = {static_cast<Word*>(data.keys.data), static_cast<Value*>(data.values.data)};
    const Arrays scratch{keys_.template data<Word>(), values_.template data<Value>()};
    Arrays result;
    team_.run([&](int thread) {
      const Arrays last = sort_as(thread, input_, scratch, phases);
      if (thread == 0) result = last;
    });
    data.keys.data = result.keys;
    data.values.data = result.values;
    return data;
  }

 private:
  static constexpr bool has_values = ScatterBuffers<Word, Value>::has_values;

  struct Arrays {
    Word* keys = nullptr;
    Value* values = nullptr;
  };

  struct Worker {
    Worker(HistogramCounters&& h, AheadCounters&& a, std::vector<std::uint64_t>&& s, ScatterBuffers<Word, Value>&& b)
        : histogram(std::move(h)), ahead(std::move(a)), starts(std::move(s)), buffers(std::move(b)) {}
    HistogramCounters histogram;
    AheadCounters ahead;
    std::vector<std::uint64_t> starts;  ///< destinations of this thread's keys of each digit
    ScatterBuffers<Word, Value> buffers;
  };

  /// Runs one thread's part of the sort. Every thread returns the same arrays.
  Arrays sort_as(int thread, Arrays from, Arrays to, PhaseTimer& phases) {
    const bool alone = team_.size() == 1;
    // Floats are ordered words between the first executed pass and the last.
    bool ordered = kind == KeyKind::integer;
    bool counted = false;  // true if the previous pass has counted this digit
    if (alone) count(thread, from, ordered, 0, digits_.size(), phases);
    for (std::size_t pass = 0; pass < digits_.size(); ++pass) {
      if (!alone) {
        team_.wait();  // the previous pass is written, and its counts are no longer read
        counted ? add_counts(thread, pass, phases) : count(thread, from, ordered, pass, 1, phases);
        counted = false;
        team_.wait();
      }
      const bool last = pass + 1 == digits_.size();
      const bool must_map_back = kind == KeyKind::real && last && ordered;
      if (!find_starts(thread, digits_[pass], alone ? pass : 0) && !must_map_back) continue;
      const auto scope = phases.phase("scatter", static_cast<int>(pass), thread);
      if constexpr (kind == KeyKind::integer) {
        scatter<false, false>(thread, pass, from, to);
      } else if (!ordered) {
        last ? scatter<true, true>(thread, pass, from, to) : scatter<true, false>(thread, pass, from, to);
      } else {
        last ? scatter<false, true>(thread, pass, from, to) : scatter<false, false>(thread, pass, from, to);
      }
      ordered = true;
      counted = ahead_ && !last;
      std::swap(from, to);
    }
    return from;
  }

  /// Begin of a thread's keys: at a line boundary in memory, or with counting ahead at a buffer boundary.
  std::uint64_t share_begin(int thread, const Arrays& arrays) const {
    if (thread == team_.size()) return n_;
    const std::uint64_t skew = line_offset(arrays.keys);
    const std::uint64_t unit = ahead_ ? workers_.front().buffers.slots() : ScatterBuffers<Word, Value>::line_elements;
    const std::uint64_t even =
        (n_ + skew) * static_cast<std::uint64_t>(thread) / static_cast<std::uint64_t>(team_.size());
    const std::uint64_t begin = even / unit * unit;
    return begin - std::min(begin, skew);
  }
  std::span<const Word> thread_keys(int thread, const Arrays& arrays) const {
    const std::uint64_t first = share_begin(thread, arrays);
    return {arrays.keys + first, share_begin(thread + 1, arrays) - first};
  }

  /// One thread's counts of each digit, for each table.
  std::uint64_t* counts(int thread) {
    return counts_.data() + static_cast<std::size_t>(thread) * counts_.size() / workers_.size();
  }

  /// Counts the digits of `tables` passes from `pass` on. ordered: floats are ordered words already.
  void count(int thread, const Arrays& from, bool ordered, std::size_t pass, std::size_t tables, PhaseTimer& phases) {
    const auto scope = phases.phase("histogram", static_cast<int>(pass), thread);
    HistogramCounters& histogram = workers_[static_cast<std::size_t>(thread)].histogram;
    if (ordered) {
      histogram.template count<KeyKind::integer>(thread_keys(thread, from), digits_[pass].shift, tables,
                                                 counts(thread));
    } else {
      histogram.template count<kind>(thread_keys(thread, from), digits_[pass].shift, tables, counts(thread));
    }
  }

  /// Adds up the counts for this thread's share that all threads made while they scattered.
  void add_counts(int thread, std::size_t pass, PhaseTimer& phases) {
    const auto scope = phases.phase("histogram", static_cast<int>(pass), thread);
    std::uint64_t* const sums = counts(thread);
    std::fill_n(sums, radix_, 0);
    for (const Worker& worker : workers_) {
      const auto table = worker.ahead.table(thread);
      for (std::size_t d = 0; d < radix_; ++d) sums[d] += table[d];
    }
  }

  /// Computes the exclusive prefix sum over (digit, thread), as far as this thread needs it. False if all keys share
  /// one digit and the pass may be skipped. Each thread sums redundantly, which saves a barrier.
  bool find_starts(int thread, const Digit<Word>& digit, std::size_t table) {
    std::vector<std::uint64_t>& starts = workers_[static_cast<std::size_t>(thread)].starts;
    bool constant = false;
    std::uint64_t place = 0;
    for (std::size_t rank = 0; rank < digit.radix(); ++rank) {
      const std::size_t d = rank ^ digit.rank_flip;
      const std::uint64_t before = place;
      for (int t = 0; t < team_.size(); ++t) {
        if (t == thread) starts[d] = place;
        place += counts(t)[table * radix_ + d];
      }
      constant |= place - before == n_;
    }
    return !(constant && settings_.skip_constant_digits);
  }

  template <bool enters, bool leaves>
  void scatter(int thread, std::size_t pass, const Arrays& from, const Arrays& to) {
    Worker& worker = workers_[static_cast<std::size_t>(thread)];
    const std::span<const Word> keys = thread_keys(thread, from);
    const auto first = keys.data() - from.keys;
    std::optional<NextPass<Word>> next;
    if (ahead_ && pass + 1 < digits_.size()) {
      int share = 0;
      for (std::uint64_t& cut : worker.ahead.cuts()) cut = share_begin(++share, to);
      next.emplace(NextPass<Word>{digits_[pass + 1], worker.ahead});
    }
    worker.buffers.template scatter<enters, leaves>(keys, has_values ? from.values + first : nullptr, digits_[pass],
                                                    worker.starts.data(), to.keys, to.values, settings_.flush,
                                                    next ? &*next : nullptr);
  }

  Settings settings_;
  std::uint64_t n_;
  bool ahead_ = false;               ///< a pass counts the digit of the next pass
  std::vector<Digit<Word>> digits_;  ///< one for each pass
  std::size_t radix_ = 0;            ///< number of values of the widest digit
  ThreadTeam team_;
  Pages keys_;
  Pages values_;
  std::vector<std::uint64_t> counts_;
  std::vector<Worker> workers_;
  Arrays input_;
};

}  // namespace sortlab::satish
