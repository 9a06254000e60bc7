// One pass of the buffer radix sort: each key is appended to a cache-resident buffer of its digit, and a full buffer is
// written out as whole cache lines to where its keys belong (Satish et al. 2010, section 3: buffers of B elements for
// each of the 2^D digits).
//
// The first slot used in a buffer is the low bits of its digit's first place in the output, so that buffers run full
// exactly at line boundaries of the output and every full line can be written with non-temporal stores, which spare the
// reading of the line.
//
// What a key costs: its load, its digit, the load of that digit's cursor, two stores and a test. What a full buffer
// costs is dominated by the branch that nobody can predict (about 30 cycles a flush on Zen 3, of which 20 are the
// misprediction), hence buffers of several lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "algorithms/common/pages.hpp"
#include "algorithms/common/streaming.hpp"
#include "algorithms/satish_cpu_radix/keys.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sortlab::satish {

inline constexpr std::size_t kLineBytes = 64;

enum class Flush : std::uint8_t { ordinary, nontemporal };

/// Copies `bytes`, a multiple of a line. Non-temporal only if `to` is aligned to a line; `from` always is.
inline void copy_lines(void* to, const void* from, std::size_t bytes, Flush flush) {
#if defined(__SSE2__)
  if (flush == Flush::nontemporal && reinterpret_cast<std::uintptr_t>(to) % kLineBytes == 0) {
    auto* out = static_cast<__m128i*>(to);
    const auto* in = static_cast<const __m128i*>(from);
    for (std::size_t i = 0; i < bytes / sizeof(__m128i); i += 4) {
      const __m128i a = _mm_load_si128(in + i);
      const __m128i b = _mm_load_si128(in + i + 1);
      const __m128i c = _mm_load_si128(in + i + 2);
      const __m128i d = _mm_load_si128(in + i + 3);
      _mm_stream_si128(out + i, a);
      _mm_stream_si128(out + i + 1, b);
      _mm_stream_si128(out + i + 2, c);
      _mm_stream_si128(out + i + 3, d);
    }
    return;
  }
#else
  (void)flush;
#endif
  std::memcpy(to, from, bytes);
}

/// The buffers of one thread, for any pass of up to `radix` digits.
template <class Word, class Value>
class ScatterBuffers {
 public:
  static constexpr bool has_values = !std::is_same_v<Value, NoValue>;
  /// Elements of one line of the narrower stream: the other's part of a buffer is then whole lines too.
  static constexpr std::size_t line_elements =
      kLineBytes / (has_values ? std::min(sizeof(Word), sizeof(Value)) : sizeof(Word));

  ScatterBuffers(std::size_t radix, int lines, PageKind pages)
      : slots_(static_cast<std::uint32_t>(line_elements) * static_cast<std::uint32_t>(lines)),
        keys_(radix * slots_ * sizeof(Word), pages),
        values_(has_values ? radix * slots_ * sizeof(Value) : 0, pages),
        cursors_(radix),
        places_(radix) {}

  std::uint64_t bytes() const {
    return keys_.size() + values_.size() + cursors_.size() * (sizeof cursors_[0] + sizeof places_[0]);
  }

  /// Appends `keys` (and `values`) to the output, stably: a key of digit d goes to the next place from starts[d] on.
  /// enters, leaves: floats only, whether keys become ordered words on the way in, and floats again on the way out.
  template <bool enters, bool leaves>
  [[gnu::noinline]] void scatter(std::span<const Word> keys, const Value* values, Digit<Word> digit,
                                 const std::uint64_t* starts, Word* out_keys, Value* out_values, Flush flush) {
    // Places are counted from the last line boundary before the output, which may begin anywhere.
    const std::size_t skew = reinterpret_cast<std::uintptr_t>(out_keys) % kLineBytes / sizeof(Word);
    const Output output{out_keys - skew, has_values ? out_values - skew : nullptr, flush};
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      places_[d] = starts[d] + skew;
      cursors_[d] = d * slots_ + static_cast<std::uint32_t>(places_[d] & (slots_ - 1));
    }

    std::uint32_t* const cursors = cursors_.data();
    Word* const key_slots = keys_.data<Word>();
    Value* const value_slots = values_.data<Value>();
    const std::uint32_t last_slot = slots_ - 1;
    const int shift = digit.shift;
    const auto mask = static_cast<std::uint32_t>(digit.radix() - 1);
    const auto append = [&](std::size_t i) __attribute__((always_inline)) {
      Word key = keys[i];
      if constexpr (enters) key = ordered_from_float(key);
      const std::uint32_t d = digit_at(key, shift, mask);
      if constexpr (leaves) key = float_from_ordered(key);
      const std::uint32_t slot = cursors[d];
      key_slots[slot] = key;
      if constexpr (has_values) value_slots[slot] = values[i];
      cursors[d] = slot + 1;
      if (((slot + 1) & last_slot) == 0) [[unlikely]] {
        write_out(output, d, slots_);
        cursors[d] = slot - last_slot;
      }
    };
    const std::size_t count = keys.size();
    std::size_t i = 0;
    for (; i < count / 4 * 4; i += 4) {  // unrolled: a tenth faster, and compilers do not
      append(i);
      append(i + 1);
      append(i + 2);
      append(i + 3);
    }
    for (; i < count; ++i) append(i);
    for (std::uint32_t d = 0; d < digit.radix(); ++d) write_out(output, d, cursors_[d] & last_slot);
    if (flush == Flush::nontemporal) finish_streaming();
  }

 private:
  struct Output {
    Word* keys;
    Value* values;
    Flush flush;
  };

  /// Writes the keys of digit d in slots up to `end` of its buffer.
  [[gnu::noinline]] void write_out(const Output& output, std::uint32_t d, std::uint32_t end) {
    const std::uint64_t place = places_[d];
    const auto begin = static_cast<std::uint32_t>(place & (slots_ - 1));
    if (begin == end) return;
    const std::size_t from = std::size_t{d} * slots_ + begin;
    places_[d] = place + (end - begin);
    if (begin == 0 && end == slots_) {
      copy_lines(output.keys + place, keys_.data<Word>() + from, slots_ * sizeof(Word), output.flush);
      if constexpr (has_values) {
        copy_lines(output.values + place, values_.data<Value>() + from, slots_ * sizeof(Value), output.flush);
      }
    } else {  // the first or the last keys of a digit share lines with neighbours: ordinary stores
      std::copy_n(keys_.data<Word>() + from, end - begin, output.keys + place);
      if constexpr (has_values) std::copy_n(values_.data<Value>() + from, end - begin, output.values + place);
    }
  }

  std::uint32_t slots_;  ///< elements of a buffer, a power of two
  Pages keys_;
  Pages values_;
  std::vector<std::uint32_t> cursors_;  ///< of each digit, the slot of its next key
  std::vector<std::uint64_t> places_;   ///< of each digit, where its next buffer goes
};

}  // namespace sortlab::satish
