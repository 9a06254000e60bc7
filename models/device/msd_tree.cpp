#include "models/device/msd_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "models/device/msd_keys.hpp"

namespace sortlab::msd_tree {
namespace {

using namespace msd_gpu;

constexpr std::size_t kMade = std::size_t{1} << 17;  ///< keys of a sample that a formula makes
constexpr std::size_t kReliable = 32;                ///< sampled keys that suffice to estimate how many they stand for
constexpr std::size_t kTold = 512;                   ///< that tell how keys of a bucket lie
constexpr int kJudged = 12;                          ///< buckets of a list and level whose keys are made and judged
constexpr int kReplicas = 4;                         ///< segments that stand for all that are alike

/// Segments that are alike. Keys by formula, or by a sample.
struct Node {
  double times = 1;
  double keys = 0;  ///< of each
  int left = 0;
  int side = 0;
  bool is_formula = false;
  Sample sample{};

  bool is_told() const { return sample.size() >= kReliable; }
};

/// The sub-buckets of a segment, by digit or class.
struct Part {
  double keys = 0;       ///< expected
  bool is_known = true;  ///< its keys vary little
  int left = 0;
  Sample sample{};
};

/// A group of parts that is a bucket, or one part.
struct Group {
  double keys = 0;
  std::size_t first = 0, last = 0;  ///< parts
};

class Walker {
 public:
  Walker(const Problem& problem, int ands, bool is_formula, Sample sample)
      : problem_(problem),
        ands_(ands),
        is_formula_(is_formula),
        sample_(sample),
        bits_(static_cast<int>(8 * problem.key_bytes)),
        capacity_(bucket_elements(problem.key_bytes, problem.value_bytes)),
        merged_(merged_elements(problem.key_bytes, problem.value_bytes)),
        counts_(counts_buckets(problem.n, problem.key_bytes, problem.value_bytes)),
        spares_(problem.n < kManyKeys) {}

  Tree walk() {
    const std::uint32_t k = problem_.key_bytes, v = problem_.value_bytes;
    if (problem_.n <= few_elements(k, v)) {
      tree_.way = Way::few;
      const Shape shape = class_shape(few_class(problem_.n, k, v), k, v);
      tree_.kinds = judge_.judged(judge_.keys_of(sample_, n()), shape);
    } else if (problem_.n <= one_level_elements(k, v)) {
      tree_.way = Way::one_level;
      walk_one_level();
    } else {
      walk_top();
      for (int level = kTopLevels; level < 64 && !next_.empty(); ++level) {
        const std::vector<Node> nodes = joined(next_);
        next_.clear();
        walk_level(level, nodes);
      }
      finish();
    }
    return std::move(tree_);
  }

 private:
  double n() const { return static_cast<double>(problem_.n); }

  // One level

  void walk_one_level() {
    const std::uint32_t k = problem_.key_bytes, v = problem_.value_bytes;
    const auto n = static_cast<std::uint32_t>(problem_.n);
    const int items = one_level_items_for(n, static_cast<std::uint64_t>(problem_.multiprocessors), k, v);
    const auto blocks =
        std::min(static_cast<std::uint32_t>(problem_.multiprocessors), (n + kOneBlockKeys - 1) / kOneBlockKeys);
    const auto capacity = static_cast<std::uint32_t>(kMostThreads * items);
    const std::uint32_t windows = one_level_windows(n, blocks, capacity);
    const int class_bits = one_level_class_bits(windows);
    const std::uint32_t drawn_keys = one_level_sample(items, k, v);
    const std::uint32_t most = one_level_even_keys(n, windows, class_bits, capacity, drawn_keys);

    std::vector<Word> drawn;
    for (std::uint32_t i = 0; i < drawn_keys; ++i) drawn.push_back(sample_.at(random_() % sample_.size()));
    const auto [low, high] = std::ranges::minmax(drawn);
    std::vector<std::uint32_t> in_class(std::size_t{1} << class_bits);
    if (low < high) {
      const double range = static_cast<double>(high - low) * (1 + 1e-9);
      for (const Word key : drawn) {
        ++in_class[static_cast<std::size_t>(static_cast<double>(key - low) / range *
                                            static_cast<double>(in_class.size()))];
      }
    }
    tree_.is_split = low == high || *std::ranges::max_element(in_class) > most;
    // Keys so frequent that a window is full of them are copied; the others are sorted.
    std::vector<Word> rest;
    for (std::size_t first = 0, last = 0; first < sample_.size(); first = last) {
      while (last < sample_.size() && sample_.at(last) == sample_.at(first)) ++last;
      const double share = static_cast<double>(last - first) / static_cast<double>(sample_.size());
      if (tree_.is_split && share * windows >= 1) {
        tree_.copied_classes += 1;
        tree_.kinds.equal += share;
      } else {
        rest.insert(rest.end(), last - first, sample_.at(first));
      }
    }
    const double sorted = 1 - tree_.kinds.equal;
    const auto sorts = static_cast<std::size_t>(std::ceil(sorted * windows));
    constexpr std::size_t kMost = 64;
    const std::size_t judgements = std::min(kMost, sorts), size = rest.size() / std::max<std::size_t>(sorts, 1);
    for (std::size_t i = 0; i < judgements && size > 0; ++i) {
      const std::size_t begin = (rest.size() - size) * i / judgements;
      const Kinds kinds = judge_.judged(judge_.keys_of({&rest, begin, begin + size}, static_cast<double>(n) / windows),
                                        {kMostThreads, items});
      // A block that is found uneven by chance is one of few.
      const double share = sorted / static_cast<double>(judgements);
      (kinds.uneven > 0.5 ? tree_.kinds.uneven : tree_.kinds.even) += share;
    }
  }
  static void add(Kinds& to, const Kinds& more, double share) {
    to.even += share * more.even;
    to.uneven += share * more.uneven;
    to.equal += share * more.equal;
  }

  // The top levels

  void walk_top() {
    const Top top = top_of(problem_.n, problem_.key_bytes, problem_.value_bytes);
    Node root{.keys = n(), .left = bits_, .side = 0, .is_formula = is_formula_, .sample = sample_};
    tree_.top = digits_of(root, top.bits());
    tree_.first = digits_of(root, kDigitBits);
    const double hottest = tree_.first.most;
    const int agree = differing_bits(root);
    const bool one_digit = hottest * n() > n() - 0.7;
    if (!counts_) {
      const double drawn_keys = kTopThreads;
      const bool all = std::pow(hottest, drawn_keys) > 0.5;
      tree_.skips_top =
          all ? spares_ && agree > 0 : hottest * drawn_keys > uneven_keys(kTopThreads, kDigitBits, spares_);
    }
    if (tree_.skips_top) {
      next_.push_back(root);
      return;
    }
    if (agree == 0) return;
    if (agree <= bits_ - top.bits()) {
      root.left = agree;
      list_child(root, n(), agree, 0, {root.sample, 0, 0, agree});
      return;
    }
    if (top.wide || !one_digit) tree_.first_moved = n();
    if (top.wide) {
      divide(root, top.bits(), std::exp2(-top.bits()), true, true);
      return;
    }
    const std::vector<Part> firsts = parts_of(root, top.first_bits, std::exp2(-top.first_bits));
    const std::vector<Node> nodes = nodes_of(root, firsts, one_digit ? 0 : 1);
    const double typical = typical_equal(nodes, top.second_bits);
    for (const Node& node : nodes) {
      tree_.top_segments += node.times;
      const Digits digits = digits_of(node, top.second_bits);
      add_digits(tree_.second, digits, node.times * node.keys / n());
      if (divide(node, top.second_bits, typical, true, false)) tree_.second_moved += node.times * node.keys;
    }
    tree_.second.hottest = hottest_of(tree_.second.equal, top.second_bits);
  }
  /// Those of a segment with such a share of the keys.
  static void add_digits(Digits& to, const Digits& of, double share) {
    to.equal += share * of.equal;
    to.most += share * of.most;
    constexpr std::size_t kDrawnSegments = 64;
    if (!of.drawn.empty() && to.drawn.size() < kDrawnSegments) to.drawn.push_back(of.drawn.front());
    to.hottest = hottest_of(to.equal, kDigitBits);
  }

  /// The parts of a segment as segments, those that are alike as one.
  std::vector<Node> nodes_of(const Node& parent, const std::vector<Part>& parts, int side) const {
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

  // Levels

  void walk_level(int level, const std::vector<Node>& nodes) {
    Level of{};
    listed_ = {};
    std::vector<std::pair<Node, bool>> divided;
    double number = 0;
    for (const Node& node : nodes) {
      const double keys = node.times * node.keys;
      if (node.left == 0) {
        of.copied += keys;
        continue;
      }
      of.segments += node.times;
      of.keys += keys;
      const bool may_split = !counts_ && level < kTopLevels + kSampledLevels && number < kMostTrees;
      number += node.times;
      const bool split = may_split && is_uneven(node);
      if (split) {
        of.split_segments += node.times;
        of.split_keys += keys;
      }
      divided.emplace_back(node, split);
    }
    const double typical = typical_equal(nodes, kDigitBits);
    for (const auto& [node, split] : divided) {
      const double keys = node.times * node.keys;
      const int digit_bits = std::min(node.left, kDigitBits);
      if (!split) add_digits(of.digits, digits_of(node, digit_bits), keys / (of.keys - of.split_keys));
      if (split) {
        if (divide_by_splitters(node)) of.moved += keys;
      } else if (node.left <= kDigitBits && problem_.value_bytes == 0 &&
                 !is_whole(node, parts_of(node, digit_bits, typical))) {
        of.filled += keys;
      } else if (divide(node, digit_bits, typical, false, false)) {
        of.moved += keys;
      }
    }
    tree_.levels.push_back(of);
  }

  std::uint32_t drawn_of(const Node& node) const {
    const bool few = node.keys <= static_cast<double>(few_drawn_elements(problem_.key_bytes, problem_.value_bytes));
    return kThreads * (few ? kFewDrawn : drawn(problem_.key_bytes));
  }
  /// As splitters.cuh judges: one digit has too many keys, or many keys have digits that would need another level.
  bool is_uneven(const Node& node) {
    const int digit_bits = std::min(node.left, kDigitBits);
    const double size = drawn_of(node), bucket = capacity_;
    if (!node.is_formula && !node.is_told()) return false;
    const double of_bucket = node.keys <= 0.5 * kDigits * bucket ? size * 1.5 * bucket / node.keys : size;
    double hottest = 0, beyond = 0;
    for (const Part& part : parts_of(node, digit_bits, 0)) {
      const double share = part.keys / node.keys;
      hottest = std::max(hottest, share);
      beyond += std::max(0.0, share * size - of_bucket);
    }
    if (std::pow(hottest, size) > 0.5) return spares_ && differing_bits(node) > 0;
    return hottest * size > uneven_keys(static_cast<std::uint32_t>(size), digit_bits, spares_) || beyond > size / 8;
  }

  /// The chance that two keys of a segment have the same digit.
  double equal_share(const Node& node, int digit_bits) const {
    if (node.is_formula) return equal_of(one_of(ands_), digit_bits);
    const double within = pairs(static_cast<double>(node.sample.size()));
    const double by_chance = within * std::exp2(-digit_bits);
    const double equal = within > 0 ? node.sample.equal_pairs(std::max(0, node.left - digit_bits)) : 0;
    return equal < kPairs || equal - by_chance < 3 * std::sqrt(by_chance) ? std::exp2(-digit_bits) : equal / within;
  }
  Digits digits_of(const Node& node, int bits) const {
    Digits digits{.equal = equal_share(node, bits), .most = std::pow(1 - one_of(ands_), bits)};
    digits.hottest = hottest_of(digits.equal, bits);
    if (node.is_formula) return digits;
    std::size_t most = 0;
    const int shift = std::max(0, node.left - bits);
    for (std::size_t first = 0, last = 0; first < node.sample.size(); first = last) {
      while (last < node.sample.size() && (node.sample.at(last) >> shift) == (node.sample.at(first) >> shift)) ++last;
      most = std::max(most, last - first);
    }
    digits.most = node.sample.size() == 0 ? 0 : static_cast<double>(most) / static_cast<double>(node.sample.size());
    if (node.sample.size() >= kTold) {
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
  /// Of all segments of which the sample says little.
  static double typical_equal(const std::vector<Node>& nodes, int digit_bits) {
    double within = 0, equal = 0;
    for (const Node& node : nodes) {
      if (node.is_formula || node.sample.size() < 2) continue;
      within += pairs(static_cast<double>(node.sample.size()));
      equal += node.sample.equal_pairs(std::max(0, node.left - digit_bits));
    }
    return equal < kPairs ? std::exp2(-digit_bits) : std::max(equal / within, std::exp2(-digit_bits));
  }

  /// Bits up to the highest in which keys of a segment differ.
  int differing_bits(const Node& node) const {
    if (!node.is_formula) {
      if (node.sample.size() == 0) return node.left;
      const auto bits = static_cast<int>(std::bit_width(node.sample.at(0) ^ node.sample.at(node.sample.size() - 1)));
      return std::min(bits, node.left);
    }
    const double one = one_of(ands_);
    const double some = -std::expm1(node.keys * std::log1p(-one));  // the chance that a bit is one in some key
    if (some <= 0) return 0;
    return std::max(0, node.left - static_cast<int>(std::lround(std::min(1e3, (1 - some) / some))));
  }

  /// The parts of a segment by its next digit.
  std::vector<Part> parts_of(const Node& node, int digit_bits, double typical) const {
    const std::size_t digits = std::size_t{1} << digit_bits;
    const int shift = node.left - digit_bits;
    std::vector<Part> parts(digits);
    for (Part& part : parts) part.left = shift;
    if (node.is_formula) {
      const double one = one_of(ands_);
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

  static bool is_whole(const Node& node, const std::vector<Part>& parts) {
    double most = 0;
    for (const Part& part : parts) most = std::max(most, part.keys);
    return most > node.keys - 0.7;
  }

  /// Lists what a segment becomes. Whether its keys move.
  bool divide(const Node& node, int digit_bits, double typical, bool is_top, bool moves_all) {
    const std::vector<Part> parts = parts_of(node, digit_bits, typical);
    if (!moves_all && is_whole(node, parts)) {
      // Nobody knows where keys of the top levels differ.
      const int rest = node.left - digit_bits;
      const int agree = is_top ? rest : std::min(differing_bits(node), rest);
      list_child(node, node.keys, agree, node.side, {node.sample, 0, 0, agree});
      return false;
    }
    if (node.left == digit_bits) {  // pairs: no bits remain
      list_child(node, node.keys, 0, 1 - node.side, {node.sample, 0, 0, 0});
      return true;
    }
    list_groups(node, parts, false);
    return true;
  }

  bool divide_by_splitters(const Node& given) {
    Node node = given;
    if (node.is_formula) {
      node.is_formula = false;
      node.sample = made(node.left);
    }
    const std::uint32_t size = drawn_of(node), step = size / kDigits;
    std::vector<Word> drawn_keys;
    for (std::uint32_t i = 0; i < size; ++i) drawn_keys.push_back(node.sample.draw(random_));
    std::ranges::sort(drawn_keys);
    std::vector<Word> splitters;
    for (std::uint32_t i = 0; i + 1 < kDigits; ++i) {
      const Word key = drawn_keys[step * (i + 1) - 1];
      splitters.push_back(i > 0 && key == drawn_keys[step * i - 1] ? key + 1 : key);
    }
    const Word low = (node.left >= 64 ? ~Word{0} : (Word{1} << node.left) - 1);
    const Word lowest = node.sample.at(0) & ~low, highest = lowest | low;
    std::vector<Part> parts(kDigits);
    std::size_t begin = 0;
    const double each = node.keys / static_cast<double>(node.sample.size());
    const std::span<const Word> keys{node.sample.all->data() + node.sample.begin, node.sample.size()};
    for (std::uint32_t c = 0; c < kDigits; ++c) {
      const Word first = c == 0 ? lowest : splitters[c - 1];
      const Word last = c + 1 == kDigits ? highest : splitters[c] - 1;
      std::size_t end = node.sample.size();
      if (c + 1 < kDigits) {
        end = static_cast<std::size_t>(std::ranges::lower_bound(keys, splitters[c]) - keys.begin());
      }
      end = std::max(end, begin);
      parts[c] = {.keys = each * static_cast<double>(end - begin),
                  .is_known = end - begin >= kReliable || each <= 1.0001,
                  .left = first > last ? 0 : static_cast<int>(std::bit_width(first ^ last)),
                  .sample = node.sample.range(begin, end)};
      begin = end;
    }
    if (is_whole(node, parts)) {
      const int agree = differing_bits(node);
      list_child(node, node.keys, agree, node.side, {node.sample, 0, 0, agree});
      return false;
    }
    list_groups(node, parts, true);
    return true;
  }

  /// Neighbours that are sorted as one (divide.cuh: divide_segment).
  void list_groups(const Node& node, const std::vector<Part>& parts, bool by_splitters) {
    const bool is_random = std::ranges::any_of(parts, [](const Part& part) { return !part.is_known; });
    const int replicas = is_random ? std::clamp(static_cast<int>(node.times), 1, kReplicas) : 1;
    for (int replica = 0; replica < replicas; ++replica) {
      Node one = node;
      one.times = node.times / replicas;
      std::vector<double> sizes;
      for (const Part& part : parts) {
        sizes.push_back(part.is_known ? part.keys : by_chance(part.keys));
      }
      double before = 0, before_last = 0;
      bool last_alone = false;
      Group group;
      const auto end_group = [&](std::size_t last) {
        group.last = last;
        if (group.keys >= 0.5) list_group(one, parts, sizes, group, by_splitters);
      };
      for (std::size_t d = 0; d < parts.size(); ++d) {
        const bool alone = sizes[d] > merged_;
        const bool starts =
            d == 0 || alone || last_alone || std::floor(before / merged_) != std::floor(before_last / merged_);
        if (starts) {
          if (d > 0) end_group(d);
          group = {.keys = 0, .first = d, .last = d};
        }
        group.keys += sizes[d];
        before_last = before;
        before += sizes[d];
        last_alone = alone;
      }
      end_group(parts.size());
    }
  }
  double by_chance(double mean) {
    if (mean <= 0) return 0;
    if (mean < 30) return static_cast<double>(std::poisson_distribution<int>(mean)(random_));
    return std::max(0.0, std::round(std::normal_distribution<double>(mean, std::sqrt(mean))(random_)));
  }

  void list_group(const Node& node, const std::vector<Part>& parts, const std::vector<double>& sizes,
                  const Group& group, bool by_splitters) {
    std::size_t filled = 0, only = group.first;
    for (std::size_t d = group.first; d < group.last; ++d) {
      if (sizes[d] < 0.5) continue;
      ++filled;
      only = d;
    }
    const bool one = group.last - group.first == 1 || filled == 1;
    int left = one ? parts[only].left : node.left;
    if (one && by_splitters && group.keys <= capacity_) left = std::max(left, 1);
    Sample sample;
    for (std::size_t d = group.first; d < group.last; ++d) {
      if (parts[d].sample.size() == 0) continue;
      sample = sample.size() == 0 ? parts[d].sample : Sample{sample.all, sample.begin, parts[d].sample.end};
    }
    list_child(node, group.keys, left, 1 - node.side, {sample, group.first, group.last, parts[only].left});
  }

  /// What the keys of a bucket are like: its sample, or digits of a formula before bits of it.
  struct Content {
    Sample sample;
    std::size_t first_digit = 0, last_digit = 0;
    int shift = 0;
  };

  void list_child(const Node& node, double keys, int left, int side, const Content& content) {
    if (keys <= capacity_ && left > 0) return list_bucket(node, keys, left, content);
    if (left == 0 && side == 0) return;
    if (counts_ && left > 0 && left <= kCountedBits) {
      if (keys <= kCountingElements) return list_bucket(node, keys, left, content);
      if (keys >= kTableElements && keys < 0x1p32) {
        tables_.tables += node.times;
        tables_.keys += node.times * keys;
        if (tables_judged_ == 0 || listed_[kCounted] < kJudged) {
          add(tables_.kinds, judged_counters(node, shape_of(1).elements(), content, left), node.times * keys);
          tables_judged_ += node.times * keys;
        }
        return;
      }
    }
    Node next = node;
    next.keys = keys;
    next.left = left;
    next.side = side;
    if (!node.is_formula) next.sample = content.sample;
    next_.push_back(next);
  }

  void list_bucket(const Node& node, double keys, int left, const Content& content) {
    int list = 0;
    while (list + 1 < kClasses && keys > shape_of(list).elements()) ++list;
    const bool is_long = keys > capacity_;
    if (counts_ && list > 0 && (left >= kCountedFrom || is_long) && left <= kCountedBits) list = kCounted;
    Judged& of = judged_[{list, left}];
    const double share = node.times;
    int& listed = listed_[static_cast<std::size_t>(list)];
    if (of.buckets == 0 || listed < kJudged || (random_() % 64 == 0 && listed < 4 * kJudged)) {
      ++listed;
      const Kinds kinds = list == kCounted ? judged_counters(node, keys, content, left)
                                           : judge_.judged(made_keys(node, keys, content, left), shape_of(list));
      add(of.kinds, kinds, share);
      of.judged += share;
    }
    of.buckets += node.times;
    of.keys += node.times * keys;
    if (list == kCounted && keys > class_shape(1, 4, 0).elements()) {
      of.long_buckets += node.times;
      of.long_keys += node.times * keys;
    }
  }
  Shape shape_of(int size_class) const { return class_shape(size_class, problem_.key_bytes, problem_.value_bytes); }

  /// Whether counters of four bits overflow.
  Kinds judged_counters(const Node& node, double keys, const Content& content, int left) {
    const std::vector<Word> made = made_keys(node, std::min(keys, 65536.0), content, left);
    std::vector<std::uint32_t> in_value(std::size_t{1} << kCountedBits);
    const Word mask = (Word{1} << std::min(left, kCountedBits)) - 1;
    for (const Word key : made) ++in_value[key & mask];
    const double most = *std::ranges::max_element(in_value);
    if (most > 0.9 * static_cast<double>(made.size()) && made.size() > 8) return {.equal = 1};
    return most > 15 ? Kinds{.uneven = 1} : Kinds{.even = 1};
  }

  std::vector<Word> made_keys(const Node& node, double keys, const Content& content, int left) {
    std::vector<Word> made;
    const auto count = static_cast<std::size_t>(std::max(1.0, std::round(keys)));
    if (node.is_formula) {
      if (content.last_digit <= content.first_digit + 1) {
        for (std::size_t i = 0; i < count; ++i) made.push_back(bits_of(random_, ands_, left));
        return made;
      }
      const double one = one_of(ands_);
      std::vector<double> shares;
      for (std::size_t d = content.first_digit; d < content.last_digit; ++d) {
        const int set = std::popcount(d);
        shares.push_back(std::pow(one, set) * std::pow(1 - one, node.left - content.shift - set));
      }
      std::discrete_distribution<std::size_t> digit(shares.begin(), shares.end());
      for (std::size_t i = 0; i < count; ++i) {
        made.push_back((content.first_digit + digit(random_)) << content.shift |
                       bits_of(random_, ands_, content.shift));
      }
      return made;
    }
    if (content.sample.size() >= std::min(kTold, count)) return judge_.keys_of(content.sample, keys);
    if (is_formula_) {
      for (std::size_t i = 0; i < count; ++i) made.push_back(bits_of(random_, ands_, left));
      return made;
    }
    // As many values as equal pairs of the segment's keys say.
    const Word mask = left >= 64 ? ~Word{0} : (Word{1} << left) - 1;
    const double equal = node.sample.size() > 0 ? node.sample.equal_pairs(0) : 0;
    const double distinct =
        equal >= kPairs ? pairs(static_cast<double>(node.sample.size())) / equal * keys / node.keys : 0;
    std::vector<Word> values;
    if (distinct > 0 && distinct < 64.0 * static_cast<double>(count)) {
      for (double v = 0; v < distinct; ++v) values.push_back(random_() & mask);
    }
    for (std::size_t i = 0; i < count; ++i) {
      made.push_back(values.empty() ? random_() & mask : values[random_() % values.size()]);
    }
    return made;
  }

  /// A sorted sample of independent bits.
  Sample made(int left) {
    auto keys = std::make_unique<std::vector<Word>>();
    for (std::size_t i = 0; i < kMade; ++i) keys->push_back(bits_of(random_, ands_, left));
    std::ranges::sort(*keys);
    made_.push_back(std::move(keys));
    return {made_.back().get(), 0, kMade};
  }

  /// Segments by formula, those of about the same size as one.
  static std::vector<Node> joined(const std::vector<Node>& nodes) {
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

  struct Judged {
    Kinds kinds;
    double judged = 0;
    double buckets = 0, keys = 0;
    double long_buckets = 0, long_keys = 0;
  };

  void finish() {
    std::map<int, Buckets> lists;
    for (const auto& [at, of] : judged_) {
      Buckets& list = lists[at.first];
      list.list = at.first;
      add(list.kinds, of.kinds, of.judged > 0 ? of.buckets / of.judged : 0);
      list.buckets += of.buckets;
      list.keys += of.keys;
      list.long_buckets += of.long_buckets;
      list.long_keys += of.long_keys;
    }
    for (auto& [number, list] : lists) {
      Kinds kinds;
      add(kinds, list.kinds, 1 / list.buckets);
      list.kinds = kinds;
      tree_.buckets.push_back(list);
    }
    if (tables_.tables > 0) {
      Kinds kinds;
      add(kinds, tables_.kinds, 1 / tables_judged_);
      tables_.kinds = kinds;
      tree_.tables = tables_;
    }
  }

  Problem problem_;
  int ands_;
  bool is_formula_;
  Sample sample_;
  int bits_;
  double capacity_;
  double merged_;
  bool counts_;
  bool spares_;
  std::vector<std::unique_ptr<const std::vector<Word>>> made_;
  Random random_{1};
  Judge judge_{bits_, random_};
  Tree tree_;
  std::vector<Node> next_;
  std::map<std::pair<int, int>, Judged> judged_;  ///< by list and bits left
  std::array<int, kLists> listed_{};              ///< buckets of a level that were judged, by list
  Tables tables_;
  double tables_judged_ = 0;  ///< keys
};

}  // namespace

Tree of_bits(const Problem& problem, int ands) {
  Random random{2};
  std::vector<Word> keys;
  if (problem.n <= one_level_elements(problem.key_bytes, problem.value_bytes)) {
    for (std::size_t i = 0; i < std::min<std::uint64_t>(problem.n, 2 * kMade); ++i) {
      keys.push_back(bits_of(random, ands, static_cast<int>(8 * problem.key_bytes)));
    }
    std::ranges::sort(keys);
  }
  return Walker{problem, ands, true, {&keys, 0, keys.size()}}.walk();
}

Tree of_trace(const Problem& problem, std::span<const uint128> sorted) {
  std::vector<Word> keys;
  for (const uint128 key : sorted) keys.push_back(static_cast<Word>(key));
  if (keys.empty()) return {};
  return Walker{problem, -1, false, {&keys, 0, keys.size()}}.walk();
}

}  // namespace sortlab::msd_tree
