// Uniform ranks, the raw material of most inputs: as many random bits as a key has, of which the highest count.
#pragma once

#include <cstdint>

#include "generators/key_space.hpp"
#include "generators/parallel.hpp"
#include "generators/philox.hpp"

namespace sortlab {

/// Keys are made this many at a time, so that they stay in the first-level cache between making and shaping them.
/// A multiple of 4 words, so that each chunk begins at a block of its stream.
inline constexpr std::uint64_t kChunk = 1024;

/// Writes keys i = [0, n) as `bits_of(i, random)`, where `random` has all bits of the key random: words [i*w, (i+1)*w)
/// of the stream, lowest first, w words a key.
template <class B, class BitsOf>
void fill_uniformly(std::uint64_t seed, std::uint64_t stream, std::uint64_t n, void* keys, int threads,
                    const BitsOf& bits_of) {
  constexpr std::uint64_t words = sizeof(B) / 4;
  in_parallel(n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
    const RandomStream random{seed, stream};
    const BitsOf shape = bits_of;  // a copy that the stores cannot alias, so that the loop below is vectorised
    for (std::uint64_t first = begin; first < end; first += kChunk) {
      const std::uint64_t count = std::min(kChunk, end - first);
      auto* chunk = static_cast<std::byte*>(keys) + first * sizeof(B);
      random.fill(first * words, count * words, reinterpret_cast<std::uint32_t*>(chunk));
      for (std::uint64_t i = 0; i < count; ++i) store<B>(chunk, i, shape(load<B>(chunk, i)));
    }
  });
}

/// Calls `use(first, count, words)` for each chunk of keys [first, first + count) of [0, n), where `words` are words
/// [first*kWords, (first+count)*kWords) of the stream: kWords a key.
template <int kWords, class Use>
void for_each_chunk(std::uint64_t seed, std::uint64_t stream, std::uint64_t n, int threads, const Use& use) {
  in_parallel(n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
    const RandomStream random{seed, stream};
    std::uint32_t words[kChunk * kWords];
    for (std::uint64_t first = begin; first < end; first += kChunk) {
      const std::uint64_t count = std::min(kChunk, end - first);
      random.fill(first * kWords, count * kWords, words);
      use(first, count, words);
    }
  });
}

/// Random words as one integer, lowest first.
inline std::uint64_t random64(const std::uint32_t* words) {
  return words[0] | std::uint64_t{words[1]} << 32;
}
inline uint128 random128(const std::uint32_t* words) {
  return random64(words) | uint128{random64(words + 2)} << 64;
}

/// floor(random * bound / 2^64): uniform below `bound` for a uniform `random`, up to bound / 2^64.
inline std::uint64_t scaled(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>((uint128{random} * bound) >> 64);
}
/// floor(random * bound / 2^128).
inline uint128 scaled(uint128 random, uint128 bound) {
  const auto low = [](uint128 x) { return static_cast<std::uint64_t>(x); };
  const auto high = [](uint128 x) { return static_cast<std::uint64_t>(x >> 64); };
  const uint128 middle = uint128{high(random)} * low(bound) + scaled(low(random), low(bound));
  const uint128 carried = uint128{low(random)} * high(bound) + low(middle);
  return uint128{high(random)} * high(bound) + high(middle) + high(carried);
}

}  // namespace sortlab
