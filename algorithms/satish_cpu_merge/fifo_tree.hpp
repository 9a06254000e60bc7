// The multiway merge of Chhugani et al. 2008: a binary tree in which each node merges its children's FIFOs into its
// own. All FIFOs together fit into the cache, so that memory is read and written once for all levels of the tree.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/satish_cpu_merge/kernels.hpp"

namespace sortlab::satish_merge {

/// A sorted run, or part of one, in scratch memory.
template <class Lane>
struct Run {
  const Lane* begin = nullptr;
  std::size_t size = 0;
};

/// The layout of a tree for some number of runs.
///
/// Filling a FIFO costs a call and drains the pipeline, so large FIFOs are better, especially near the root, where
/// there are few. Sizes proportional to 2^(-depth / 2) give the fewest fillings for a given cache: they minimise the
/// sum of 1 / size over all levels.
struct TreeShape {
  /// fifo_lanes: maximum total size of the FIFOs in lanes, as long as each holds some steps.
  TreeShape(std::size_t runs, std::size_t fifo_lanes, std::size_t step_lanes)
      : leaves(std::bit_ceil(std::max<std::size_t>(runs, 1))), step(step_lanes) {
    constexpr std::size_t least_steps = 4;
    constexpr std::size_t most = 4096;  // no gain beyond the L1 cache
    // All levels together take at most three times as much as the lowest, which has leaves / 2 FIFOs.
    const std::size_t lowest = std::max(fifo_lanes / 3 * 2 / leaves / step, least_steps) * step;
    for (std::size_t nodes = leaves / 2, size = lowest; nodes > 0; nodes /= 2) {
      fifo.insert(fifo.begin(), std::max(std::min(size, most) / step, least_steps) * step);
      if (fifo.size() % 2 == 0) size *= 2;
    }
    std::size_t sum = 0;
    for (std::size_t depth = 0; depth < fifo.size(); ++depth) {
      first.push_back(sum);
      sum += fifo[depth] << depth;
    }
    fifos = sum;
  }
  std::size_t leaves;
  std::size_t step;
  std::size_t fifos = 0;           ///< total lanes of all FIFOs
  std::vector<std::size_t> fifo;   ///< lanes of one FIFO at each depth, whole steps
  std::vector<std::size_t> first;  ///< first lane of the FIFOs at each depth

  /// Lanes of scratch memory: FIFOs, carries of merges, the last elements of runs, and padding.
  std::size_t lanes() const { return fifos + 2 * leaves * step + step; }
};

/// The tree of one thread.
template <class Lane>
class FifoTree {
 public:
  /// memory: shape.lanes() lanes, and as many more at distance `values` if there are values.
  FifoTree(const TreeShape& shape, const Kernels<Lane>& kernels, Lane* memory, bool pairs, std::ptrdiff_t values)
      : shape_(shape),
        kernels_(kernels),
        pairs_(pairs),
        values_(values),
        fifos_(memory),
        carries_(fifos_ + shape.fifos),
        tails_(carries_ + shape.leaves * shape.step),
        padding_(tails_ + shape.leaves * shape.step),
        nodes_(2 * shape.leaves) {}

  /// Begins a merge of `runs`.
  void start(std::span<const Run<Lane>> runs) {
    std::fill_n(padding_, shape_.step, kGreatest<Lane>);
    for (std::size_t leaf = 0; leaf < shape_.leaves; ++leaf) {
      start_leaf(leaf, leaf < runs.size() ? runs[leaf] : Run<Lane>{});
    }
    for (std::size_t node = shape_.leaves - 1; node > 0; --node) {
      nodes_[node] = {.left = nodes_[2 * node].left + nodes_[2 * node + 1].left};
    }
  }

  /// The next merged elements: at least one, or none after the last. Valid until the next call.
  Run<Lane> next() {
    Node& root = nodes_[1];
    if (root.at == root.end) fill(1);
    const Run<Lane> given{root.at, static_cast<std::size_t>(root.end - root.at)};
    root.at = root.end;
    return given;
  }

 private:
  struct Node {
    const Lane* at = nullptr;  ///< begin of the FIFO's content, a multiple of a merge step
    const Lane* end = nullptr;
    std::size_t left = 0;   ///< elements that will still enter, without padding
    std::size_t whole = 0;  ///< for a leaf: elements in whole steps
    bool given = false;     ///< for an inner node: its carry is filled
  };

  void start_leaf(std::size_t leaf, Run<Lane> run) {
    const std::size_t whole = run.size / shape_.step * shape_.step;
    const Lane* const rest = run.begin + whole;
    if (whole < run.size) {
      copy(rest, rest + (run.size - whole), tail(leaf));
      std::fill(tail(leaf) + (run.size - whole), tail(leaf) + shape_.step, kGreatest<Lane>);
    }
    nodes_[shape_.leaves + leaf] = {.at = run.begin, .end = rest, .left = run.size, .whole = whole};
  }

  Lane* tail(std::size_t leaf) { return tails_ + leaf * shape_.step; }

  void copy(const Lane* from, const Lane* end, Lane* to) const {
    std::copy(from, end, to);
    if (pairs_) std::copy(from + values_, end + values_, to + values_);
  }

  /// Fills the empty FIFO of a node or leaf. An exhausted one yields padding forever.
  void fill(std::size_t index) {
    Node& node = nodes_[index];
    if (index >= shape_.leaves) {
      const bool has_tail = node.left > node.whole;
      node.at = has_tail ? tail(index - shape_.leaves) : padding_;
      node.end = node.at + shape_.step;
      node.left = node.whole = 0;
      return;
    }
    if (node.left == 0) {
      node.at = padding_;
      node.end = padding_ + shape_.step;
      return;
    }
    Node& left = nodes_[2 * index];
    Node& right = nodes_[2 * index + 1];
    const auto depth = static_cast<std::size_t>(std::bit_width(index)) - 1;
    const std::size_t room = shape_.fifo[depth];
    Lane* const fifo = fifos_ + shape_.first[depth] + (index - (std::size_t{1} << depth)) * room;
    const std::size_t size = std::min(room, (node.left + shape_.step - 1) / shape_.step * shape_.step);
    node.left -= std::min(node.left, size);
    Junction<Lane> junction{.left = nullptr,
                            .left_end = nullptr,
                            .right = nullptr,
                            .right_end = nullptr,
                            .out = fifo,
                            .out_end = fifo + size,
                            .carry = carries_ + index * shape_.step};
    if (kernels_.carries && !node.given) {
      if (left.at == left.end) fill(2 * index);
      copy(left.at, left.at + shape_.step, junction.carry);
      left.at += shape_.step;
      node.given = true;
    }
    while (junction.out != junction.out_end) {
      if (left.at == left.end) fill(2 * index);
      if (right.at == right.end) fill(2 * index + 1);
      junction.left = left.at;
      junction.left_end = left.end;
      junction.right = right.at;
      junction.right_end = right.end;
      kernels_.merge(junction, values_);
      left.at = junction.left;
      right.at = junction.right;
    }
    node.at = fifo;
    node.end = junction.out_end;
    if (2 * index >= shape_.leaves) {
      prefetch(left, room);
      prefetch(right, room);
    }
  }

  /// Prefetches the input of the next filling from a leaf. There are too many runs for the hardware prefetcher.
  void prefetch(const Node& leaf, std::size_t room) const {
    constexpr std::size_t line = 64 / sizeof(Lane);
    const auto ahead = std::min(room / 2 + line, static_cast<std::size_t>(leaf.end - leaf.at));
    for (std::size_t lane = 0; lane < ahead; lane += line) {
      __builtin_prefetch(leaf.at + lane);
      if (pairs_) __builtin_prefetch(leaf.at + lane + values_);
    }
  }

  TreeShape shape_;
  const Kernels<Lane>& kernels_;
  bool pairs_;
  std::ptrdiff_t values_;  ///< distance from a key to its value
  Lane* fifos_;
  Lane* carries_;
  Lane* tails_;              ///< the last elements of each leaf's run, padded to a step
  Lane* padding_;            ///< a step filled with the greatest lane
  std::vector<Node> nodes_;  ///< the root at 1, the children of i at 2i and 2i + 1
};

}  // namespace sortlab::satish_merge
