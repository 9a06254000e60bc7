// Settings for which kernels are compiled: around the tiles that CUB ships for compute capability 9.0 (384 threads with
// 15 to 19 items of 4 bytes, 12 to 15 of 8), if a tile fits in the 48 KiB of static shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/choice.hpp"
#include "core/parameters.hpp"

namespace sortlab::cub_tuned {

/// CUB's RadixRankAlgorithm: the method by which a warp finds the lanes with its digit (match.any, or one atomicOr per
/// digit), and whether it counts digits before it ranks them, to pass the counts on early.
enum class Rank : std::uint8_t { match_early_counts_any, match_early_counts_atomic_or, match };
inline constexpr std::array kRanks{Choice<Rank>{"match_early_counts_any", Rank::match_early_counts_any},
                                   Choice<Rank>{"match_early_counts_atomic_or", Rank::match_early_counts_atomic_or},
                                   Choice<Rank>{"match", Rank::match}};

constexpr std::string_view rank_name(Rank rank) {
  return kRanks[static_cast<std::size_t>(rank)].word;
}

struct Setting {
  int threads;  ///< threads of a block
  int items;    ///< items per thread
  int digit_bits = 8;
  Rank rank = Rank::match_early_counts_any;
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// Settings if the wider of key and value has 4 bytes.
inline constexpr std::array kSettings4{Setting{256, 23},
                                       Setting{384, 17},
                                       Setting{384, 19},
                                       Setting{384, 23},
                                       Setting{512, 15},
                                       Setting{512, 21},
                                       Setting{512, 23},
                                       Setting{768, 14},
                                       Setting{384, 19, 8, Rank::match_early_counts_atomic_or},
                                       Setting{512, 15, 8, Rank::match_early_counts_atomic_or},
                                       Setting{384, 19, 8, Rank::match},
                                       Setting{384, 19, 7}};

/// Settings if it has 8 bytes.
inline constexpr std::array kSettings8{Setting{256, 15},
                                       Setting{256, 22},
                                       Setting{384, 12},
                                       Setting{384, 15},
                                       Setting{512, 8},
                                       Setting{512, 11},
                                       Setting{768, 7},
                                       Setting{384, 15, 8, Rank::match_early_counts_atomic_or},
                                       Setting{384, 15, 8, Rank::match},
                                       Setting{384, 15, 7}};

/// Setting of `auto`: the fastest of a sweep on an NVIDIA H200, uniform keys, n = 2^26 (README.md).
constexpr Setting best_setting(std::size_t key_bytes, std::size_t value_bytes) {
  const bool pairs = value_bytes > 0;
  if (key_bytes == 4) return pairs ? Setting{384, 17} : Setting{512, 23};
  return pairs ? Setting{256, 22} : Setting{384, 15};
}

constexpr std::span<const Setting> compiled_settings(std::uint64_t bytes) {
  return bytes == 4 ? std::span<const Setting>{kSettings4} : std::span<const Setting>{kSettings8};
}

inline Setting setting_from(const Parameters& parameters) {
  return {.threads = std::stoi(parameters.word("threads")),
          .items = static_cast<int>(parameters.integer("items")),
          .digit_bits = static_cast<int>(parameters.integer("digit_bits")),
          .rank = chosen("rank", parameters.word("rank"), kRanks)};
}

}  // namespace sortlab::cub_tuned
