// Draws ranks from Zipf's law by inversion, in integer arithmetic, with a table of a few thousand entries for any N.
#pragma once

#include <cstdint>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab {

/// Ranks [first, first + length). A random number in the segment is a fraction f of the segment's probability mass
/// (fixed point, 64 bits), which maps to the fraction x = f - f (1 - f) (bend_begin (1 - f) + bend_end f) of its
/// length.
struct ZipfSegment {
  std::uint64_t begin;  ///< least random number that falls into it
  std::uint64_t first;
  std::uint64_t length;
  std::uint64_t reciprocal = 0;  ///< 2^127 / (mass << shift), cut to 64 bits
  std::uint64_t bend_begin = 0;
  std::uint64_t bend_end = 0;
  int shift = 0;  ///< shift that brings the mass, in units of 2^-64, into [2^63, 2^64)
};

/// A view of a table in host or device memory.
struct ZipfTableView {
  static constexpr int kGuideBits = 12;
  const std::uint64_t* last;  ///< for each segment, the largest random number in it or in one before
  const ZipfSegment* segments;
  const std::uint32_t* guide;  ///< first segment for each value of a random number's highest bits

  /// The rank, 1 to N, for 64 uniform random bits: the least i with random < 2^64 * (P(1) + ... + P(i)).
  constexpr std::uint64_t rank(std::uint64_t random) const {
    std::uint32_t s = guide[random >> (64 - kGuideBits)];
    while (last[s] < random) ++s;
    const ZipfSegment& segment = segments[s];
    const std::uint64_t within = (random - segment.begin) << segment.shift;
    const auto f = static_cast<std::uint64_t>((uint128{within} * segment.reciprocal) >> 63);
    const std::uint64_t bend = multiply_high(segment.bend_begin, ~f) + multiply_high(segment.bend_end, f);
    const std::uint64_t x = f - multiply_high(multiply_high(f, ~f), bend);
    return segment.first + multiply_high(x, segment.length);
  }

 private:
  static constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>((uint128{a} * b) >> 64);
  }
};

/// P(i) = i^-theta / zeta(N, theta) for ranks i = 1 ... N, where zeta(N, theta) = sum of i^-theta.
///
/// Each rank below 256 has a threshold. Above, each octave [2^k, 2^(k+1)) is divided into 64 segments of equal length.
/// The thresholds select a segment exactly, and a cubic in fixed point inverts the sum within it. The cubic equals the
/// exact sum at both ends and at the first and third quarter of the segment. Thresholds come from sums in software
/// floating point of 113 bits (Euler-Maclaurin beyond rank 255), so the table and the ranks are the same on every
/// machine, GPUs included.
class ZipfTable {
 public:
  /// theta: 0 (uniform) to 4; ranks: N, 1 to 2^40.
  ZipfTable(double theta, std::uint64_t ranks);

  ZipfTableView view() const { return {last_.data(), segments_.data(), guide_.data()}; }
  std::uint64_t rank(std::uint64_t random) const { return view().rank(random); }

  const std::vector<std::uint64_t>& last() const { return last_; }
  const std::vector<ZipfSegment>& segments() const { return segments_; }
  const std::vector<std::uint32_t>& guide() const { return guide_; }

 private:
  std::vector<std::uint64_t> last_;
  std::vector<ZipfSegment> segments_;
  std::vector<std::uint32_t> guide_;
};

/// Returns the table of these parameters, which a process makes once: it takes up to 0.3 s, and an input of a few keys
/// is made anew for each call of a sort. Several threads may ask at once. theta and ranks: as for ZipfTable.
const ZipfTable& zipf_table(double theta, std::uint64_t ranks);

/// Exact entropy in bits of Zipf's law.
double zipf_entropy_bits(double theta, std::uint64_t ranks);

}  // namespace sortlab
