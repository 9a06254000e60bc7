// What the sort launches and its model charges: the histogram, the division points that the host derives from it, and
// the levels of merges in a division.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sortlab::hybrid_sort {

inline constexpr std::uint32_t kBins = 1024;       ///< of the histogram over [least, largest key]
inline constexpr std::uint32_t kDivisions = 1024;  ///< each sorted separately
inline constexpr std::uint32_t kThreads = 256;     ///< of a block that counts or scatters
inline constexpr std::uint32_t kBand = 64;         ///< keys of each of its threads
inline constexpr std::uint32_t kBlockKeys = kThreads * kBand;
inline constexpr std::uint32_t kHistogramBlocks = 1024;  ///< at most
inline constexpr std::uint32_t kMergeThreads = 208;      ///< of a block that merges, as in the Rodinia port
inline constexpr std::uint32_t kVector = 4;  ///< keys that a merge moves at once; divisions are padded to a multiple
/// Blocks that one launch could have when the sort was written (compute capability 1.x).
inline constexpr std::uint64_t kGridOf2009 = 65535;

/// Why a problem is declined, or nothing.
inline std::optional<std::string> declines(std::uint64_t n, bool needs_total_order) {
  if (needs_total_order) return "compares floats by <, which orders neither NaN nor zeros of both signs";
  if (n > (std::uint64_t{1} << 31)) return "counts in 32 bits: at most 2^31 keys";
  return std::nullopt;
}

constexpr std::uint32_t blocks_of(std::uint64_t n) {
  return static_cast<std::uint32_t>((n + kBlockKeys - 1) / kBlockKeys);
}

/// Keys that a division may hold. In every division, the first merges have a thread for each eight keys of the largest
/// one; with 65 535 blocks of 208 threads, that is 106 488 keys. If n is too large for that with any keys, `room` times
/// the n / 1024 that a division should hold.
constexpr std::uint64_t capacity(std::uint64_t n, std::uint64_t room) {
  const std::uint64_t of_grid = kGridOf2009 * kMergeThreads / kDivisions * 2 * kVector;
  return std::max(of_grid, room * ((n + kDivisions - 1) / kDivisions));
}

/// Vectors that hold that many keys.
constexpr std::uint64_t vectors_of(std::uint64_t keys) {
  return (keys + kVector - 1) / kVector;
}

/// Levels of merges: each doubles the lists, which are a vector at first.
constexpr int levels(std::uint64_t largest_vectors) {
  int levels = 0;
  while (std::uint64_t{1} << levels < largest_vectors) ++levels;
  return levels;
}

/// The bin of a key in a histogram of [least, most], in one arithmetic for host and device. Infinities count as the
/// largest floats.
struct Binning {
  double least;
  double per_bin;  ///< bins for each unit

  constexpr std::uint32_t operator()(float key) const {
    const double place = (finite(key) - least) * per_bin;
    return place < kBins - 1 ? static_cast<std::uint32_t>(place) : kBins - 1;
  }
  static constexpr double finite(float key) {
    constexpr float most = std::numeric_limits<float>::max();
    return key > most ? most : key < -most ? -most : key;
  }
};
constexpr Binning binning(float least, float most) {
  const double low = Binning::finite(least);
  return {.least = low, .per_bin = kBins / (Binning::finite(most) - low)};
}

/// The points between divisions, ascending: a key belongs to the division of as many points as are not above it. Bins
/// are traversed from the first, and a point is placed every n / 1024 keys, as if keys were uniform inside a bin.
inline std::array<float, kDivisions - 1> division_points(const std::uint32_t* histogram, std::uint64_t n, float least,
                                                         float most) {
  const double low = Binning::finite(least), high = Binning::finite(most), width = (high - low) / kBins;
  const double share = static_cast<double>(n) / kDivisions;
  std::array<float, kDivisions - 1> points{};
  std::size_t next = 0;
  double before = 0;  // keys of the bins traversed
  for (std::uint32_t bin = 0; bin < kBins; ++bin) {
    const double count = histogram[bin];
    while (next < points.size() && before + count > share * static_cast<double>(next + 1)) {
      const double inside = (share * static_cast<double>(next + 1) - before) / count;
      points[next++] = static_cast<float>(low + (bin + inside) * width);
    }
    before += count;
  }
  for (; next < points.size(); ++next) points[next] = most;
  return points;
}

}  // namespace sortlab::hybrid_sort
