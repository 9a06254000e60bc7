// Merge of one piece of each sorted run, with streamed output. Finding the next element is a chain of dependent steps,
// so a thread interleaves several such chains. loser_chain.hpp and vector_chain.hpp find the next element.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/key_types.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::heterogeneous {

inline constexpr std::size_t kMaxRuns = 32;

/// Keys and values of the runs, and the merge's output, whose arrays begin at a line.
template <class K, class V>
struct MergeArrays {
  static constexpr bool has_values = !std::is_same_v<V, NoValue>;
  const K* keys = nullptr;
  const V* values = nullptr;
  K* out_keys = nullptr;
  V* out_values = nullptr;
};

/// A few cache lines of output, gathered in cache and written by streaming stores.
template <class K, class V>
class OutputLines {
 public:
  using Arrays = MergeArrays<K, V>;
  /// Number of elements after which both arrays are at a cache-line boundary again.
  static constexpr std::size_t kLine = kLineBytes / 4;
  /// Number of elements of a round; up to a line of the previous round may precede them.
  static constexpr std::size_t kRound = 16 * kLine;

  /// Sets the output position of the next elements to `place`.
  void start(const Arrays& arrays, std::uint64_t place) {
    arrays_ = arrays;
    place_ = place;
    filled_ = 0;
  }

  using Kept = std::conditional_t<Arrays::has_values, V, char>;
  /// Space for the next elements, at most kRound between two calls of flush(); put() sets their number.
  K* next_keys() { return keys_.data() + filled_; }
  Kept* next_values() { return values_.data() + (Arrays::has_values ? filled_ : 0); }
  void put(std::uint64_t count) { filled_ += count; }

  /// Writes whole lines, and the elements before the first.
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

  /// Writes all remaining elements.
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

  /// Keeps the elements after the first `written`, which are in the output.
  void keep(std::size_t written) {
    place_ += written;
    filled_ -= written;
    if (filled_ == 0 || written == 0) return;
    std::memmove(keys_.data(), keys_.data() + written, filled_ * sizeof(K));
    if constexpr (Arrays::has_values) std::memmove(values_.data(), values_.data() + written, filled_ * sizeof(V));
  }

  Arrays arrays_{};
  std::uint64_t place_ = 0;
  std::size_t filled_ = 0;
  alignas(kLineBytes) std::array<K, kRound + kLine> keys_;
  alignas(kLineBytes) std::array<Kept, Arrays::has_values ? kRound + kLine : 1> values_;
};

/// One piece of each of `kLeaves` runs, the input of a chain.
template <class K, class V, std::size_t kLeaves>
class RunPieces {
 public:
  using Arrays = MergeArrays<K, V>;
  using Out = OutputLines<K, V>;

  /// Number of remaining elements, not counting the greatest keys.
  std::uint64_t left() const { return left_; }
  /// Subtracts `count` elements that were output.
  void gave(std::uint64_t count) {
    left_ -= count;
    out_.put(count);
    out_.flush();
  }

  /// Outputs the greatest keys, which come last.
  void give_greatest() {
    for (std::size_t run = 0; run < kLeaves; ++run) {
      while (end_[run] != tail_end_[run]) {
        const auto some = std::min<std::ptrdiff_t>(tail_end_[run] - end_[run], Out::kRound);
        std::copy_n(end_[run], some, out_.next_keys());
        if constexpr (Arrays::has_values) std::copy_n(value_at(end_[run]), some, out_.next_values());
        end_[run] += some;
        out_.put(static_cast<std::uint64_t>(some));
        out_.flush();
      }
    }
    out_.finish();
  }

 protected:
  /// Marks an exhausted run. Keys of this value are kept out of comparisons, or they could be mistaken for it.
  static constexpr Bits<K> kGreatest = static_cast<Bits<K>>(~Bits<K>{0});

  /// Starts a merge of the pieces [begin[i], end[i]) of run i; output starts at `place`.
  void start_pieces(const Arrays& arrays, std::span<const std::uint64_t> begin, std::span<const std::uint64_t> end,
                    std::uint64_t place) {
    arrays_ = arrays;
    to_values_ = reinterpret_cast<const char*>(arrays.values) - reinterpret_cast<const char*>(arrays.keys);
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
  }

  Bits<K> run_head(std::size_t run) const { return at_[run] == end_[run] ? kGreatest : to_ordered(*at_[run]); }

  using Kept = typename Out::Kept;
  struct Next {
    K* keys;
    Kept* values;
  };
  Next next() { return {out_.next_keys(), out_.next_values()}; }

  /// Moves the head of `run` to element `i` of `to`, which is next(); returns the run's next head.
  [[gnu::always_inline]] Bits<K> take(std::size_t run, const Next& to, std::uint64_t i) {
    const K* const head = at_[run];
    const K* const next = head + 1;
    to.keys[i] = *head;
    if constexpr (Arrays::has_values) to.values[i] = *value_at(head);
    at_[run] = next;
    prefetch(head);
    if (next != end_[run]) [[likely]]
      return to_ordered(*next);
    return kGreatest;
  }

 private:
  /// Prefetch distance in bytes: there are more runs than the hardware prefetcher follows.
  static constexpr std::ptrdiff_t kAhead = 512;

  static const K* before_greatest(const K* begin, const K* end) {
    if (begin == end || to_ordered(end[-1]) != kGreatest) return end;
    return std::lower_bound(begin, end, from_ordered<K>(kGreatest), KeyLess{});
  }

  const V* value_at([[maybe_unused]] const K* head) const {
    if constexpr (sizeof(V) == sizeof(K)) {  // one addition
      return reinterpret_cast<const V*>(reinterpret_cast<const char*>(head) + to_values_);
    } else if constexpr (Arrays::has_values) {
      return arrays_.values + (head - arrays_.keys);
    }
    return nullptr;
  }

  /// Prefetches the run, which never faults, even past its end. Inlined, since the compiler considers the function free
  /// of effects and drops its calls.
  [[gnu::always_inline]] void prefetch(const K* head) const {
    __builtin_prefetch(reinterpret_cast<const char*>(head) + kAhead);
    if constexpr (Arrays::has_values) __builtin_prefetch(reinterpret_cast<const char*>(value_at(head)) + kAhead);
  }

  Arrays arrays_{};
  std::ptrdiff_t to_values_ = 0;  ///< distance from a key to its value, in bytes
  std::uint64_t left_ = 0;
  std::array<const K*, kLeaves> at_{};
  std::array<const K*, kLeaves> end_{};
  std::array<const K*, kLeaves> tail_end_{};
  Out out_;
};

}  // namespace sortlab::heterogeneous
