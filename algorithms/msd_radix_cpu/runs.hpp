// Inputs of a few long runs: one scan finds the runs, which are reversed if descending, and merged. The scan gives up
// at the first short run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "algorithms/msd_radix_cpu/key_kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/two_runs.hpp"
#include "core/key_types.hpp"

namespace sortlab::msd {

/// Orders pairs by their keys.
struct PairLess {
  template <class K, class V>
  bool operator()(const Pair<K, V>& a, const Pair<K, V>& b) const {
    return KeyLess{}(a.key, b.key);
  }
};

template <class K, class V, class Less = KeyLess>
class Runs {
  static constexpr bool alone = std::is_same_v<V, NoValue>;

 public:
  Runs(const KeyKernels& kernels, K* keys, V* values, std::uint64_t n)
      : kernels_(&kernels), keys_(keys), values_(values), n_(n) {}

  /// Finds the runs and their directions. False if there are more than `most`, or if one is short.
  bool find(std::size_t most) {
    const InOrder& in_order = kernels_->in_order;
    count_ = 0;
    for (std::uint64_t begin = 0; begin < n_;) {
      if (count_ == most) return false;
      const K* const keys = keys_ + begin;
      const std::uint64_t left = n_ - begin;
      const auto is_long = [&](std::uint64_t run) { return run == left || is_long_run(run, n_); };
      const std::uint64_t up = in_order.ascending(keys, left);
      // Equal keys may begin a run that descends.
      const bool may_descend = up < left && (!is_long(up) || !Less{}(keys[0], keys[up - 1]));
      const std::uint64_t down = may_descend ? in_order.descending(keys, left) : 0;
      if (!is_long(std::max(up, down))) return false;
      descends_[count_] = down > up;
      ends_[count_++] = begin += std::max(up, down);
    }
    return true;
  }

  /// Merges all runs into one, through spare arrays as long as those of the keys and values.
  void merge(K* spare_keys, V* spare_values) {
    Elements from{words(keys_), values_};
    Elements to{words(spare_keys), spare_values};
    // After an even number of moves the keys are back in their array. Two runs therefore move once more, while
    // descending runs are reversed.
    const bool once_more = count_ == 2;
    for (std::size_t i = 0; i < count_; ++i) once_more ? copy_rising(i, from, to) : make_rising(i, from);
    if (once_more) std::swap(from, to);
    for (; count_ > 1; std::swap(from, to)) merge_pairs(from, to);
  }

 private:
  /// Floats are merged as words of their order, which one instruction compares.
  static constexpr bool converts = std::is_floating_point_v<K>;
  template <class E>
  struct BitsOf {
    using type = Bits<E>;
  };
  using Word = typename std::conditional_t<converts, BitsOf<K>, std::type_identity<K>>::type;
  using Elements = RunElements<Word, V>;

  /// The same memory as words. The compiler must not move accesses to the keys past it.
  static Word* words(K* keys) {
    asm volatile("" ::: "memory");
    return reinterpret_cast<Word*>(keys);
  }
  void enter(Word* words, std::uint64_t n) const {
    if constexpr (converts) kernels_->enter(words, n, words);
  }
  void leave(Word* words, std::uint64_t n) const {
    if constexpr (converts) kernels_->leave(words, n, words);
  }

  std::uint64_t run_begin(std::size_t run) const { return run == 0 ? 0 : ends_[run - 1]; }

  void make_rising(std::size_t run, const Elements& here) const {
    Word* const begin = here.keys + run_begin(run);
    Word* const end = here.keys + ends_[run];
    if (count_ > 1) enter(begin, ends_[run] - run_begin(run));
    if (!descends_[run]) return;
    std::reverse(begin, end);
    if constexpr (!alone) std::reverse(here.values + run_begin(run), here.values + ends_[run]);
  }

  void copy_rising(std::size_t run, const Elements& from, const Elements& to) const {
    const auto copy = [&](const auto* source, auto* target, const auto& done) {
      for (std::uint64_t begin = run_begin(run), end; begin < ends_[run]; begin = end) {
        end = std::min(begin + kTile, ends_[run]);
        if (descends_[run]) {
          const auto* const last = source + run_begin(run) + (ends_[run] - begin);
          std::reverse_copy(last - (end - begin), last, target + begin);
        } else {
          std::copy(source + begin, source + end, target + begin);
        }
        done(target + begin, end - begin);
      }
    };
    copy(from.keys, to.keys, [this](Word* words, std::uint64_t n) { enter(words, n); });
    if constexpr (!alone) copy(from.values, to.values, [](V*, std::uint64_t) {});
  }

  void merge_pairs(const Elements& from, const Elements& to) {
    const bool is_last = count_ == 2;
    const auto finished = [&](std::uint64_t first, std::uint64_t last) {
      if (is_last) leave(to.keys + first, last - first);
    };
    std::size_t merged = 0;
    for (std::size_t i = 0; i < count_; i += 2) {
      const std::size_t last = std::min(i + 1, count_ - 1);  // a run without a partner is only copied
      TwoRuns<Word, V, Less>{from, to, run_begin(i), ends_[i], ends_[last]}.merge(finished);
      ends_[merged++] = ends_[last];
    }
    count_ = merged;
  }

  const KeyKernels* kernels_;
  K* keys_;
  V* values_;
  std::uint64_t n_;
  std::array<std::uint64_t, kMaxRuns> ends_{};
  std::array<bool, kMaxRuns> descends_{};
  std::size_t count_ = 0;
};

}  // namespace sortlab::msd
