// Uniform keys: random words as wide as the key, of which the highest bits count.
#pragma once

#include "generators/key_space.hpp"

namespace sortlab {

template <class B>
struct UniformRank {
  int cut;  ///< number of low bits that are dropped
  constexpr B operator()(B random) const { return random >> cut; }
};

template <class K>
class UniformKey {
 public:
  explicit UniformKey(const Input& input)
      : rank_{key_width(input.key) - key_space(input).range_bits}, to_key_(key_space(input)) {}
  SORTLAB_HOST_DEVICE Bits<K> operator()(Bits<K> random) const { return to_key_(rank_(random)); }

 private:
  UniformRank<Bits<K>> rank_;
  KeyOfRank<K> to_key_;
};

/// The formula of keys that are each `to_key(random)`, where all bits of `random` are random.
template <class B, class KeyOf>
struct KeysOfRandomBits {
  using Pattern = B;
  static constexpr int kWords = sizeof(B) / 4;
  KeyOf to_key;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) store<B>(chunk, i, to_key(load<B>(words, i)));
  }
};

}  // namespace sortlab
