// Synthetic words for probes: random numbers whose digits have a known collision entropy, and ascending runs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sortlab::calibration {

/// The next number of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t r = state;
  r = (r ^ (r >> 30)) * 0xbf58476d1ce4e5b9;
  r = (r ^ (r >> 27)) * 0x94d049bb133111eb;
  return r ^ (r >> 31);
}

/// A digit of the synthetic words and its collision entropy.
struct Digit {
  double width = 0;           ///< nominal digit width that this entry stands for; `bits` is the width cut from the word
  double collision_bits = 0;  ///< -log2 of the probability that two digits are equal
  bool uniform = false;       ///< a digit of uniform words, otherwise of biased ones (fill_biased_halves())
  int shift = 0;
  int bits = 0;
};

/// Constant, nearly constant, biased and uniform digits of three widths. Collision entropy of a biased bit:
/// -log2(p² + (1 - p)²).
inline constexpr std::array kDigits{
    Digit{8, 0, false, 0, 0},         Digit{8, 0.0901, false, 16, 1},   Digit{8, 0.3604, false, 16, 4},
    Digit{8, 0.7208, false, 16, 8},   Digit{8, 5.4248, false, 0, 8},    Digit{8, 8, true, 0, 8},
    Digit{11, 0, false, 0, 0},        Digit{11, 0.0901, false, 16, 1},  Digit{11, 0.3604, false, 16, 4},
    Digit{11, 0.9911, false, 16, 11}, Digit{11, 7.4591, false, 0, 11},  Digit{11, 11, true, 0, 11},
    Digit{16, 0, false, 0, 0},        Digit{16, 1.4416, false, 16, 16}, Digit{16, 10.8496, false, 0, 16},
    Digit{16, 16, true, 0, 16}};

inline void fill_uniform(std::span<std::uint32_t> words, std::uint64_t seed) {
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(next_random(seed));
}

/// Sets the bits of each word's lower half with probability 1/4 and those of its upper half with 1/32.
inline void fill_biased_halves(std::span<std::uint32_t> words, std::uint64_t seed) {
  for (std::uint32_t& word : words) {
    const std::uint64_t a = next_random(seed);
    const std::uint64_t b = next_random(seed);
    const std::uint64_t quarter = a & (a >> 16);
    const std::uint64_t thirty_second = (a >> 32) & (a >> 48) & b & (b >> 16) & (b >> 32);
    word = static_cast<std::uint32_t>((quarter & 0xffff) | (thirty_second & 0xffff) << 16);
  }
}

/// Fills runs of `length` words with numbers that rise by random steps over the range of a word.
template <class Word>
void fill_rising(std::span<Word> to, std::size_t length, std::uint64_t seed) {
  const int shift = 65 - 8 * static_cast<int>(sizeof(Word)) + static_cast<int>(std::bit_width(length));
  Word key = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    key = (i % length == 0 ? Word{0} : key) + static_cast<Word>(next_random(seed) >> shift);
    to[i] = key;
  }
}

/// Bit probabilities of the words for counting.
inline constexpr std::array kBiases{0.5, 0.25, 1.0 / 32, 0.0};

/// Digits of these words (index into kBiases, width in bits), from uniform to constant: 8, 5.42, 2.71, 0.72, 0.36, 0.09
/// and 0 bits of collision entropy.
inline constexpr std::array<std::pair<std::size_t, int>, 7> kCountedDigits{
    {{0, 8}, {1, 8}, {1, 4}, {2, 8}, {2, 4}, {2, 1}, {3, 8}}};

/// Sets each bit with probability `chance`, a power of 1/2 or 0.
inline void fill_biased(std::span<std::uint32_t> words, double chance, std::uint64_t seed) {
  for (std::uint32_t& word : words) {
    std::uint64_t bits = chance > 0 ? ~std::uint64_t{0} : 0;
    for (double share = 1; share > chance && share > 1e-9; share /= 2) bits &= next_random(seed);
    word = static_cast<std::uint32_t>(bits);
  }
}

}  // namespace sortlab::calibration
