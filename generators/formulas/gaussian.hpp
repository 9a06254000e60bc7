// The sum of four quarters of uniform keys, close to a normal distribution.
#pragma once

#include "generators/helman.hpp"

namespace sortlab {

template <class K>
class GaussianKeys {
 public:
  using Pattern = Bits<K>;
  static constexpr int kWords = sizeof(Pattern);  // four draws of sizeof(Pattern) / 4

  explicit GaussianKeys(const Input& input)
      : cut_(key_width(input.key) - helman::range_bits(input)), to_key_(helman::key_space(input)) {}

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      Pattern sum = 0;
      for (std::uint64_t draw = 0; draw < 4; ++draw) sum += (load<Pattern>(words, 4 * i + draw) >> cut_) / 4;
      store(chunk, i, to_key_(sum));
    }
  }

 private:
  int cut_;
  KeyOfRank<K> to_key_;
};

}  // namespace sortlab
