// One level of PARADIS over one bucket by a group of threads: histogram, then speculative permutation and repair until
// nothing is misplaced (Cho et al. 2015, algorithm 2).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/paradis/group.hpp"
#include "algorithms/paradis/local_sort.hpp"
#include "algorithms/paradis/repair.hpp"
#include "algorithms/phase_timer.hpp"
#include "core/thread_team.hpp"

namespace sortlab::paradis {

/// A bucket that a group splits, and the buckets that result.
struct Node {
  explicit Node(std::size_t radix) : ends(radix), heads(radix), order(radix) {}
  std::uint64_t bytes() const { return sizeof(Node) + ends.size() * (2 * sizeof ends[0] + sizeof order[0]); }

  std::uint64_t first = 0;  ///< begin of the bucket in the whole run
  std::uint64_t n = 0;
  int rest = 0;   ///< low bits in which its keys may differ
  int level = 0;  ///< number of levels above it

  std::uint32_t buckets = 0;
  std::vector<std::uint64_t> ends;   ///< ends of its buckets, relative to `first`
  std::vector<std::uint64_t> heads;  ///< begin of each bucket's misplaced elements
  int rest_below = 0;                ///< bits in which keys of one of its buckets may differ

  // Its buckets of more than one element: first the buckets for groups, then those for one thread, by decreasing size.
  std::vector<std::uint16_t> order;
  std::uint32_t large = 0;
  std::uint32_t listed = 0;
  std::uint32_t first_child = 0;       ///< the node of the first large bucket
  std::atomic<std::uint32_t> claimed;  ///< number of buckets that threads have taken from `order`
  std::atomic<bool> is_split = false;

  // One of each for odd and for even rounds, so that one is cleared while the other is used.
  std::array<std::atomic<std::uint32_t>, 2> repaired;   ///< number of buckets taken for repair
  std::array<std::atomic<std::uint64_t>, 2> misplaced;  ///< number of misplaced elements
};

/// One thread's part in splitting a node. All threads of the group make the same calls.
template <class K, class V>
class SharedLevel {
 public:
  /// `run`: the node's bucket. differing[t]: room for one number of thread t.
  SharedLevel(Node& node, const Run<K, V>& run, Group group, int thread, std::vector<Worker<K, V>>& workers,
              std::vector<int>& differing, MeetingPoint& meeting)
      : node_(node),
        run_(run),
        group_(group),
        rank_(thread - group.first),
        workers_(workers),
        differing_(differing),
        meeting_(meeting) {}

  /// Splits the node by its highest digit, or the highest non-constant one. False if all keys are equal.
  bool split(const Settings& settings, PhaseTimer& phases) {
    Digit<K> digit;
    for (int rest = node_.rest; true;) {
      if (rest == 0) return false;
      digit = Digit<K>::top(rest, settings.digit_bits);
      const auto scope = phases.phase("histogram", node_.level, lane());
      count(digit);
      if (!settings.skips || !is_constant(digit)) break;
      rest = differing_bits_of_all();
    }
    wait();  // the counts are no longer read
    if (leads()) start(digit);
    wait();
    place_all(digit, phases);
    return true;
  }

  bool leads() const { return rank_ == 0; }
  void wait() { meeting_.arrive_and_wait(group_.size); }

 private:
  int lane() const { return group_.first + rank_; }
  Worker<K, V>& worker(int rank) {
    return workers_[static_cast<std::size_t>(group_.first) + static_cast<std::size_t>(rank)];
  }
  Run<K, V> share() const {
    return run_.part(Group::cut(run_.n, rank_, group_.size), Group::cut(run_.n, rank_ + 1, group_.size));
  }

  /// Counts each digit over the group, into node.heads.
  void count(Digit<K> digit) {
    worker(rank_).count(share(), digit);
    wait();
    const auto first = Group::cut(digit.radix(), rank_, group_.size);
    const auto last = Group::cut(digit.radix(), rank_ + 1, group_.size);
    for (std::uint64_t d = first; d < last; ++d) {
      std::uint64_t sum = 0;
      for (int t = 0; t < group_.size; ++t) sum += worker(t).stripes().tail[d];
      node_.heads[d] = sum;
    }
    wait();
  }
  bool is_constant(Digit<K> digit) const {
    const auto end = node_.heads.begin() + digit.radix();
    return std::find(node_.heads.begin(), end, run_.n) != end;
  }
  int differing_bits_of_all() {
    const Run<K, V> mine = share();
    differing_[static_cast<std::size_t>(lane())] = differing_bits(mine.keys, mine.n, run_.keys[0]);
    wait();
    const auto first = differing_.begin() + group_.first;
    const int bits = *std::max_element(first, first + group_.size);
    wait();
    return bits;
  }

  /// Turns counts into bounds. Called by the leader.
  void start(Digit<K> digit) {
    std::uint64_t place = 0;
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      const std::uint64_t count = node_.heads[d];
      node_.heads[d] = place;
      place += count;
      node_.ends[d] = place;
    }
    node_.buckets = digit.radix();
    node_.rest_below = digit.shift;
    node_.repaired[0] = 0;
    node_.misplaced[0] = 0;
  }

  void place_all(Digit<K> digit, PhaseTimer& phases) {
    std::uint64_t left = run_.n;
    std::uint64_t before = left + 1;
    for (std::size_t round = 0; left > 0; ++round) {
      // One thread alone finishes in one round, since stripes that are whole buckets have room for all elements. It
      // takes over when few elements are left, or when elements repeatedly find no room in their stripes.
      if (group_.size == 1 || left <= kMaxPlacedAlone || left >= before) {
        if (leads()) permute(digit, 0, 1, phases);
        wait();
        return;
      }
      permute(digit, rank_, group_.size, phases);
      wait();  // until all threads have read the previous round's count
      if (leads()) {
        node_.repaired[(round + 1) % 2] = 0;
        node_.misplaced[(round + 1) % 2] = 0;
      }
      repair_buckets(digit, round % 2, phases);
      wait();
      before = left;
      left = node_.misplaced[round % 2];
    }
  }

  /// Bounds of stripe `index` of `stripes` in the unfinished rest of bucket d.
  std::pair<std::uint64_t, std::uint64_t> stripe(std::uint32_t d, int index, int stripes) const {
    const std::uint64_t head = node_.heads[d];
    const std::uint64_t left = node_.ends[d] - head;
    return {head + Group::cut(left, index, stripes), head + Group::cut(left, index + 1, stripes)};
  }

  void permute(Digit<K> digit, int index, int stripes, PhaseTimer& phases) {
    const auto scope = phases.phase("permute", node_.level, lane());
    const Stripes mine = worker(rank_).stripes();
    for (std::uint32_t d = 0; d < digit.radix(); ++d) std::tie(mine.head[d], mine.tail[d]) = stripe(d, index, stripes);
    Permutation<K, V>(run_, digit, mine).permute();
  }

  /// Repairs buckets, a few at a time, while there are any.
  void repair_buckets(Digit<K> digit, std::size_t parity, PhaseTimer& phases) {
    constexpr std::uint32_t few = 4;
    const auto scope = phases.phase("repair", node_.level, lane());
    std::uint64_t misplaced = 0;
    for (std::uint32_t d; (d = node_.repaired[parity].fetch_add(few)) < digit.radix();) {
      for (const std::uint32_t end = std::min(d + few, digit.radix()); d < end; ++d) {
        node_.heads[d] = repair(run_, group_.size, [&](int t) {
          const auto [begin, stripe_end] = stripe(d, t, group_.size);
          return RepairedStripe{begin, worker(t).stripes().head[d], stripe_end};
        });
        misplaced += node_.ends[d] - node_.heads[d];
      }
    }
    node_.misplaced[parity] += misplaced;
  }

  Node& node_;
  Run<K, V> run_;
  Group group_;
  int rank_;
  std::vector<Worker<K, V>>& workers_;
  std::vector<int>& differing_;
  MeetingPoint& meeting_;
};

}  // namespace sortlab::paradis
