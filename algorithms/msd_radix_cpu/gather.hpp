// A thread's write-combining buffers, through which words reach the blocks of their digits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/stream_lines.hpp"

namespace sortlab::msd {

/// The buffers of one thread. Each digit has a buffer of `slots` elements and a block in memory to which full buffers
/// are written. In both, values lie a fixed distance from their words.
template <class Word>
struct DigitBuffers {
  Word* buffers = nullptr;
  std::ptrdiff_t buffers_to_values = 0;
  std::uint32_t slots = 0;           ///< a power of two, whole cache lines
  std::uint32_t* cursors = nullptr;  ///< next free slot of each digit

  Word* blocks = nullptr;
  std::ptrdiff_t blocks_to_values = 0;
  std::uint64_t block_elements = 0;  ///< a power of two, whole buffers
  std::uint64_t* places = nullptr;   ///< position in `blocks` to which each digit's next full buffer goes

  void* owner = nullptr;
  void (*block_full)(void* owner, std::uint32_t digit) = nullptr;  ///< moves places[digit] to a new block
};

}  // namespace sortlab::msd
