#include "algorithms/msd_radix_gpu/model/segments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

namespace sortlab::msd_tree {

using namespace msd_gpu;

namespace {

double equal_share(const Node& node, int digit_bits, double one) {
  if (node.is_formula) return equal_probability(one, digit_bits);
  const double within = pairs(static_cast<double>(node.sample.size()));
  const double by_chance = within * std::exp2(-digit_bits);
  const double equal = within > 0 ? node.sample.equal_pairs(std::max(0, node.left - digit_bits)) : 0;
  return equal < kPairs || equal - by_chance < 3 * std::sqrt(by_chance) ? std::exp2(-digit_bits) : equal / within;
}

}  // namespace

std::vector<Node> split_nodes(const Node& parent, const std::vector<Part>& parts, int side) {
  std::vector<Node> nodes;
  std::map<int, std::size_t> by_ones;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const Part& part = parts[d];
    if (part.keys < 0.5) continue;
    Node node{.times = parent.times,
              .keys = part.keys,
              .left = part.left,
              .side = side,
              .is_formula = parent.is_formula,
              .sample = part.sample};
    if (!parent.is_formula) {
      nodes.push_back(node);
      continue;
    }
    const auto [found, is_new] = by_ones.try_emplace(std::popcount(d), nodes.size());
    if (is_new) {
      nodes.push_back(node);
    } else {
      nodes[found->second].times += node.times;
    }
  }
  return nodes;
}

Digits digit_statistics(const Node& node, int bits, double one) {
  Digits digits{.equal = equal_share(node, bits, one), .most = std::pow(1 - one, bits)};
  digits.hottest = hottest_share(digits.equal, bits);
  if (node.is_formula) return digits;
  std::size_t most = 0;
  const int shift = std::max(0, node.left - bits);
  for (std::size_t first = 0, last = 0; first < node.sample.size(); first = last) {
    while (last < node.sample.size() && (node.sample.at(last) >> shift) == (node.sample.at(first) >> shift)) ++last;
    most = std::max(most, last - first);
  }
  digits.most = node.sample.size() == 0 ? 0 : static_cast<double>(most) / static_cast<double>(node.sample.size());
  if (node.sample.size() >= kEnough) {
    constexpr std::size_t kDrawnDigits = 1024;
    auto& drawn = digits.drawn.emplace_back();
    const Word mask = bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1;
    for (std::size_t i = 0; i < kDrawnDigits; ++i) {
      const std::size_t at = i * node.sample.size() / kDrawnDigits;
      drawn.push_back(static_cast<std::uint32_t>(node.sample.at(at) >> shift & mask));
    }
  }
  return digits;
}
double typical_equal(const std::vector<Node>& nodes, int digit_bits) {
  double within = 0, equal = 0;
  for (const Node& node : nodes) {
    if (node.is_formula || node.sample.size() < 2) continue;
    within += pairs(static_cast<double>(node.sample.size()));
    equal += node.sample.equal_pairs(std::max(0, node.left - digit_bits));
  }
  return equal < kPairs ? std::exp2(-digit_bits) : std::max(equal / within, std::exp2(-digit_bits));
}

int differing_bits(const Node& node, double one) {
  if (!node.is_formula) {
    if (node.sample.size() == 0) return node.left;
    const auto bits = static_cast<int>(std::bit_width(node.sample.at(0) ^ node.sample.at(node.sample.size() - 1)));
    return std::min(bits, node.left);
  }
  const double some = -std::expm1(node.keys * std::log1p(-one));  // the chance that a bit is one in some key
  if (some <= 0) return 0;
  return std::max(0, node.left - static_cast<int>(std::lround(std::min(1e3, (1 - some) / some))));
}

std::vector<Part> split_parts(const Node& node, int digit_bits, double typical, double one) {
  const std::size_t digits = std::size_t{1} << digit_bits;
  const int shift = node.left - digit_bits;
  std::vector<Part> parts(digits);
  for (Part& part : parts) part.left = shift;
  if (node.is_formula) {
    for (std::size_t d = 0; d < digits; ++d) {
      const int set = std::popcount(d);
      parts[d].keys = node.keys * std::pow(one, set) * std::pow(1 - one, digit_bits - set);
      parts[d].is_known = false;
    }
    return parts;
  }
  const std::size_t size = node.sample.size();
  std::size_t lowest = digits, highest = 0, told = 0, few_seen = 0;
  for (std::size_t first = 0, last = 0; first < size; first = last) {
    const std::size_t d = node.sample.at(first) >> shift & (digits - 1);
    while (last < size && (node.sample.at(last) >> shift & (digits - 1)) == d) ++last;
    parts[d].sample = node.sample.range(first, last);
    lowest = std::min(lowest, d);
    highest = std::max(highest, d);
    (last - first >= kReliable ? told : few_seen) += 1;
  }
  if (size == 0) lowest = 0, highest = digits - 1;
  const double each = size > 0 ? node.keys / static_cast<double>(size) : 0;
  const bool is_whole_input = each <= 1.0001;
  double few = node.keys;
  for (Part& part : parts) {
    if (part.sample.size() >= kReliable || is_whole_input) {
      part.keys = each * static_cast<double>(part.sample.size());
      few -= part.keys;
    }
  }
  if (is_whole_input || few < 0.5) return parts;
  // The others share the rest evenly: all that the segment's keys span, or, where they repeat, those seen.
  double equal = 0, within = 0;
  for (const Part& part : parts) {
    if (part.sample.size() >= kReliable) continue;
    equal += pairs(static_cast<double>(part.sample.size()));
    within += static_cast<double>(part.sample.size());
  }
  if (size < 2 * kReliable && typical < 1.6 / static_cast<double>(digits)) lowest = 0, highest = digits - 1;
  const double span = static_cast<double>(highest - lowest + 1 - told);
  const double effective = equal >= kPairs ? pairs(within) / equal : typical > 0 ? 1 / typical : span;
  const bool seen_only = effective < 0.6 * span && few_seen > 0;
  for (std::size_t d = lowest; d <= highest; ++d) {
    Part& part = parts[d];
    if (part.sample.size() >= kReliable || (seen_only && part.sample.size() == 0)) continue;
    part.keys = few / (seen_only ? static_cast<double>(few_seen) : std::max(1.0, span));
    part.is_known = false;
  }
  return parts;
}

bool is_whole(const Node& node, const std::vector<Part>& parts) {
  double most = 0;
  for (const Part& part : parts) most = std::max(most, part.keys);
  return most > node.keys - 0.7;
}

std::vector<Node> joined(const std::vector<Node>& nodes) {
  std::vector<Node> all;
  std::map<std::array<long, 3>, std::size_t> places;
  for (const Node& node : nodes) {
    if (!node.is_formula) {
      all.push_back(node);
      continue;
    }
    const auto [found, is_new] =
        places.try_emplace({node.left, node.side, std::lround(12 * std::log2(node.keys))}, all.size());
    if (is_new) {
      all.push_back(node);
      continue;
    }
    Node& same = all[found->second];
    const double times = same.times + node.times;
    same.keys = (same.keys * same.times + node.keys * node.times) / times;
    same.times = times;
  }
  return all;
}

void add_digits(Digits& to, const Digits& of, double share) {
  to.equal += share * of.equal;
  to.most += share * of.most;
  constexpr std::size_t kDrawnSegments = 64;
  if (!of.drawn.empty() && to.drawn.size() < kDrawnSegments) to.drawn.push_back(of.drawn.front());
  to.hottest = hottest_share(to.equal, kDigitBits);
}

}  // namespace sortlab::msd_tree
