// Input and output of tile primitives (MB8): words generated in registers, and discarded results. A word takes one or
// two instructions, a result one: about as many as a load and a store.
#pragma once

#include <cstdint>
#include <iterator>

#include "algorithms/common/cuda/hash.cuh"
#include "core/key_types.hpp"

namespace sortlab::calibration {

/// Pseudo-random words of a thread, by a linear congruential generator (O'Neill, PCG 2014, her constants), of which the
/// upper bits are random.
class RandomWords {
 public:
  __device__ RandomWords() : state_(hash(blockIdx.x * blockDim.x + threadIdx.x)) {}

  template <class Word>
  __device__ Word next() {
    if constexpr (sizeof(Word) == 8) {
      const std::uint32_t high = next<std::uint32_t>();
      return static_cast<Word>(std::uint64_t{high} << 32 | next<std::uint32_t>());
    } else {
      return static_cast<Word>(state_ = state_ * 747796405u + 2891336453u);
    }
  }

 private:
  std::uint32_t state_;
};

/// Sink for results: one number per thread, which depends on all of them.
class Discard {
 public:
  template <class Word>
  __device__ void take(Word value) {
    low_ ^= static_cast<std::uint32_t>(value);
    if constexpr (sizeof(Word) == 8) high_ ^= static_cast<std::uint32_t>(value >> 32);
  }
  /// Consumes a result and the position where it would be stored.
  template <class Word>
  __device__ void take_at(std::uint64_t place, Word value) {
    low_ ^= static_cast<std::uint32_t>(place) ^ static_cast<std::uint32_t>(value);
    high_ ^= static_cast<std::uint32_t>(place >> 32);
    if constexpr (sizeof(Word) == 8) high_ ^= static_cast<std::uint32_t>(value >> 32);
  }
  /// Ends the kernel: writes to `out` with negligible probability. The condition depends on the results; otherwise the
  /// compiler could move the work behind it.
  __device__ void finish(std::uint32_t* out) const {
    if ((low_ ^ high_) == 0x9e3779b9) *out = low_;
  }

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
};

/// Iterator for loading a tile: returns the next word, masked, for any position.
template <class Word>
class Input {
 public:
  using value_type = Word;
  using difference_type = std::int64_t;
  using pointer = void;
  using reference = Word;
  using iterator_category = std::random_access_iterator_tag;

  __device__ Input(RandomWords& words, Word mask) : words_(&words), mask_(mask) {}
  __device__ Word operator[](std::int64_t) const { return words_->next<Word>() & mask_; }
  __device__ Word operator*() const { return (*this)[0]; }
  __device__ Input operator+(std::int64_t) const { return *this; }

 private:
  RandomWords* words_;
  Word mask_;
};

/// Iterator for storing a tile.
template <class Word>
class Output {
 public:
  using value_type = Word;
  using difference_type = std::int64_t;
  using pointer = void;
  using reference = const Output&;
  using iterator_category = std::random_access_iterator_tag;

  __device__ explicit Output(Discard& discard) : discard_(&discard) {}
  __device__ const Output& operator[](std::int64_t) const { return *this; }
  __device__ const Output& operator*() const { return *this; }
  __device__ Output operator+(std::int64_t) const { return *this; }
  __device__ const Output& operator=(Word value) const {
    discard_->take(value);
    return *this;
  }
  /// Some agents can also read what they write; no probe does.
  __device__ operator Word() const { return {}; }

 private:
  Discard* discard_;
};

/// Calls `f.template operator()<K, V>()` for the types of tile primitives: key and value of 4/0, 8/0, 4/4 and 8/8
/// bytes.
template <class F>
void for_tile_types(const F& f) {
  f.template operator()<std::uint32_t, NoValue>();
  f.template operator()<std::uint64_t, NoValue>();
  f.template operator()<std::uint32_t, std::uint32_t>();
  f.template operator()<std::uint64_t, std::uint64_t>();
}

template <class V>
inline constexpr std::size_t kTileValueBytes = std::is_same_v<V, NoValue> ? 0 : sizeof(V);

}  // namespace sortlab::calibration
