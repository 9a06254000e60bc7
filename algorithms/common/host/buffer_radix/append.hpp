// The inner loop of a pass: each element is appended to the buffer of its digit.
//
// Cost of a key: its load, its digit, the load of that digit's cursor, two stores and a test. Stores to different lines
// take a cycle each on today's cores, and hide the rest while the lines are cached.
// - The input's lines are prefetched (fetch_ahead.hpp).
// - The buffers' lines are prefetched, too, if there are more of them than the first-level cache holds.
// - A full buffer costs mainly its branch, which is unpredictable (17 to 20 cycles). Buffers therefore have several
// lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algorithms/common/host/buffer_radix/fast_shifts.hpp"
#include "algorithms/common/host/buffer_radix/keys.hpp"
#include "algorithms/common/host/buffer_radix/plan.hpp"
#include "algorithms/common/host/fetch_ahead.hpp"
#include "core/loop_mark.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::satish {

/// State of one digit: its next free slot and its first counter.
struct Cursor {
  std::uint32_t slot = 0;
  std::uint32_t counters = 0;
};

/// Counting during append(): none,
struct CountNothing {
  template <class Word>
  void operator()(const Word& /*key*/, std::uint32_t /*first*/) const {}
};
/// or counting one digit of each key.
template <class Word>
struct CountDigit {
  std::uint32_t* counters;
  int shift;
  std::uint32_t mask;

  [[gnu::always_inline]] void operator()(const Word& key, std::uint32_t first) const {
    ++counters[first + std::size_t{digit_at(key, shift, mask)}];
  }
};

/// Buffers of `slots` elements each (a power of two), one per digit; aligned to lines.
template <class Word, class Value>
struct DigitBuffers {
  static constexpr bool has_values = !std::is_same_v<Value, NoValue>;
  static constexpr std::size_t line_elements =
      satish::line_elements(kLineBytes, sizeof(Word), has_values ? sizeof(Value) : 0);

  Word* keys = nullptr;
  Value* values = nullptr;
  Cursor* cursors = nullptr;
  std::size_t radix = 0;
  std::uint32_t slots = 0;
};

/// append() for the instruction set of its caller.
template <bool enters, bool leaves, class Word, class Value, class Count, class Full>
[[gnu::always_inline]] inline void append_here(const DigitBuffers<Word, Value>& to, std::span<const Word> keys,
                                               const Value* values, Digit<Word> digit, const Count count,
                                               const Full& full) {
  constexpr bool has_values = DigitBuffers<Word, Value>::has_values;
  constexpr std::size_t kValueBytes = has_values ? sizeof(Value) : 0;
  constexpr bool kCounts = !std::is_same_v<Count, CountNothing>;
  Word* const key_slots = to.keys;
  Value* const value_slots = to.values;
  Cursor* const cursors = to.cursors;
  const std::uint32_t last_slot = to.slots - 1;
  const int shift = digit.shift;
  const auto mask = static_cast<std::uint32_t>(digit.radix() - 1);

  const auto ordered = [&](std::size_t i) __attribute__((always_inline)) {
    return enters ? ordered_from_float(keys[i]) : keys[i];
  };
  const auto append_one = [&](std::size_t i) __attribute__((always_inline)) {
    SORTLAB_LOOP("satish.append", 1, sizeof(Word), kValueBytes, kCounts);
    const Word key = ordered(i);
    const std::uint32_t d = digit_at(key, shift, mask);
    Cursor& cursor = cursors[d];
    const std::uint32_t slot = cursor.slot;
    key_slots[slot] = leaves ? float_from_ordered(key) : key;
    if constexpr (has_values) value_slots[slot] = values[i];
    const std::uint32_t next_slot = slot + 1;
    cursor.slot = next_slot;
    count(key, cursor.counters);
    if ((next_slot & last_slot) == 0) [[unlikely]] {
      SORTLAB_RARE();
      full(d);
      cursor.slot = next_slot - last_slot - 1;
    }
  };
  const auto fetch_slot = [&](std::size_t i) __attribute__((always_inline)) {
    SORTLAB_LOOP("satish.append_far", 1, sizeof(Word), kValueBytes, kCounts);
    const std::uint32_t slot = cursors[digit_at(ordered(i), shift, mask)].slot;
    __builtin_prefetch(key_slots + slot);
    if constexpr (has_values) __builtin_prefetch(value_slots + slot);
  };

  constexpr std::size_t ahead = 8;  // elements: some 30 cycles, twice the latency of the second-level cache
  const bool slots_are_far = to.radix * (has_values ? 2 : 1) > kNearLines;
  const std::size_t n = keys.size();
  std::size_t i = 0;
  for (; i + 4 + ahead <= n; i += 4) {  // unrolled: a tenth faster; compilers do not unroll it
    fetch_ahead(keys.data() + i);
    if constexpr (has_values) fetch_ahead(values + i);
    if (slots_are_far) {
      for (std::size_t j = i + ahead; j < i + ahead + 4; ++j) fetch_slot(j);
    }
    append_one(i);
    append_one(i + 1);
    append_one(i + 2);
    append_one(i + 3);
  }
  for (; i < n; ++i) append_one(i);
}

/// Appends `keys` (and `values`) to the buffers of their digits, in their order. `full(d)` empties the buffer of digit
/// d when its last slot is filled; the next element then goes to its first slot. enters, leaves: for floats only; true
/// if keys become ordered words on the way in, and floats again on the way out. count: CountNothing, or CountDigit,
/// which counts a digit of the ordered words.
template <bool enters, bool leaves, class Word, class Value, class Count, class Full>
void append(const DigitBuffers<Word, Value>& to, std::span<const Word> keys, const Value* values, Digit<Word> digit,
            Count count, Full full) {
  with_fast_shifts([=]() __attribute__((always_inline)) {
    append_here<enters, leaves>(to, keys, values, digit, count, full);
  });
}

}  // namespace sortlab::satish
