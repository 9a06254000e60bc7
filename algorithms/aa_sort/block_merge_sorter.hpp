// AA-sort as a whole: blocks sorted in cache, then merged in pairs, by one thread or a team.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/aa_sort/kernels.hpp"
#include "algorithms/aa_sort/plan.hpp"
#include "algorithms/common/host/merge_path.hpp"
#include "algorithms/plugin.hpp"
#include "core/pages.hpp"
#include "core/thread_team.hpp"

namespace sortlab::aa {

/// Sorts keys as lanes of type T. `real`: the keys are floats.
template <class T, bool real>
class BlockMergeSorter final : public Sorter {
 public:
  BlockMergeSorter(std::uint64_t n, std::size_t block_bytes, const Kernels& kernels, const Resources& resources)
      : n_(n), kernels_(kernels), team_(resources.threads, resources.cpus) {
    block_ = block_keys(n, resources.threads, block_bytes, sizeof(T));
    if (n > block_) merged_ = Pages{n * sizeof(T), resources.pages};
    for (int thread = 0; thread < resources.threads; ++thread) {
      blocks_.emplace_back(block_ * sizeof(T) + kVectorBytes, resources.pages);
    }
  }

  std::uint64_t scratch_bytes() const override { return merged_.size() + blocks_.size() * blocks_.front().size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    T* const keys = static_cast<T*>(data.keys.data);
    T* result = keys;
    team_.run([&](int thread) {
      T* const last = sort_as(thread, keys, phases);
      if (thread == 0) result = last;
    });
    data.keys.data = result;
    return data;
  }

 private:
  /// Runs one thread's part of the sort. Every thread returns the same pointer.
  T* sort_as(int thread, T* from, PhaseTimer& phases) {
    {
      const auto scope = phases.phase("blocks", 0, thread);
      sort_blocks(thread, from);
    }
    T* to = merged_.template data<T>();
    int level = 0;
    for (std::uint64_t run = block_; run < n_; run *= 2, ++level) {
      team_.wait();  // the runs to merge are complete
      const auto scope = phases.phase("merge", level, thread);
      merge_share(thread, from, to, run);
      std::swap(from, to);
    }
    if constexpr (real) {
      if (level == 0) team_.wait();  // a thread maps the keys that it merged, not those that it sorted
      const auto [first, last] = share(thread);
      kernels_.map(from + first, last - first);
    }
    return from;
  }

  std::pair<std::uint64_t, std::uint64_t> share(int thread) const {
    const auto threads = static_cast<std::uint64_t>(team_.size());
    const auto t = static_cast<std::uint64_t>(thread);
    const auto at = [&](std::uint64_t part) { return n_ / threads * part + n_ % threads * part / threads; };
    return {at(t), at(t + 1)};
  }

  void sort_blocks(int thread, T* keys) {
    const std::uint64_t blocks = (n_ + block_ - 1) / block_;
    void* const vectors = blocks_[static_cast<std::size_t>(thread)].data();
    for (auto b = static_cast<std::uint64_t>(thread); b < blocks; b += blocks_.size()) {
      T* const block = keys + b * block_;
      const std::size_t count = std::min(block_, n_ - b * block_);
      if constexpr (real) kernels_.map(block, count);
      kernels_.sort_block(block, count, vectors, block);
    }
  }

  /// Merges all pairs of runs of `run` keys, and writes this thread's share of the output.
  void merge_share(int thread, const T* from, T* to, std::uint64_t run) {
    const auto [first, last] = share(thread);
    for (std::uint64_t begin = first / (2 * run) * (2 * run); begin < last; begin += 2 * run) {
      const std::uint64_t middle = std::min(begin + run, n_);
      const std::uint64_t end = std::min(begin + 2 * run, n_);
      const std::span<const T> a{from + begin, middle - begin};
      const std::span<const T> b{from + middle, end - middle};
      const std::uint64_t cut_from = std::max(first, begin) - begin;
      const std::uint64_t cut_to = std::min(last, end) - begin;
      const std::size_t a_from = merge_path(a, b, cut_from);
      const std::size_t a_to = merge_path(a, b, cut_to);
      const std::size_t b_from = cut_from - a_from;
      const std::size_t b_to = cut_to - a_to;
      kernels_.merge(a.data() + a_from, a_to - a_from, b.data() + b_from, b_to - b_from, to + begin + cut_from);
    }
  }

  std::uint64_t n_;
  std::uint64_t block_ = 0;  ///< keys of a full block
  Kernels kernels_;
  ThreadTeam team_;
  Pages merged_;               ///< second array of the merges
  std::vector<Pages> blocks_;  ///< each thread's vectors of the block that it sorts
};

}  // namespace sortlab::aa
