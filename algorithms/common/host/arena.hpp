// The memory that the probes of one thread work in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/host/lines.hpp"
#include "algorithms/common/host/made_words.hpp"
#include "core/pages.hpp"

namespace sortlab::calibration {

struct Arena {
  static constexpr std::size_t kCached = std::size_t{1} << 18;    ///< bytes that stay in the second-level cache
  static constexpr std::size_t kNear = std::size_t{8} << 20;      ///< bytes that stay in a third-level cache
  static constexpr std::size_t kBuffers = std::size_t{64} << 20;  ///< 2^16 buffers of 64 elements of 16 bytes
  static constexpr std::size_t kSlack = 4096;                     ///< a buffer may be longer than a digit's part

  /// `size`: bytes of each stream, a power of two beyond the caches.
  Arena(std::size_t size, std::uint64_t seed)
      : bytes(size),
        words(size, PageKind::huge),
        biased_words(size, PageKind::huge),
        out_words(size + kSlack, PageKind::huge),
        out_values(size + kSlack, PageKind::huge),
        word_buffers(kBuffers, PageKind::huge),
        value_buffers(kBuffers, PageKind::huge),
        order(std::size_t{1} << 16) {
    fill_uniform({words.data<std::uint32_t>(), size / 4}, seed);
    fill_biased_halves({biased_words.data<std::uint32_t>(), size / 4}, seed);
    for (std::size_t i = 0; i < kBiases.size(); ++i) {
      biased.emplace_back(kNear, PageKind::huge);
      fill_biased({biased.back().data<std::uint32_t>(), kNear / 4}, kBiases[i], seed);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<std::uint16_t>(words.data<std::uint32_t>()[i]);
  }

  /// `count` bytes of a stream that follow those of the last call, so that they come from memory.
  std::span<const std::byte> next_of(const Pages& stream, std::size_t count) {
    if (position + count > bytes) position = 0;
    position += count;
    return {stream.data() + position - count, count};
  }

  /// Brings the first kNear bytes of `pages` to where a sort would find its array: into a cache, or, if its working set
  /// has `of` more bytes, out to memory. Some third-level caches hold only victims of the second.
  static void place(const Pages& pages, std::size_t of) {
    const std::span lines{pages.data(), kNear};
    if (of > kNear) return evict_lines(lines);
    for (int time = 0; time < 3; ++time) rewrite_lines(lines);
  }

  std::size_t bytes;
  Pages words;         ///< uniform; the values of biased words
  Pages biased_words;  ///< see fill_biased_halves; the values of uniform words
  Pages out_words;
  Pages out_values;
  Pages word_buffers;
  Pages value_buffers;
  std::vector<Pages> biased;         ///< words of each of kBiases
  std::vector<std::uint16_t> order;  ///< random
  std::size_t position = 0;
  std::uint64_t touches = 0;
};

}  // namespace sortlab::calibration
