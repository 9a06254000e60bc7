// A loser tree over the heads of sorted runs, and the output that it streams. To find the next element is one chain of
// dependent steps, a load and a comparison a level, so a thread keeps several such chains going at once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/key_types.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::heterogeneous {

inline constexpr std::size_t kMostRuns = 32;

/// Keys and values of the runs, and where they are merged to. The output's arrays begin at a line.
template <class K, class V>
struct MergeArrays {
  static constexpr bool has_values = !std::is_same_v<V, NoValue>;
  const K* keys = nullptr;
  const V* values = nullptr;
  K* out_keys = nullptr;
  V* out_values = nullptr;
};

/// A few lines of output, gathered in cache and written around it.
template <class K, class V>
class OutputLines {
 public:
  using Arrays = MergeArrays<K, V>;
  /// Elements after which both arrays are at the begin of a line again.
  static constexpr std::size_t kLine = kLineBytes / 4;
  /// Elements of a round; before it up to a line may be left of the round before.
  static constexpr std::size_t kRound = 16 * kLine;

  /// What is put next goes to `place` of the output.
  void start(const Arrays& arrays, std::uint64_t place) {
    arrays_ = arrays;
    place_ = place;
    filled_ = 0;
  }

  /// At most kRound between two calls of flush().
  void put(K key, const V* value) {
    keys_[filled_] = key;
    if constexpr (Arrays::has_values) values_[filled_] = *value;
    ++filled_;
  }

  /// Writes whole lines, and what is before the first.
  void flush() {
    const std::size_t unaligned = std::min<std::size_t>((kLine - place_ % kLine) % kLine, filled_);
    write_some(0, unaligned);
    if ((place_ + unaligned) % kLine != 0) return keep(unaligned);
    const std::size_t whole = (filled_ - unaligned) / kLine * kLine;
    if (whole > 0) {
      stream(arrays_.out_keys, keys_.data(), unaligned, whole);
      if constexpr (Arrays::has_values) stream(arrays_.out_values, values_.data(), unaligned, whole);
    }
    keep(unaligned + whole);
  }

  /// Writes all.
  void finish() {
    flush();
    write_some(0, filled_);
    keep(filled_);
  }

 private:
  template <class T>
  void stream(T* out, const T* from, std::size_t first, std::size_t count) const {
    stream_lines(out + place_ + first, from + first, count * sizeof(T));
  }

  void write_some(std::size_t first, std::size_t count) {
    if (count == 0) return;
    std::memcpy(arrays_.out_keys + place_ + first, keys_.data() + first, count * sizeof(K));
    if constexpr (Arrays::has_values) {
      std::memcpy(arrays_.out_values + place_ + first, values_.data() + first, count * sizeof(V));
    }
  }

  /// The first `written` are in the output.
  void keep(std::size_t written) {
    place_ += written;
    filled_ -= written;
    if (filled_ == 0 || written == 0) return;
    std::memmove(keys_.data(), keys_.data() + written, filled_ * sizeof(K));
    if constexpr (Arrays::has_values) std::memmove(values_.data(), values_.data() + written, filled_ * sizeof(V));
  }

  using Kept = std::conditional_t<Arrays::has_values, V, char>;
  Arrays arrays_{};
  std::uint64_t place_ = 0;
  std::size_t filled_ = 0;
  alignas(kLineBytes) std::array<K, kRound + kLine> keys_;
  alignas(kLineBytes) std::array<Kept, Arrays::has_values ? kRound + kLine : 1> values_;
};

/// The merge of one piece of each of `kLeaves` runs.
template <class K, class V, std::size_t kLeaves>
class MergeChain {
 public:
  using Arrays = MergeArrays<K, V>;
  using Out = OutputLines<K, V>;

  /// The piece of run i is [begin[i], end[i]); what is merged goes to `place` of the output.
  void start(const Arrays& arrays, std::span<const std::uint64_t> begin, std::span<const std::uint64_t> end,
             std::uint64_t place) {
    arrays_ = arrays;
    out_.start(arrays, place);
    left_ = 0;
    for (std::size_t run = 0; run < kLeaves; ++run) {
      at_[run] = end_[run] = tail_end_[run] = arrays.keys;
      if (run >= begin.size()) continue;
      at_[run] = arrays.keys + begin[run];
      tail_end_[run] = arrays.keys + end[run];
      end_[run] = before_greatest(at_[run], tail_end_[run]);
      left_ += static_cast<std::uint64_t>(end_[run] - at_[run]);
    }
    if (left_ > 0) winner_ = build(1);
  }

  /// Elements that step() can still give: all but the greatest keys.
  std::uint64_t left() const { return left_; }
  /// Of these, `count` were given.
  void gave(std::uint64_t count) {
    left_ -= count;
    out_.flush();
  }

  /// Gives one element.
  [[gnu::always_inline]] void step() {
    const std::size_t run = run_of(winner_);
    const K* const head = at_[run];
    out_.put(from_ordered<K>(key_of(winner_)), value_at(head));
    const K* const next = head + 1;
    at_[run] = next;
    prefetch(head);
    Node node = node_of(kGreatest, run);
    if (next != end_[run]) [[likely]]
      node = node_of(to_ordered(*next), run);
    play(node, run, std::make_index_sequence<kLevels>{});
    winner_ = node;
  }

  /// Gives what is left, and the greatest keys last.
  void finish() {
    while (left_ > 0) {
      const auto some = std::min<std::uint64_t>(left_, Out::kRound);
      for (std::uint64_t i = 0; i < some; ++i) step();
      gave(some);
    }
    for (std::size_t run = 0; run < kLeaves; ++run) {
      for (const K* at = end_[run]; at != tail_end_[run];) {
        const K* const until = at + std::min<std::ptrdiff_t>(tail_end_[run] - at, Out::kRound);
        for (; at != until; ++at) out_.put(*at, value_at(at));
        out_.flush();
      }
    }
    out_.finish();
  }

 private:
  static constexpr std::size_t kLevels = std::countr_zero(kLeaves);
  /// Stands for a run that has ended. Keys as great are kept out of the tree, or it could be taken for one of them.
  static constexpr Bits<K> kGreatest = static_cast<Bits<K>>(~Bits<K>{0});
  /// Bytes: so far ahead the lines of runs are fetched, which are more than the processor's own prefetching follows.
  static constexpr std::ptrdiff_t kAhead = 512;

  /// Key and run of a head in one integer: one comparison orders them, and the smaller and the greater of two are
  /// conditional moves, which no input mispredicts.
  using Node = std::conditional_t<sizeof(K) == 4, std::uint64_t, uint128>;
  static constexpr int kRunBits = 8 * (sizeof(Node) - sizeof(K));

  static Node node_of(Bits<K> key, std::size_t run) { return static_cast<Node>(key) << kRunBits | run; }
  static Bits<K> key_of(Node node) { return static_cast<Bits<K>>(node >> kRunBits); }
  static std::size_t run_of(Node node) { return static_cast<std::size_t>(node) & (kLeaves - 1); }

  static const K* before_greatest(const K* begin, const K* end) {
    if (begin == end || to_ordered(end[-1]) != kGreatest) return end;
    return std::lower_bound(begin, end, from_ordered<K>(kGreatest), KeyLess{});
  }

  const V* value_at([[maybe_unused]] const K* head) const {
    if constexpr (Arrays::has_values) return arrays_.values + (head - arrays_.keys);
    return nullptr;
  }

  /// A prefetch never faults, wherever behind the last run it may point. Inlined, or the compiler takes a function that
  /// does nothing else for one without effect.
  [[gnu::always_inline]] void prefetch(const K* head) const {
    __builtin_prefetch(reinterpret_cast<const char*>(head) + kAhead);
    if constexpr (Arrays::has_values) __builtin_prefetch(reinterpret_cast<const char*>(value_at(head)) + kAhead);
  }

  /// The losers below `index`; returns the winner.
  Node build(std::size_t index) {
    if (index >= kLeaves) {
      const std::size_t run = index - kLeaves;
      return node_of(at_[run] == end_[run] ? kGreatest : to_ordered(*at_[run]), run);
    }
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

  Arrays arrays_{};
  Node winner_ = 0;
  std::uint64_t left_ = 0;
  std::array<Node, kLeaves> losers_{};
  std::array<const K*, kLeaves> at_{};
  std::array<const K*, kLeaves> end_{};
  std::array<const K*, kLeaves> tail_end_{};
  Out out_;
};

}  // namespace sortlab::heterogeneous
