// Plan of the sort, read by the sort and its model: the histogram, the division points that the host derives from it,
// and the levels of merges in a division.
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

inline constexpr std::uint32_t kBins = 1024;       ///< bins of the histogram over [min, max] of the keys
inline constexpr std::uint32_t kDivisions = 1024;  ///< number of divisions, each sorted separately
inline constexpr std::uint32_t kThreads = 256;     ///< threads of a block that counts or scatters
inline constexpr std::uint32_t kBand = 64;         ///< keys per thread of such a block
inline constexpr std::uint32_t kBlockKeys = kThreads * kBand;
inline constexpr std::uint32_t kHistogramBlocks = 1024;  ///< maximum number of blocks of the histogram
inline constexpr std::uint32_t kMergeThreads = 208;      ///< threads of a block that merges, as in the Rodinia port
inline constexpr std::uint32_t kVector = 4;  ///< keys that a merge moves at a time; divisions are padded to a multiple
/// Maximum blocks per launch when the sort was written (compute capability 1.x).
inline constexpr std::uint64_t kGridOf2009 = 65535;

/// The reason a problem is declined, or nullopt.
inline std::optional<std::string> declines(std::uint64_t n, bool needs_total_order) {
  if (needs_total_order) return "compares floats by <, which orders neither NaN nor zeros of both signs";
  if (n > (std::uint64_t{1} << 31)) return "counts in 32 bits: at most 2^31 keys";
  return std::nullopt;
}

constexpr std::uint32_t block_count(std::uint64_t n) {
  return static_cast<std::uint32_t>((n + kBlockKeys - 1) / kBlockKeys);
}

/// Maximum number of keys of a division. The first merges have a thread for each eight keys of the largest division, in
/// every division; with 65 535 blocks of 208 threads, that limits it to 106 488 keys. For larger n it is `room` times
/// the average n / 1024 if that is more.
constexpr std::uint64_t capacity(std::uint64_t n, std::uint64_t room) {
  const std::uint64_t of_grid = kGridOf2009 * kMergeThreads / kDivisions * 2 * kVector;
  return std::max(of_grid, room * ((n + kDivisions - 1) / kDivisions));
}

/// Number of vectors that hold `keys` keys.
constexpr std::uint64_t vector_count(std::uint64_t keys) {
  return (keys + kVector - 1) / kVector;
}

/// Number of merge levels: each doubles the lists, which start with one vector.
constexpr int levels(std::uint64_t largest_vectors) {
  int levels = 0;
  while (std::uint64_t{1} << levels < largest_vectors) ++levels;
  return levels;
}

/// Bin of a key in a histogram over [min, max], with the same arithmetic on host and device. Infinities count as the
/// largest floats.
struct Binning {
  double min;
  double per_bin;  ///< bins per unit

  constexpr std::uint32_t operator()(float key) const {
    const double place = (finite(key) - min) * per_bin;
    return place < kBins - 1 ? static_cast<std::uint32_t>(place) : kBins - 1;
  }
  static constexpr double finite(float key) {
    constexpr float max = std::numeric_limits<float>::max();
    return key > max ? max : key < -max ? -max : key;
  }
};
constexpr Binning binning(float min, float max) {
  const double low = Binning::finite(min);
  return {.min = low, .per_bin = kBins / (Binning::finite(max) - low)};
}

/// Ascending division points: a key belongs to the division whose number is the number of points not above it. Bins are
/// traversed from the first, and a point is placed every n / 1024 keys, as if keys were uniform within a bin.
inline std::array<float, kDivisions - 1> division_points(const std::uint32_t* histogram, std::uint64_t n, float min,
                                                         float max) {
  const double low = Binning::finite(min), high = Binning::finite(max), width = (high - low) / kBins;
  const double share = static_cast<double>(n) / kDivisions;
  std::array<float, kDivisions - 1> points{};
  std::size_t next = 0;
  double before = 0;  // number of keys of the bins traversed
  for (std::uint32_t bin = 0; bin < kBins; ++bin) {
    const double count = histogram[bin];
    while (next < points.size() && before + count > share * static_cast<double>(next + 1)) {
      const double inside = (share * static_cast<double>(next + 1) - before) / count;
      points[next++] = static_cast<float>(low + (bin + inside) * width);
    }
    before += count;
  }
  for (; next < points.size(); ++next) points[next] = max;
  return points;
}

}  // namespace sortlab::hybrid_sort
