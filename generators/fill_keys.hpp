// Makes keys on the host from a formula, with the requested number of threads.
//
// A formula (formulas/) makes any keys of an input from their positions and their random words, on the host or on a
// device:
//   using Pattern                        the bit pattern of a key: an unsigned integer of its width
//   static constexpr int kWords          random words per key: key i has words [i*kWords, (i+1)*kWords) of stream 0
//   void operator()(first, count, words, chunk) const
//                                        writes keys [first, first + count) to `chunk`; `words` are their random words
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/parallel.hpp"
#include "generators/key_space.hpp"
#include "generators/philox.hpp"

namespace sortlab {

/// Number of keys that are made at a time. Their random words stay in the first-level cache until the formula reads
/// them. A multiple of 4 words, so that each chunk begins at a block of its stream.
inline constexpr std::uint64_t kChunk = 1024;

/// Writes the n keys of `formula`.
template <class Formula>
void fill_keys(const Formula& formula, std::uint64_t seed, std::uint64_t n, void* keys, int threads) {
  in_parallel(n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
    const Formula make = formula;  // a copy that the stores cannot alias
    const auto at = [keys](std::uint64_t i) {
      return static_cast<std::byte*>(keys) + i * sizeof(typename Formula::Pattern);
    };
    if constexpr (Formula::kWords == 0) {
      make(begin, end - begin, nullptr, at(begin));
    } else {
      const RandomStream random{seed, 0};
      std::uint32_t words[kChunk * Formula::kWords];
      for (std::uint64_t first = begin; first < end; first += kChunk) {
        const std::uint64_t count = std::min(kChunk, end - first);
        random.fill(first * Formula::kWords, count * Formula::kWords, words);
        make(first, count, words, at(first));
      }
    }
  });
}

/// Writes keys that are each `to_key(random)`, where `random` is as many random words as the key has, lowest first.
/// Makes the keys in place.
template <class B, class KeyOf>
void fill_in_place(const KeyOf& to_key, std::uint64_t seed, std::uint64_t n, void* keys, int threads) {
  constexpr std::uint64_t words = sizeof(B) / 4;
  in_parallel(n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
    const RandomStream random{seed, 0};
    const KeyOf shape = to_key;  // a copy that the stores cannot alias, so that the loop below is vectorised
    for (std::uint64_t first = begin; first < end; first += kChunk) {
      const std::uint64_t count = std::min(kChunk, end - first);
      auto* chunk = static_cast<std::byte*>(keys) + first * sizeof(B);
      random.fill(first * words, count * words, reinterpret_cast<std::uint32_t*>(chunk));
      for (std::uint64_t i = 0; i < count; ++i) store<B>(chunk, i, shape(load<B>(chunk, i)));
    }
  });
}

}  // namespace sortlab
