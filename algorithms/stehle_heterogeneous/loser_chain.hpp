// Finds the smallest head of the runs by a loser tree: a load and a comparison per level, without special instructions.
#pragma once

#include <bit>
#include <utility>

#include "algorithms/stehle_heterogeneous/merge_chain.hpp"

namespace sortlab::heterogeneous {

template <class K, class V, std::size_t kLeaves>
class LoserChain final : public RunPieces<K, V, kLeaves> {
 public:
  void start(const MergeArrays<K, V>& arrays, std::span<const std::uint64_t> begin, std::span<const std::uint64_t> end,
             std::uint64_t place) {
    this->start_pieces(arrays, begin, end, place);
    if (this->left() > 0) winner_ = build(1);
  }

  /// Outputs `count` elements of each chain, alternating between the chains.
  template <std::size_t kChains>
  static void advance(LoserChain* chains, std::uint64_t count) {
    std::array<Next, kChains> next;
    for (std::size_t chain = 0; chain < kChains; ++chain) next[chain] = chains[chain].next();
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t chain = 0; chain < kChains; ++chain) chains[chain].step(next[chain], i);
    }
  }

 private:
  static constexpr std::size_t kLevels = std::countr_zero(kLeaves);

  /// Key and run of a head in one integer: one comparison orders them, and minimum and maximum are conditional moves,
  /// which cannot be mispredicted.
  using Node = std::conditional_t<sizeof(K) == 4, std::uint64_t, uint128>;
  static constexpr int kRunBits = 8 * (sizeof(Node) - sizeof(K));

  static Node make_node(Bits<K> key, std::size_t run) { return static_cast<Node>(key) << kRunBits | run; }
  static std::size_t node_run(Node node) { return static_cast<std::size_t>(node) & (kLeaves - 1); }

  using Next = typename RunPieces<K, V, kLeaves>::Next;
  [[gnu::always_inline]] void step(const Next& to, std::uint64_t i) {
    const std::size_t run = node_run(winner_);
    Node node = make_node(this->take(run, to, i), run);
    play(node, run, std::make_index_sequence<kLevels>{});
    winner_ = node;
  }

  /// Builds the losers below `index`; returns the winner.
  Node build(std::size_t index) {
    if (index >= kLeaves) return make_node(this->run_head(index - kLeaves), index - kLeaves);
    const Node left = build(2 * index);
    const Node right = build(2 * index + 1);
    losers_[index] = std::max(left, right);
    return std::min(left, right);
  }

  template <std::size_t... level>
  [[gnu::always_inline]] void play(Node& node, std::size_t run, std::index_sequence<level...>) {
    (play_at((kLeaves + run) >> (level + 1), node), ...);
  }
  [[gnu::always_inline]] void play_at(std::size_t index, Node& node) {
    const Node loser = losers_[index];
    const bool loses = loser < node;
    losers_[index] = loses ? node : loser;
    node = loses ? loser : node;
  }

  Node winner_ = 0;
  std::array<Node, kLeaves> losers_{};
};

}  // namespace sortlab::heterogeneous
