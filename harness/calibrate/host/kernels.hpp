// The micro-benchmarks of the CPU: MB1 (streams), MB2 (runs to many places), MB3 (latency), MB11 (counters, buffers) of
// the reference, section 4.3. None sorts: digits are synthetic random numbers, and what is written where means nothing.
//
// Each works the same mechanism of the machine as a phase of a sort does, alone: the reading of a stream, the writing
// of whole lines to many places, the copy of a part of a buffer. Counting and appending are the radix sort's own loops.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/key_types.hpp"
#include "core/stream_lines.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sortlab::calibration {

inline constexpr std::size_t kLine = 64;  ///< bytes

/// Stores that bypass the cache, where the machine has them (kHasStreamingStores); otherwise both kinds are the same.
enum class Store : std::uint8_t { ordinary, nontemporal };

/// Keeps `value` alive without storing it.
template <class T>
inline void keep(T value) {
  asm volatile("" : : "r"(value) : "memory");
}

/// Copies whole lines; `to` is aligned to a line.
template <Store store>
inline void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (store == Store::nontemporal) {
    stream_lines(to, from, bytes);
  } else {
    // Line by line: a long memcpy would bypass the caches.
    for (std::size_t i = 0; i < bytes; i += kLine) std::memcpy(to + i, from + i, kLine);
  }
}

/// Sends lines out of all caches, where the machine can.
inline void evict_lines(std::span<std::byte> lines) {
#if defined(__SSE2__)
  for (std::size_t i = 0; i < lines.size(); i += kLine) _mm_clflush(lines.data() + i);
  if (!lines.empty()) _mm_clflush(lines.data() + lines.size() - 1);
  _mm_mfence();
#endif
}

/// Writes what lines hold anew, which brings them into the caches as a sort's own output.
inline void rewrite_lines(std::span<std::byte> lines) {
  for (std::size_t i = 0; i + kLine <= lines.size(); i += kLine) {
    auto* const word = reinterpret_cast<volatile std::uint64_t*>(lines.data() + i);
    *word = *word;
  }
}

// MB1

/// Reads every byte.
inline void read_stream(std::span<const std::byte> from) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(from.data());
  std::array<std::uint64_t, 8> sums{};
  for (std::size_t i = 0; i + 8 <= from.size() / 8; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) sums[j] ^= words[i + j];
  }
  for (const std::uint64_t sum : sums) keep(sum);
}

template <Store store>
void write_stream(std::span<std::byte> to) {
  alignas(kLine) static constexpr std::array<std::byte, 16 * kLine> lines{};
  for (std::size_t i = 0; i + lines.size() <= to.size(); i += lines.size()) {
    copy_lines<store>(to.data() + i, lines.data(), lines.size());
  }
  finish_streaming();
}

template <Store store>
void copy_stream(std::span<std::byte> to, std::span<const std::byte> from) {
  copy_lines<store>(to.data(), from.data(), std::min(to.size(), from.size()) / kLine * kLine);
  finish_streaming();
}

// MB2

/// Copies `from` to `to` in runs of `run` bytes that go to 2^bits places in a random order, each place a part of `to`
/// that is written from its begin to its end and again. `random`: numbers whose low bits name the places.
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

/// The next number of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t r = state;
  r = (r ^ (r >> 30)) * 0xbf58476d1ce4e5b9;
  r = (r ^ (r >> 27)) * 0x94d049bb133111eb;
  return r ^ (r >> 31);
}

/// A digit of synthetic words, and how often two such digits are equal.
struct Digit {
  double width = 0;           ///< of the digits that it stands for, in bits
  double collision_bits = 0;  ///< -log2 of the chance that two are equal
  bool uniform = false;       ///< of uniform words; else of biased ones (fill_biased_halves)
  int shift = 0;
  int bits = 0;
};

/// Constant, biased and uniform digits of three widths. Collision entropy of a biased bit: -log2(p² + (1 - p)²).
inline constexpr std::array kDigits{
    Digit{8, 0, false, 0, 0},         Digit{8, 0.3604, false, 16, 4},   Digit{8, 0.7208, false, 16, 8},
    Digit{8, 5.4248, false, 0, 8},    Digit{8, 8, true, 0, 8},          Digit{11, 0, false, 0, 0},
    Digit{11, 0.3604, false, 16, 4},  Digit{11, 0.9911, false, 16, 11}, Digit{11, 7.4591, false, 0, 11},
    Digit{11, 11, true, 0, 11},       Digit{16, 0, false, 0, 0},        Digit{16, 1.4416, false, 16, 16},
    Digit{16, 10.8496, false, 0, 16}, Digit{16, 16, true, 0, 16}};

inline void fill_uniform(std::span<std::uint32_t> words, std::uint64_t seed) {
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(next_random(seed));
}

/// In every 32-bit group the lower half's bits are set with chance 1/4, the upper half's with chance 1/32.
inline void fill_biased_halves(std::span<std::uint32_t> words, std::uint64_t seed) {
  for (std::uint32_t& word : words) {
    const std::uint64_t a = next_random(seed);
    const std::uint64_t b = next_random(seed);
    const std::uint64_t quarter = a & (a >> 16);
    const std::uint64_t thirty_second = (a >> 32) & (a >> 48) & b & (b >> 16) & (b >> 32);
    word = static_cast<std::uint32_t>((quarter & 0xffff) | (thirty_second & 0xffff) << 16);
  }
}

/// Fills runs of `length` words with numbers that rise by random steps, as far as a word goes.
template <class Word>
void fill_rising(std::span<Word> to, std::size_t length, std::uint64_t seed) {
  const int shift = 65 - 8 * static_cast<int>(sizeof(Word)) + static_cast<int>(std::bit_width(length));
  Word key = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    key = (i % length == 0 ? Word{0} : key) + static_cast<Word>(next_random(seed) >> shift);
    to[i] = key;
  }
}

/// Words for counting, all bits alike: set with chance 1/2, 1/4, 1/32 or 0.
inline constexpr std::array kBiases{0.5, 0.25, 1.0 / 32, 0.0};

/// Digits of them, by index and width, from uniform to constant: 8, 5.42, 2.71, 0.72, 0.36 and 0 bits of collision
/// entropy.
inline constexpr std::array<std::pair<std::size_t, int>, 6> kCountedDigits{
    {{0, 8}, {1, 8}, {1, 4}, {2, 8}, {2, 4}, {3, 8}}};

inline void fill_biased(std::span<std::uint32_t> words, double chance, std::uint64_t seed) {
  for (std::uint32_t& word : words) {
    std::uint64_t bits = chance > 0 ? ~std::uint64_t{0} : 0;
    for (double share = 1; share > chance && share > 1e-9; share /= 2) bits &= next_random(seed);
    word = static_cast<std::uint32_t>(bits);
  }
}

/// Writes to `count` random lines of `to`, a power of two of bytes: what memory takes that was used long ago.
inline void touch_lines(std::span<std::byte> to, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    auto* line = reinterpret_cast<std::uint32_t*>(to.data() + (next_random(seed) & (to.size() - kLine)));
    ++*line;
  }
}

/// The order-preserving map of floats to unsigned words, one by one as a radix sort does it.
template <class Word>
void map_floats(std::span<const Word> words) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  for (const Word word : words) keep((word & sign) != 0 ? static_cast<Word>(~word) : static_cast<Word>(word | sign));
}

/// Running sums of counters, each replaced by the sum before it.
inline void prefix_sums(std::span<std::uint64_t> counters) {
  std::uint64_t sum = 0;
  for (std::uint64_t& counter : counters) {
    const std::uint64_t count = counter & 0xff;
    counter = sum;
    sum += count;
    keep(sum);
  }
}

/// Copies parts of 256 buffers, of random lengths, to random places: what is left in buffers at the end of a pass.
inline void copy_parts(std::span<std::uint32_t> to, const std::uint32_t* buffers, std::size_t slots,
                       std::span<const std::uint16_t> order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t length = 1 + order[i] % (slots - 1);
    const std::size_t place = (order[i] * std::size_t{2654435761} + i) % (to.size() - slots);
    std::copy_n(buffers + i % 256 * slots, length, to.data() + place);
  }
}

}  // namespace sortlab::calibration
