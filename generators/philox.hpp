// The counter-based random numbers of all inputs: Philox4x32-10 (Salmon et al., SC'11; Random123), keyed by the seed.
//
// A stream is an endless sequence of 32-bit words. Word w of a stream is word w % 4 of block w / 4. The words of a seed
// and stream are the same on every machine, and can be computed in any order.
#pragma once

#include <array>
#include <cstdint>

#include <Random123/philox.h>

#include "core/host_device.hpp"

namespace sortlab {

/// Four random 32-bit words for one block of one stream. The counter is (block, stream), the key is the seed.
SORTLAB_HOST_DEVICE inline std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t block,
                                                               std::uint64_t stream) {
  const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                            static_cast<std::uint32_t>(stream),
                                            static_cast<std::uint32_t>(stream >> 32)}};
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto words = r123::Philox4x32{}(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

/// One stream of random words, made many at a time by the widest vectors of the processor. The words are the same on
/// all.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// The four words of one block.
  SORTLAB_HOST_DEVICE std::array<std::uint32_t, 4> block(std::uint64_t index) const {
    return philox(seed_, index, stream_);
  }

  /// Writes words [first, first + count) to `words`. `first` must be a multiple of 4.
  void fill(std::uint64_t first, std::uint64_t count, std::uint32_t* words) const;

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace sortlab
