// The CPU's micro-benchmarks without sorting code: MB2 (runs to many places), MB3 (latency) and the simple loops of
// MB11. MB1 (streams) is in common/host/lines.hpp. None of them sorts: the contents written are meaningless.
//
// Each exercises one mechanism of the machine that a phase of a sort uses, alone: writing whole lines to many places,
// or copying a part of a buffer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "algorithms/common/host/lines.hpp"
#include "algorithms/common/host/made_words.hpp"

namespace sortlab::calibration {

// MB2

/// Copies `from` to `to` in runs of `run` bytes, which go to 2^bits places in random order. Each place is a part of
/// `to` that is written from begin to end, repeatedly. `random`: numbers whose low bits select the places.
template <Store store>
void copy_runs(std::span<std::byte> to, std::span<const std::byte> from, std::size_t run, int bits,
               std::span<const std::uint16_t> random, std::span<std::uint32_t> cursors) {
  const std::size_t part = to.size() >> bits;  // a power of two
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  for (std::size_t i = 0, next = 0; i + run <= from.size(); i += run, next = (next + 1) % random.size()) {
    const std::size_t place = random[next] & mask;
    copy_lines<store>(to.data() + place * part + (cursors[place] & (part - 1)), from.data() + i, run);
    cursors[place] += static_cast<std::uint32_t>(run);
  }
  finish_streaming();
}

// MB3

/// Follows a cycle of pointers `steps` times.
inline void chase(const std::uint64_t* cycle, std::size_t steps) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < steps; ++i) at = cycle[at];
  keep(at);
}

// MB11

/// Writes to `count` random lines of `to`, whose size is a power of two: the cost of memory that is in no cache.
inline void touch_lines(std::span<std::byte> to, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    auto* line = reinterpret_cast<std::uint32_t*>(to.data() + (next_random(seed) & (to.size() - kLine)));
    ++*line;
  }
}

/// Maps floats to unsigned words of the same order, one by one as in a radix sort.
template <class Word>
void map_floats(std::span<const Word> words) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  for (const Word word : words) keep((word & sign) != 0 ? static_cast<Word>(~word) : static_cast<Word>(word | sign));
}

/// Exclusive prefix sums of counters, in place.
inline void prefix_sums(std::span<std::uint64_t> counters) {
  std::uint64_t sum = 0;
  for (std::uint64_t& counter : counters) {
    const std::uint64_t count = counter & 0xff;
    counter = sum;
    sum += count;
    keep(sum);
  }
}

/// Copies parts of random length of 256 buffers to random places, like flushing the buffers at the end of a pass.
inline void copy_parts(std::span<std::uint32_t> to, const std::uint32_t* buffers, std::size_t slots,
                       std::span<const std::uint16_t> order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t length = 1 + order[i] % (slots - 1);
    const std::size_t place = (order[i] * std::size_t{2654435761} + i) % (to.size() - slots);
    std::copy_n(buffers + i % 256 * slots, length, to.data() + place);
  }
}

}  // namespace sortlab::calibration
