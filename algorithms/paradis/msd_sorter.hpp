// The recursion of PARADIS. Buckets larger than one thread's share get a group of threads in proportion to their size.
// The other buckets are sorted by one thread each: an idle thread takes the largest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "algorithms/paradis/shared_level.hpp"
#include "algorithms/plugin.hpp"
#include "core/thread_team.hpp"

namespace sortlab::paradis {

/// Sorts `n` keys in place, with values in a separate array.
template <class K, class V>
class MsdSorter final : public Sorter {
 public:
  MsdSorter(std::uint64_t n, const Settings& settings, const Resources& resources)
      : n_(n), settings_(settings), team_(resources.threads, resources.cpus) {
    const auto threads = static_cast<std::size_t>(resources.threads);
    const auto radix = std::size_t{1} << settings.digit_bits;
    workers_.assign(threads, Worker<K, V>{settings});
    differing_.resize(threads);
    // A level has no more large buckets than threads, and each level takes digit_bits bits.
    const std::size_t levels = (8 * sizeof(K) - 1) / static_cast<std::size_t>(settings.digit_bits) + 1;
    const std::size_t nodes = threads == 1 ? 1 : 1 + threads * (levels - 1);
    for (std::size_t i = 0; i < nodes; ++i) nodes_.push_back(std::make_unique<Node>(radix));
    for (std::size_t i = 0; i < threads; ++i) meetings_.emplace_back(patience_within_run(resources.threads));
  }

  std::uint64_t scratch_bytes() const override {
    return nodes_.size() * nodes_.front()->bytes() + workers_.size() * workers_.front().bytes();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    run_ = {static_cast<Bits<K>*>(data.keys.data), static_cast<V*>(data.values.data), n_};
    constexpr int bits = 8 * sizeof(K);
    if (n_ < kMinShared) {
      const auto scope = phases.phase("recurse");
      workers_.front().sort(run_, bits);
      return data;
    }
    for (auto& node : nodes_) node->is_split = false;
    made_ = 1;
    sharing_ = team_.size();
    make(*nodes_.front(), 0, n_, bits, 0);
    team_.run([&](int thread) {
      share(*nodes_.front(), {0, team_.size()}, thread, phases);
      --sharing_;
      const auto scope = phases.phase("recurse", 0, thread);
      // A thread whose groups have finished takes single-thread buckets, also those that other groups still produce.
      for (bool last = false; !last;) {
        last = sharing_ == 0;
        for (std::uint32_t i = 0; i < made_; ++i) take_buckets(*nodes_[i], thread);
        if (!last) std::this_thread::yield();
      }
    });
    return data;
  }

 private:
  static void make(Node& node, std::uint64_t first, std::uint64_t n, int rest, int level) {
    node.first = first;
    node.n = n;
    node.rest = rest;
    node.level = level;
  }

  /// Splits a node by a group, and its large buckets by parts of the group. All threads of the group call it.
  void share(Node& node, Group group, int thread, PhaseTimer& phases) {
    const Run<K, V> run = run_.part(node.first, node.first + node.n);
    MeetingPoint& meeting = meetings_[static_cast<std::size_t>(group.first)];
    SharedLevel<K, V> level{node, run, group, thread, workers_, differing_, meeting};
    if (!level.split(settings_, phases)) return;
    if (level.leads()) list_buckets(node);
    level.wait();
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < node.large; ++i) all += nodes_[node.first_child + i]->n;
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < node.large; ++i) {
      Node& child = *nodes_[node.first_child + i];
      const Group part = subgroup(group, before, before + child.n, all);
      if (part.has(thread)) share(child, part, thread, phases);
      before += child.n;
    }
  }

  /// The threads of a group that sort the elements [begin, end) of its `all` elements: a proportional share, rounded,
  /// and at least one.
  static Group subgroup(Group group, std::uint64_t begin, std::uint64_t end, std::uint64_t all) {
    const auto thread_at = [&](std::uint64_t element) {
      const double share = static_cast<double>(element) / static_cast<double>(all);
      return static_cast<int>(share * group.size + 0.5);
    };
    const int first = std::min(thread_at(begin), group.size - 1);
    return {group.first + first, std::max(1, thread_at(end) - first)};
  }

  /// Separates large buckets from others, and publishes both. Called by the leader.
  void list_buckets(Node& node) {
    node.large = 0;
    node.listed = 0;
    if (node.rest_below > 0) {
      const auto size = [&](std::uint32_t d) { return node.ends[d] - (d == 0 ? 0 : node.ends[d - 1]); };
      for (std::uint32_t d = 0; d < node.buckets; ++d) {
        if (size(d) > 1) node.order[node.listed++] = static_cast<std::uint16_t>(d);
      }
      const auto end = node.order.begin() + node.listed;
      std::sort(node.order.begin(), end, [&](std::uint16_t a, std::uint16_t b) { return size(a) > size(b); });
      while (node.large < node.listed && is_large(size(node.order[node.large]))) ++node.large;
      node.first_child = made_.fetch_add(node.large);
      for (std::uint32_t i = 0; i < node.large; ++i) {
        const std::uint32_t d = node.order[i];
        make(*nodes_[node.first_child + i], node.first + node.ends[d] - size(d), size(d), node.rest_below,
             node.level + 1);
      }
    }
    node.claimed = node.large;
    node.is_split = true;
  }

  /// True if n is more than one thread's share of all elements.
  bool is_large(std::uint64_t n) const {
    const auto threads = static_cast<std::uint64_t>(team_.size());
    return threads > 1 && n >= kMinShared && n > n_ / threads;
  }

  /// Sorts the single-thread buckets of a node until all are taken.
  void take_buckets(Node& node, int thread) {
    if (!node.is_split) return;
    const Run<K, V> run = run_.part(node.first, node.first + node.n);
    while (node.claimed < node.listed) {
      const std::uint32_t taken = node.claimed.fetch_add(1);
      if (taken >= node.listed) return;
      const std::uint32_t d = node.order[taken];
      workers_[static_cast<std::size_t>(thread)].sort(run.part(d == 0 ? 0 : node.ends[d - 1], node.ends[d]),
                                                      node.rest_below);
    }
  }

  std::uint64_t n_;
  Settings settings_;
  ThreadTeam team_;
  std::vector<Worker<K, V>> workers_;         ///< one for each thread
  std::vector<int> differing_;                ///< one for each thread
  std::deque<MeetingPoint> meetings_;         ///< one for each thread, used by the group that it leads
  std::vector<std::unique_ptr<Node>> nodes_;  ///< the buckets that groups split
  std::atomic<std::uint32_t> made_ = 0;       ///< nodes in use
  std::atomic<int> sharing_ = 0;              ///< threads that groups may still need
  Run<K, V> run_;
};

}  // namespace sortlab::paradis
