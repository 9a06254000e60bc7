// Operations of the probes on cache lines: read, write and copy streams, load lines into the caches, evict them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "algorithms/common/host/fetch_ahead.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::calibration {

inline constexpr std::size_t kLine = 64;  ///< bytes

/// Kind of store. Non-temporal stores bypass the cache if the machine has them (kHasStreamingStores); otherwise both
/// kinds are the same.
enum class Store : std::uint8_t { ordinary, nontemporal };

/// Keeps `value` alive without storing it.
template <class T>
inline void keep(T value) {
  asm volatile("" : : "r"(value) : "memory");
}

/// Copies whole lines; `to` is aligned to a line.
template <Store store>
inline void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (store == Store::nontemporal) {
    stream_lines(to, from, bytes);
  } else {
    // Line by line: a long memcpy would bypass the caches.
    for (std::size_t i = 0; i < bytes; i += kLine) std::memcpy(to + i, from + i, kLine);
  }
}

/// Rewrites lines in place, which brings them into the caches as a sort's own output.
inline void rewrite_lines(std::span<std::byte> lines) {
  for (std::size_t i = 0; i + kLine <= lines.size(); i += kLine) {
    auto* const word = reinterpret_cast<volatile std::uint64_t*>(lines.data() + i);
    *word = *word;
  }
}

/// Reads every byte, with software prefetch if `ahead`.
template <bool ahead = false>
void read_stream(std::span<const std::byte> from) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(from.data());
  std::array<std::uint64_t, 8> sums{};
  for (std::size_t i = 0; i + 8 <= from.size() / 8; i += 8) {
    if constexpr (ahead) fetch_ahead(words + i);
    for (std::size_t j = 0; j < 8; ++j) sums[j] ^= words[i + j];
  }
  for (const std::uint64_t sum : sums) keep(sum);
}

/// Reads every byte and writes it again, with software prefetch.
inline void rewrite_stream(std::span<std::byte> lines) {
  auto* words = reinterpret_cast<std::uint64_t*>(lines.data());
  for (std::size_t i = 0; i + 8 <= lines.size() / 8; i += 8) {
    fetch_ahead(words + i);
    for (std::size_t j = 0; j < 8; ++j) words[i + j] = ~words[i + j];
  }
  keep(words);
}

template <Store store>
void write_stream(std::span<std::byte> to) {
  alignas(kLine) static constexpr std::array<std::byte, 16 * kLine> lines{};
  for (std::size_t i = 0; i + lines.size() <= to.size(); i += lines.size()) {
    copy_lines<store>(to.data() + i, lines.data(), lines.size());
  }
  finish_streaming();
}

template <Store store>
void copy_stream(std::span<std::byte> to, std::span<const std::byte> from) {
  copy_lines<store>(to.data(), from.data(), std::min(to.size(), from.size()) / kLine * kLine);
  finish_streaming();
}

}  // namespace sortlab::calibration
