#include "generators/zipf_table.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

namespace sortlab {
namespace {

using Real = boost::multiprecision::cpp_bin_float_quad;

constexpr std::uint64_t kSummed = 256;  ///< rank up to which sums are made term by term, and by Euler-Maclaurin beyond
constexpr std::uint64_t kSegmentsAnOctave =
    64;  ///< chosen so that segment lengths beyond kSummed are multiples of four

/// Sums of i^-theta.
class Zeta {
 public:
  explicit Zeta(double theta) : theta_(theta), power_(2 * kSummed), below_(kSummed + 1) {
    for (std::uint64_t i = 1; i < power_.size(); ++i) power_[i] = power_of_small(i);
    for (std::uint64_t i = 1; i <= kSummed; ++i) below_[i] = i == 1 ? Real{0} : Real{below_[i - 1] + power_[i - 1]};
    for (int zeros = 0; zeros <= 41; ++zeros) power_of_two_.push_back(pow(ldexp(Real{1}, zeros), -theta_));
    antiderivative_at_summed_ = antiderivative(kSummed);
  }

  /// The sum of i^-theta for 1 <= i < m, to about 20 digits.
  Real below(std::uint64_t m) const {
    if (m <= kSummed) return below_[m];
    return below_[kSummed] + antiderivative(m) - antiderivative_at_summed_;
  }

  /// The Euler-Maclaurin formula up to the fifth derivative. From kSummed on, antiderivative(b) - antiderivative(a) is
  /// the sum of i^-theta for a <= i < b, with small relative error.
  Real antiderivative(std::uint64_t m) const {
    const Real x{m};
    const Real inverse = 1 / x;
    const Real f = power(m);
    const Real& t = theta_;
    const Real integral = t == 1 ? Real{log(x)} : Real{x * f / (1 - t)};
    const Real first = -t * f * inverse;
    const Real third = first * (t + 1) * (t + 2) * inverse * inverse;
    const Real fifth = third * (t + 3) * (t + 4) * inverse * inverse;
    return integral - f / 2 + first / 12 - third / 720 + fifth / 30240;
  }

 private:
  /// i^-theta, as the product of the powers of its factors.
  Real power_of_small(std::uint64_t i) const {
    for (std::uint64_t factor = 2; factor * factor <= i; ++factor) {
      if (i % factor == 0) return power_[factor] * power_[i / factor];
    }
    return pow(Real{i}, -theta_);
  }

  /// m^-theta. Segments need only m of 9 significant bits.
  Real power(std::uint64_t m) const {
    const int zeros = std::max(0, static_cast<int>(std::bit_width(m)) - 9);
    if ((m >> zeros) << zeros != m) return pow(Real{m}, -theta_);
    return power_[m >> zeros] * power_of_two_[static_cast<std::size_t>(zeros)];
  }

  Real theta_;
  Real antiderivative_at_summed_;
  std::vector<Real> power_;         // i^-theta
  std::vector<Real> power_of_two_;  // (2^i)^-theta
  std::vector<Real> below_;
};

std::uint64_t fixed_point(const Real& fraction) {
  if (fraction <= 0) return 0;
  const Real scaled = ldexp(fraction, 64);
  return scaled >= ldexp(Real{1}, 64) ? std::numeric_limits<std::uint64_t>::max() : scaled.convert_to<std::uint64_t>();
}

}  // namespace

ZipfTable::ZipfTable(double theta, std::uint64_t ranks) {
  const Zeta zeta{theta};
  const Real all = zeta.below(ranks + 1);
  for (std::uint64_t first = 1; first <= ranks;) {
    std::uint64_t length = first < kSummed ? 1 : std::min(std::bit_floor(first) / kSegmentsAnOctave, ranks + 1 - first);
    if (length < 4) length = 1;  // too short for a cubic
    const std::uint64_t begin = fixed_point(zeta.below(first) / all);
    if (first > 1) last_.push_back(begin - 1);
    segments_.push_back({.begin = begin, .first = first, .length = length});
    first += length;
  }
  last_.push_back(std::numeric_limits<std::uint64_t>::max());

  for (std::size_t s = 0; s < segments_.size(); ++s) {
    ZipfSegment& segment = segments_[s];
    if (segment.length == 1) continue;
    const std::uint64_t mass = std::max<std::uint64_t>(1, last_[s] - segment.begin + 1);
    segment.shift = std::countl_zero(mass);
    const uint128 reciprocal = (uint128{1} << 127) / (mass << segment.shift);
    segment.reciprocal =
        static_cast<std::uint64_t>(std::min<uint128>(reciprocal, std::numeric_limits<std::uint64_t>::max()));
    // The bend (f - x) / (f (1 - f)) at both quarters, extrapolated to both ends.
    const Real begin = zeta.antiderivative(segment.first);
    const Real sum = zeta.antiderivative(segment.first + segment.length) - begin;
    Real f[2];
    Real bend[2];
    for (int k = 0; k < 2; ++k) {
      const std::uint64_t quarter = (k == 0 ? 1 : 3) * segment.length / 4;
      f[k] = (zeta.antiderivative(segment.first + quarter) - begin) / sum;
      bend[k] = (f[k] - Real{quarter} / segment.length) / (f[k] * (1 - f[k]));
    }
    const Real slope = (bend[1] - bend[0]) / (f[1] - f[0]);
    segment.bend_begin = fixed_point(bend[0] - slope * f[0]);
    segment.bend_end = fixed_point(bend[1] + slope * (1 - f[1]));
  }

  guide_.resize(std::size_t{1} << ZipfTableView::kGuideBits);
  std::uint32_t s = 0;
  for (std::size_t g = 0; g < guide_.size(); ++g) {
    const std::uint64_t random = std::uint64_t{g} << (64 - ZipfTableView::kGuideBits);
    while (last_[s] < random) ++s;
    guide_[g] = s;
  }
}

const ZipfTable& zipf_table(double theta, std::uint64_t ranks) {
  static std::mutex making;
  static std::map<std::pair<double, std::uint64_t>, ZipfTable> tables;
  const std::scoped_lock lock{making};
  return tables.try_emplace({theta, ranks}, theta, ranks).first->second;
}

double zipf_entropy_bits(double theta, std::uint64_t ranks) {
  // H = log2(zeta) + theta / zeta * sum of i^-theta log2(i), term by term up to kTerms and by Euler-Maclaurin beyond.
  // The integrals are taken over t = ln x.
  constexpr std::uint64_t kTerms = 4096;
  double zeta = 0;
  double logs = 0;
  const std::uint64_t summed = std::min(ranks, kTerms);
  for (std::uint64_t i = summed; i >= 1; --i) {
    const double x = static_cast<double>(i);
    const double p = std::pow(x, -theta);
    zeta += p;
    logs += p * std::log(x);
  }
  if (ranks > summed) {
    const double a = static_cast<double>(summed);
    const double b = static_cast<double>(ranks);
    const auto f = [&](double x) { return std::pow(x, -theta); };
    const auto correction = [](auto&& g, auto&& derivative, double from, double to) {
      return (g(to) - g(from)) / 2 + (derivative(to) - derivative(from)) / 12;
    };
    using Gauss = boost::math::quadrature::gauss<double, 30>;
    zeta += Gauss::integrate([&](double t) { return std::exp((1 - theta) * t); }, std::log(a), std::log(b)) +
            correction(
                f, [&](double x) { return -theta * f(x) / x; }, a, b);
    logs += Gauss::integrate([&](double t) { return t * std::exp((1 - theta) * t); }, std::log(a), std::log(b)) +
            correction([&](double x) { return std::log(x) * f(x); },
                       [&](double x) { return (1 - theta * std::log(x)) * f(x) / x; }, a, b);
  }
  return (std::log(zeta) + theta / zeta * logs) / std::log(2.0);
}

}  // namespace sortlab
