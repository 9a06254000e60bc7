// The memory that one thread's probes work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/host/lines.hpp"
#include "algorithms/common/host/made_words.hpp"
#include "core/pages.hpp"

namespace sortlab::calibration {

struct Arena {
  static constexpr std::size_t kCached = std::size_t{1} << 18;    ///< bytes that fit into the second-level cache
  static constexpr std::size_t kNear = std::size_t{8} << 20;      ///< bytes that fit into a third-level cache
  static constexpr std::size_t kBuffers = std::size_t{64} << 20;  ///< 2^16 buffers of 64 elements of 16 bytes
  static constexpr std::size_t kSlack = 4096;  ///< bytes by which a buffer may exceed a digit's share

  /// Bytes of memory that an arena takes whose streams have `size` bytes.
  static constexpr std::size_t bytes_for(std::size_t size) { return 4 * size + 2 * kBuffers + kBiases.size() * kNear; }

  /// `size`: bytes of each stream, a power of two larger than the caches.
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

  /// The next `count` bytes of a stream. They follow those of the last call, so that they are read from memory and not
  /// from a cache.
  std::span<const std::byte> next_bytes(const Pages& stream, std::size_t count) {
    if (position + count > bytes) position = 0;
    position += count;
    return {stream.data() + position - count, count};
  }

  /// Brings the first kNear bytes of `pages` to the place where a sort with a working set of `working_set` bytes would
  /// find its array: into a cache, or out to memory. The lines are written several times, since some third-level caches
  /// hold only victims of the second level.
  static void place(const Pages& pages, std::size_t working_set) {
    const std::span lines{pages.data(), kNear};
    if (working_set > kNear) return evict_lines(lines);
    for (int time = 0; time < 3; ++time) rewrite_lines(lines);
  }

  std::size_t bytes;
  Pages words;         ///< uniform words; also the values of biased words
  Pages biased_words;  ///< see fill_biased_halves(); also the values of uniform words
  Pages out_words;
  Pages out_values;
  Pages word_buffers;
  Pages value_buffers;
  std::vector<Pages> biased;         ///< words for each element of kBiases
  std::vector<std::uint16_t> order;  ///< random numbers
  std::size_t position = 0;
  std::uint64_t touches = 0;
};

}  // namespace sortlab::calibration
