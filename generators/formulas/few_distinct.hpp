// Keys drawn uniformly from few values, which are evenly spaced over the range of the key: value j of D is
// floor(j * 2^w / D) for a key of w bits. D is at most 2^24, so that the values are distinct in f32.
#pragma once

#include "generators/key_space.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

template <class K>
class FewDistinctKeys {
 public:
  using Pattern = Bits<K>;
  static constexpr int kWords = 2;

  explicit FewDistinctKeys(const Input& input)
      : distinct_(static_cast<std::uint64_t>(input.parameters.integer("distinct"))),
        ranges_(distinct_, key_width(input.key)),
        to_key_({.range_bits = key_width(input.key)}) {}

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t j = scaled(random64(words + 2 * i), distinct_);
      store(chunk, i, to_key_(static_cast<Pattern>(ranges_.boundary(j))));
    }
  }

 private:
  std::uint64_t distinct_;
  Ranges ranges_;
  KeyOfRank<K> to_key_;
};

}  // namespace sortlab
