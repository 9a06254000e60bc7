// The two phases of the sort, by one thread or a team: it sorts blocks in cache, then merges all of them at once.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "algorithms/plugin.hpp"
#include "algorithms/satish_cpu_merge/fifo_tree.hpp"
#include "algorithms/satish_cpu_merge/form.hpp"
#include "algorithms/satish_cpu_merge/split.hpp"
#include "core/pages.hpp"
#include "core/thread_team.hpp"

namespace sortlab::satish_merge {

struct Settings {
  std::size_t block_bytes = 0;  ///< size of a block, which is sorted in cache
  std::size_t fifo_bytes = 0;   ///< size of one thread's FIFOs
};

/// Sizes of blocks and trees, in elements.
template <class Lane>
struct Plan {
  Plan(std::size_t n, std::size_t element_bytes, const Settings& settings, std::size_t threads,
       const Kernels<Lane>& kernels)
      : block(block_elements(n, settings.block_bytes / element_bytes, threads, kernels.tile)),
        blocks((n + block - 1) / block),
        // Blocks are padded by some lines; otherwise the heads of all runs would map to one cache set.
        stride(block + std::size_t{9} * 64 / sizeof(Lane)),
        tree(blocks, settings.fifo_bytes / element_bytes, kernels.step) {}

  std::size_t block;   ///< elements of a block, whole tiles
  std::size_t blocks;  ///< number of blocks
  std::size_t stride;  ///< distance between blocks
  TreeShape tree;

  std::size_t thread_lanes() const { return block + tree.lanes(); }
  /// Total lanes of scratch memory. A kernel may read one head after the last.
  std::size_t lanes(std::size_t threads) const { return blocks * stride + threads * thread_lanes() + tree.step; }
};

template <class K, class V>
class MergeSorter final : public Sorter {
 public:
  using F = Form<K, V>;
  using Lane = typename F::Lane;
  static constexpr std::size_t element_bytes = sizeof(Lane) * (F::pairs ? 2 : 1);

  MergeSorter(std::uint64_t n, const Settings& settings, const Kernels<Lane>& kernels, const Resources& resources)
      : n_(n),
        kernels_(kernels),
        threads_(static_cast<std::size_t>(resources.threads)),
        plan_(n, element_bytes, settings, threads_, kernels),
        team_(resources.threads, resources.cpus),
        lanes_((plan_.lanes(threads_) + kSkew) * element_bytes, resources.pages),
        values_(static_cast<std::ptrdiff_t>(plan_.lanes(threads_) + kSkew)),
        runs_(plan_.blocks) {
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      Lane* const own = lanes_.template data<Lane>() + plan_.blocks * plan_.stride + thread * plan_.thread_lanes();
      workers_.push_back({.block = own,
                          .tree = {plan_.tree, kernels, own + plan_.block, F::pairs, values_},
                          .splitter = Splitter<Lane>{plan_.blocks},
                          .begin = std::vector<std::size_t>(plan_.blocks),
                          .pieces = std::vector<Run<Lane>>(plan_.blocks)});
    }
  }

  std::uint64_t scratch_bytes() const override { return lanes_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    keys_ = static_cast<K*>(data.keys.data);
    mapped_ = static_cast<V*>(data.values.data);
    next_block_ = 0;
    if (n_ > 0) team_.run([&](int thread) { sort_as(static_cast<std::size_t>(thread), phases); });
    return data;
  }

 private:
  /// Offset that keeps a key and its value from being a multiple of 4 KiB apart.
  static constexpr std::size_t kSkew = F::pairs ? std::size_t{37} * 64 / sizeof(Lane) : 0;

  struct Worker {
    Lane* block;  ///< second buffer of a block while it is sorted
    FifoTree<Lane> tree;
    Splitter<Lane> splitter;
    std::vector<std::size_t> begin;  ///< begin of this thread's share in each run
    std::vector<Run<Lane>> pieces;
  };

  void sort_as(std::size_t thread, PhaseTimer& phases) {
    const auto lane = static_cast<int>(thread);
    Worker& worker = workers_[thread];
    {
      const auto phase = phases.phase("blocks", 0, lane);
      for (std::size_t block; (block = next_block_.fetch_add(1)) < plan_.blocks;) sort_block(block, worker.block);
    }
    team_.wait();
    {
      const auto phase = phases.phase("split", 0, lane);
      const auto places = worker.splitter.split(runs_, first_rank(thread));
      std::copy(places.begin(), places.end(), worker.begin.begin());
      team_.wait();
    }
    const auto phase = phases.phase("merge", 0, lane);
    merge(thread, worker);
  }

  /// Rank of the first element of a thread's share of the output.
  std::size_t first_rank(std::size_t thread) const {
    return n_ / threads_ * thread + std::min<std::size_t>(thread, n_ % threads_);
  }

  void sort_block(std::size_t index, Lane* other) {
    Lane* const home = lanes_.template data<Lane>() + index * plan_.stride;
    const std::size_t first = index * plan_.block;
    const std::size_t size = std::min(plan_.block, n_ - first);
    const std::size_t filled = (size + kernels_.tile - 1) / kernels_.tile * kernels_.tile;
    std::size_t passes = 0;
    while (kernels_.run << passes < filled) ++passes;

    Lane* from = passes % 2 == 0 ? home : other;
    Lane* to = passes % 2 == 0 ? other : home;
    F::enter(keys_ + first, F::has_values ? mapped_ + first : nullptr, size, from, values_);
    std::fill(from + size, from + filled, kGreatest<Lane>);
    kernels_.sort_tiles(from, filled, values_);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      kernels_.merge_runs(from, to, kernels_.run << pass, filled, values_);
      std::swap(from, to);
    }
    if constexpr (F::pairs) {
      if (size < filled) restore_greatest(from, first, size);
    }
    runs_[index] = {from, size};
  }

  /// Padding has no values, but the merge may have confused it with keys equal to the greatest lane. Reads their values
  /// again from the input.
  void restore_greatest(Lane* block, std::size_t first, std::size_t size) {
    Lane* to = std::lower_bound(block, block + size, kGreatest<Lane>) + values_;
    for (std::size_t i = first; i < first + size; ++i) {
      if (F::ordered(keys_[i]) == kGreatest<Lane>) *to++ = static_cast<Lane>(mapped_[i]);
    }
  }

  /// Merges a thread's share of all runs into its share of the input's memory.
  void merge(std::size_t thread, Worker& worker) {
    std::size_t out = first_rank(thread);
    std::size_t merged = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t begin = worker.begin[i];
      const std::size_t end = thread + 1 < threads_ ? workers_[thread + 1].begin[i] : runs_[i].size;
      Run<Lane>& piece = worker.pieces[i] = {runs_[i].begin + begin, end - begin};
      if constexpr (F::pairs) {  // keys equal to the padding could be confused with it, and lose their values
        piece.size = static_cast<std::size_t>(std::lower_bound(piece.begin, piece.begin + piece.size, kGreatest<Lane>) -
                                              piece.begin);
      }
      merged += piece.size;
    }
    worker.tree.start(worker.pieces);
    for (const std::size_t end = out + merged; out < end;) {
      Run<Lane> some = worker.tree.next();
      some.size = std::min(some.size, end - out);
      leave(some, out);
    }
    if constexpr (F::pairs) {
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const Run<Lane>& piece = worker.pieces[i];
        const std::size_t end = thread + 1 < threads_ ? workers_[thread + 1].begin[i] : runs_[i].size;
        leave({piece.begin + piece.size, end - worker.begin[i] - piece.size}, out);
      }
    }
  }

  void leave(const Run<Lane>& some, std::size_t& out) {
    F::leave(some.begin, values_, some.size, keys_ + out, F::has_values ? mapped_ + out : nullptr);
    out += some.size;
  }

  std::size_t n_;
  const Kernels<Lane>& kernels_;
  std::size_t threads_;
  Plan<Lane> plan_;
  ThreadTeam team_;
  Pages lanes_;
  std::ptrdiff_t values_;  ///< distance from a key to its value, in lanes
  std::vector<Run<Lane>> runs_;
  std::vector<Worker> workers_;
  std::atomic<std::size_t> next_block_ = 0;
  K* keys_ = nullptr;
  V* mapped_ = nullptr;
};

}  // namespace sortlab::satish_merge
