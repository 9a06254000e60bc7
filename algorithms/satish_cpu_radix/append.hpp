// The inner loop of a pass: each element is appended to the buffer of its digit.
//
// What a key costs: its load, its digit, the load of that digit's cursor, two stores and a test; stores to different
// lines take a cycle each on today's cores, and the rest hides behind them while lines are near:
// - the input's lines are fetched ahead (fetch_ahead.hpp);
// - the lines that elements go to are, too, where digits have more of them than the first-level cache holds;
// - a full buffer is dominated by the branch that nobody can predict (17 to 20 cycles), hence buffers of several lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algorithms/common/fetch_ahead.hpp"
#include "algorithms/common/stream_lines.hpp"
#include "algorithms/satish_cpu_radix/fast_shifts.hpp"
#include "algorithms/satish_cpu_radix/keys.hpp"

namespace sortlab::satish {

/// Buffers of `slots` elements each (a power of two), one a digit; aligned to lines.
template <class Word, class Value>
struct DigitBuffers {
  static constexpr bool has_values = !std::is_same_v<Value, NoValue>;
  /// Elements of one line of the narrower stream: the other's part of a buffer is then whole lines too.
  static constexpr std::size_t line_elements =
      kLineBytes / (has_values ? std::min(sizeof(Word), sizeof(Value)) : sizeof(Word));

  Word* keys = nullptr;
  Value* values = nullptr;
  std::uint32_t* cursors = nullptr;  ///< of each digit, the slot of its next element
  std::size_t radix = 0;
  std::uint32_t slots = 0;
};

/// append for the instruction set of the function that it is called in.
template <bool enters, bool leaves, class Word, class Value, class Full>
[[gnu::always_inline]] inline void append_here(const DigitBuffers<Word, Value>& to, std::span<const Word> keys,
                                               const Value* values, Digit<Word> digit, const Full& full) {
  constexpr bool has_values = DigitBuffers<Word, Value>::has_values;
  Word* const key_slots = to.keys;
  Value* const value_slots = to.values;
  std::uint32_t* const cursors = to.cursors;
  const std::uint32_t last_slot = to.slots - 1;
  const int shift = digit.shift;
  const auto mask = static_cast<std::uint32_t>(digit.radix() - 1);

  const auto ordered = [&](std::size_t i) __attribute__((always_inline)) {
    return enters ? ordered_from_float(keys[i]) : keys[i];
  };
  const auto append_one = [&](std::size_t i) __attribute__((always_inline)) {
    const Word key = ordered(i);
    const std::uint32_t d = digit_at(key, shift, mask);
    const std::uint32_t slot = cursors[d];
    key_slots[slot] = leaves ? float_from_ordered(key) : key;
    if constexpr (has_values) value_slots[slot] = values[i];
    cursors[d] = slot + 1;
    if (((slot + 1) & last_slot) == 0) [[unlikely]] {
      full(d);
      cursors[d] = slot - last_slot;
    }
  };
  const auto fetch_slot = [&](std::size_t i) __attribute__((always_inline)) {
    const std::uint32_t slot = cursors[digit_at(ordered(i), shift, mask)];
    __builtin_prefetch(key_slots + slot);
    if constexpr (has_values) __builtin_prefetch(value_slots + slot);
  };

  constexpr std::size_t ahead = 8;   // elements: some 30 cycles, twice the latency of the second-level cache
  constexpr std::size_t near = 512;  // lines in 32 KiB, which the first-level cache holds at least
  const bool slots_are_far = to.radix * (has_values ? 2 : 1) > near;
  const std::size_t count = keys.size();
  std::size_t i = 0;
  for (; i + 4 + ahead <= count; i += 4) {  // unrolled: a tenth faster, and compilers do not
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
  for (; i < count; ++i) append_one(i);
}

/// Appends `keys` (and `values`) to the buffers of their digits, in their order. `full(d)` takes the buffer of digit d
/// when its last slot is filled; the next goes to its first.
/// enters, leaves: floats only, whether keys become ordered words on the way in, and floats again on the way out.
template <bool enters, bool leaves, class Word, class Value, class Full>
void append(const DigitBuffers<Word, Value>& to, std::span<const Word> keys, const Value* values, Digit<Word> digit,
            Full full) {
  with_fast_shifts([=]()
                       __attribute__((always_inline)) { append_here<enters, leaves>(to, keys, values, digit, full); });
}

}  // namespace sortlab::satish
