// Words of reduced entropy: word w of the keys is the AND of word w of several random streams, whatever the key type.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace sortlab {

/// Sets `product` to the AND of `ands` + 1 draws of `count` words. `draw(stream, words)` writes the words of one draw;
/// `factor` is room for those of another. Ends early once no bit is left, since further ANDs change nothing.
template <class Draw>
SORTLAB_HOST_DEVICE void and_of_draws(std::uint64_t ands, std::uint64_t count, std::uint32_t* product,
                                      std::uint32_t* factor, const Draw& draw) {
  draw(0, product);
  std::uint32_t any = 1;
  for (std::uint64_t stream = 1; stream <= ands && any != 0; ++stream) {
    draw(stream, factor);
    any = 0;
    for (std::uint64_t i = 0; i < count; ++i) any |= product[i] &= factor[i];
  }
}

}  // namespace sortlab
