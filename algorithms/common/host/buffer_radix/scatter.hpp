// One pass of the buffer radix sort: each key is appended to a cache-resident buffer of its digit, and a full buffer is
// written out as whole cache lines to the output (Satish et al. 2010, section 3: buffers of B elements for each of the
// 2^D digits).
//
// The first slot used in a buffer is given by the low bits of its digit's first place in the output. Buffers then fill
// up exactly at line boundaries of the output, so that every full line can be written with non-temporal stores, which
// avoid reading the line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/common/host/buffer_radix/ahead.hpp"
#include "algorithms/common/host/buffer_radix/append.hpp"
#include "algorithms/common/host/buffer_radix/keys.hpp"
#include "core/pages.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::satish {

enum class Flush : std::uint8_t { ordinary, nontemporal };

/// Copies `bytes`, whole lines. Stores are ordinary if `to` is not aligned to a line.
inline void copy_lines(void* to, const void* from, std::size_t bytes, Flush flush) {
  if (flush == Flush::nontemporal && reinterpret_cast<std::uintptr_t>(to) % kLineBytes == 0) {
    stream_lines(to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// Number of elements between the last line boundary before an array and its begin.
template <class Word>
std::size_t line_offset(const Word* array) {
  return reinterpret_cast<std::uintptr_t>(array) % kLineBytes / sizeof(Word);
}

/// The buffers of one thread, for any pass of up to `radix` digits.
template <class Word, class Value>
class ScatterBuffers {
 public:
  static constexpr bool has_values = DigitBuffers<Word, Value>::has_values;
  static constexpr std::size_t line_elements = DigitBuffers<Word, Value>::line_elements;

  ScatterBuffers(std::size_t radix, int lines, PageKind pages)
      : slots_(static_cast<std::uint32_t>(line_elements) * static_cast<std::uint32_t>(lines)),
        keys_(radix * slots_ * sizeof(Word), pages),
        values_(has_values ? radix * slots_ * sizeof(Value) : 0, pages),
        cursors_(radix),
        places_(radix),
        limits_(radix) {}

  /// Elements of a buffer. It is full when its output position, counted from a line boundary, is a multiple of them.
  std::uint32_t slots() const { return slots_; }

  std::uint64_t bytes() const {
    return keys_.size() + values_.size() +
           cursors_.size() * (sizeof cursors_[0] + sizeof places_[0] + sizeof limits_[0]);
  }

  /// Scatters `keys` (and `values`) stably: a key of digit d goes to the next place from starts[d] on.
  /// enters, leaves: for floats only; true if keys become ordered words on the way in, and floats again on the way out.
  /// next: the pass to count for, or null.
  template <bool enters, bool leaves>
  void scatter(std::span<const Word> keys, const Value* values, Digit<Word> digit, const std::uint64_t* starts,
               Word* out_keys, Value* out_values, Flush flush, const NextPass<Word>* next) {
    const std::size_t skew = line_offset(out_keys);  // places are counted from the line boundary
    const Output output{out_keys - skew, has_values ? out_values - skew : nullptr, flush};
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      places_[d] = starts[d] + skew;
      cursors_[d].slot = d * slots_ + static_cast<std::uint32_t>(places_[d] & (slots_ - 1));
    }

    const DigitBuffers<Word, Value> buffers{.keys = keys_.data<Word>(),
                                            .values = values_.data<Value>(),
                                            .cursors = cursors_.data(),
                                            .radix = cursors_.size(),
                                            .slots = slots_};
    if (leaves || next == nullptr) {
      append<enters, leaves>(buffers, keys, values, digit, CountNothing{},
                             [&](std::uint32_t d) { write_out(output, d, slots_); });
    } else if constexpr (!leaves) {
      next->counters.clear();
      for (std::uint32_t d = 0; d < digit.radix(); ++d) enter_share(*next, d, skew);
      const CountDigit<Word> count{.counters = next->counters.data(),
                                   .shift = next->digit.shift,
                                   .mask = static_cast<std::uint32_t>(next->digit.radix() - 1)};
      append<enters, false>(buffers, keys, values, digit, count, [&](std::uint32_t d) {
        write_out(output, d, slots_);
        if (places_[d] >= limits_[d]) enter_share(*next, d, skew);
      });
    }
    for (std::uint32_t d = 0; d < digit.radix(); ++d) write_out(output, d, cursors_[d].slot & (slots_ - 1));
    if (flush == Flush::nontemporal) finish_streaming();
  }

 private:
  struct Output {
    Word* keys;
    Value* values;
    Flush flush;
  };

  /// Counts the following elements of digit d for the share of their destination.
  void enter_share(const NextPass<Word>& next, std::uint32_t d, std::size_t skew) {
    const auto cuts = next.counters.cuts();
    const auto cut = std::ranges::upper_bound(cuts, places_[d] - skew);
    const auto share = static_cast<std::size_t>(cut - cuts.begin());
    cursors_[d].counters = static_cast<std::uint32_t>(share * next.counters.stride());
    limits_[d] = cut == cuts.end() ? std::numeric_limits<std::uint64_t>::max() : *cut + skew;
  }

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
    } else {  // a digit's first and last keys share lines with its neighbours: ordinary stores
      std::copy_n(keys_.data<Word>() + from, end - begin, output.keys + place);
      if constexpr (has_values) std::copy_n(values_.data<Value>() + from, end - begin, output.values + place);
    }
  }

  std::uint32_t slots_;  ///< elements of a buffer, a power of two
  Pages keys_;
  Pages values_;
  std::vector<Cursor> cursors_;
  std::vector<std::uint64_t> places_;  ///< destination of each digit's next buffer
  std::vector<std::uint64_t> limits_;  ///< end of the share for which each digit is counted
};

}  // namespace sortlab::satish
