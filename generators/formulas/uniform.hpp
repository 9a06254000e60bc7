// Uniform keys: as many random bits as a key has, of which the highest count.
#pragma once

#include "generators/key_space.hpp"

namespace sortlab {

template <class B>
struct UniformRank {
  int cut;  ///< low bits that do not count
  constexpr B operator()(B random) const { return random >> cut; }
};

template <class K>
class UniformKey {
 public:
  explicit UniformKey(const Input& input)
      : rank_{width_of(input.key) - key_space(input).range_bits}, key_of_(key_space(input)) {}
  SORTLAB_HOST_DEVICE Bits<K> operator()(Bits<K> random) const { return key_of_(rank_(random)); }

 private:
  UniformRank<Bits<K>> rank_;
  KeyOfRank<K> key_of_;
};

/// The formula of keys that are each `key_of(random)`, where `random` has all bits of the key random.
template <class B, class KeyOf>
struct KeysOfRandomBits {
  using Pattern = B;
  static constexpr int kWords = sizeof(B) / 4;
  KeyOf key_of;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) store<B>(chunk, i, key_of(load<B>(words, i)));
  }
};

}  // namespace sortlab
