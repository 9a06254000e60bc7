#include "algorithms/msd_radix_gpu/model/tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "algorithms/msd_radix_gpu/model/bucket_lists.hpp"

namespace sortlab::msd_tree {
namespace {

using namespace msd_gpu;

constexpr std::size_t kMade = std::size_t{1} << 17;  ///< sample size of keys made by formula
constexpr int kReplicas = 4;                         ///< segments drawn to represent all similar ones

/// A group of parts that is a bucket, or one part.
struct Group {
  double keys = 0;
  std::size_t first = 0, last = 0;  ///< parts
};

class Walker {
 public:
  Walker(const Problem& problem, double one, bool is_formula, Sample sample)
      : problem_(problem),
        one_(one),
        is_formula_(is_formula),
        sample_(sample),
        bits_(static_cast<int>(8 * problem.key_bytes)),
        capacity_(bucket_elements(problem.key_bytes, problem.value_bytes)),
        merged_(merged_elements(problem.key_bytes, problem.value_bytes)),
        counts_(problem.plan.counts_buckets),
        spares_(problem.n < kCheapLevelElements) {}

  Tree walk() {
    const std::uint32_t k = problem_.key_bytes, v = problem_.value_bytes;
    if (problem_.plan.regime == Regime::one_block) {
      const Shape shape = class_shape(one_block_class(problem_.n, k, v), k, v);
      tree_.kinds = judge_.judged(judge_.draw_keys(sample_, n()), shape);
    } else if (problem_.plan.regime == Regime::one_level) {
      walk_one_level();
    } else {
      walk_top();
      for (int level = kTopLevels; level < 64 && !next_.empty(); ++level) {
        const std::vector<Node> nodes = joined(next_);
        next_.clear();
        walk_level(level, nodes);
      }
      lists_.finish(tree_);
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
    const auto blocks = std::min(static_cast<std::uint32_t>(problem_.multiprocessors),
                                 (n + kOneLevelMinBlockKeys - 1) / kOneLevelMinBlockKeys);
    const auto capacity = static_cast<std::uint32_t>(kMaxThreads * items);
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
    constexpr std::size_t kMaxJudged = 64;
    const std::size_t judgements = std::min(kMaxJudged, sorts), size = rest.size() / std::max<std::size_t>(sorts, 1);
    for (std::size_t i = 0; i < judgements && size > 0; ++i) {
      const std::size_t begin = (rest.size() - size) * i / judgements;
      const Kinds kinds = judge_.judged(
          judge_.draw_keys({&rest, begin, begin + size}, static_cast<double>(n) / windows), {kMaxThreads, items});
      // A block that is found uneven by chance is one of few.
      const double share = sorted / static_cast<double>(judgements);
      (kinds.uneven > 0.5 ? tree_.kinds.uneven : tree_.kinds.even) += share;
    }
  }

  // The top levels

  void walk_top() {
    const Top& top = problem_.plan.top;
    const Node whole{.keys = n(), .left = bits_, .side = 0, .is_formula = is_formula_, .sample = sample_};
    Node root = whole;
    if (problem_.plan.samples_range) root.left = sampled_range(whole);
    tree_.top = digit_statistics(root, top.bits(), one_);
    tree_.first = digit_statistics(root, kDigitBits, one_);
    const double hottest = tree_.first.most;
    const int agree = differing_bits(root, one_);
    const bool one_digit = hottest * n() > n() - 0.7;
    if (!counts_) {
      const double drawn_keys = kTopThreads;
      const bool all = std::pow(hottest, drawn_keys) > 0.5;
      tree_.skips_top =
          all ? spares_ && agree > 0 : hottest * drawn_keys > skew_threshold(kTopThreads, kDigitBits, spares_);
    }
    if (tree_.skips_top) {
      next_.push_back(whole);
      return;
    }
    if (agree == 0) return;
    if (agree <= root.left - top.bits()) {
      root.left = agree;
      list_child(root, n(), agree, 0, {root.sample, 0, 0, agree});
      return;
    }
    if (top.wide || !one_digit) tree_.first_moved = n();
    if (top.wide) {
      divide(root, top.bits(), std::exp2(-top.bits()), true, true);
      return;
    }
    const std::vector<Part> firsts = split_parts(root, top.first_bits, std::exp2(-top.first_bits), one_);
    const std::vector<Node> nodes = split_nodes(root, firsts, one_digit ? 0 : 1);
    const double typical = typical_equal(nodes, top.second_bits);
    for (const Node& node : nodes) {
      tree_.top_segments += node.times;
      const Digits digits = digit_statistics(node, top.second_bits, one_);
      add_digits(tree_.second, digits, node.times * node.keys / n());
      if (divide(node, top.second_bits, typical, true, false)) tree_.second_moved += node.times * node.keys;
    }
    tree_.second.hottest = hottest_share(tree_.second.equal, top.second_bits);
  }

  /// Number of low bits in which the keys differ that the sort draws to find where the top digits begin (count.cuh:
  /// is_top_uneven).
  int sampled_range(const Node& all) {
    const int least = problem_.plan.top.bits() + kDigitBits;
    Node drawn = all;
    drawn.keys = kTopThreads;
    if (is_formula_) return std::clamp(differing_bits(drawn, one_), least, bits_);
    const Word first = sample_.draw(random_);
    Word differ = 0;
    for (int i = 1; i < kTopThreads; ++i) differ |= sample_.draw(random_) ^ first;
    return std::clamp(static_cast<int>(std::bit_width(differ)), least, bits_);
  }

  // Levels

  void walk_level(int level, const std::vector<Node>& nodes) {
    Level of{};
    lists_.begin_level();
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
      const bool may_split = !counts_ && level < kTopLevels + kSampledLevels && number < kMaxTrees;
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
      if (!split) add_digits(of.digits, digit_statistics(node, digit_bits, one_), keys / (of.keys - of.split_keys));
      if (split) {
        if (divide_by_splitters(node)) of.moved += keys;
      } else if (node.left <= kDigitBits && problem_.value_bytes == 0 &&
                 !is_whole(node, split_parts(node, digit_bits, typical, one_))) {
        of.filled += keys;
      } else if (divide(node, digit_bits, typical, false, false)) {
        of.moved += keys;
      }
    }
    tree_.levels.push_back(of);
  }

  std::uint32_t count_drawn(const Node& node) const {
    const bool few = node.keys <= static_cast<double>(small_draw_elements(problem_.key_bytes, problem_.value_bytes));
    return kThreads * (few ? kSmallDraw : large_draw(problem_.key_bytes));
  }
  /// True if splitters.cuh would judge the segment uneven: one digit has too many keys, or many keys have digits that
  /// would need another level.
  bool is_uneven(const Node& node) {
    const int digit_bits = std::min(node.left, kDigitBits);
    const double size = count_drawn(node), bucket = capacity_;
    if (!node.is_formula && !node.is_reliable()) return false;
    const double of_bucket = node.keys <= 0.5 * kDigits * bucket ? size * 1.5 * bucket / node.keys : size;
    double hottest = 0, beyond = 0;
    for (const Part& part : split_parts(node, digit_bits, 0, one_)) {
      const double share = part.keys / node.keys;
      hottest = std::max(hottest, share);
      beyond += std::max(0.0, share * size - of_bucket);
    }
    if (std::pow(hottest, size) > 0.5) return spares_ && differing_bits(node, one_) > 0;
    return hottest * size > skew_threshold(static_cast<std::uint32_t>(size), digit_bits, spares_) || beyond > size / 8;
  }

  /// Lists the segment's parts. True if its keys move.
  bool divide(const Node& node, int digit_bits, double typical, bool is_top, bool moves_all) {
    const std::vector<Part> parts = split_parts(node, digit_bits, typical, one_);
    if (!moves_all && is_whole(node, parts)) {
      // The top levels do not look where their keys differ.
      const int rest = node.left - digit_bits;
      const int agree = is_top ? rest : std::min(differing_bits(node, one_), rest);
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
    const std::uint32_t size = count_drawn(node), step = size / kDigits;
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
      const int agree = differing_bits(node, one_);
      list_child(node, node.keys, agree, node.side, {node.sample, 0, 0, agree});
      return false;
    }
    list_groups(node, parts, true);
    return true;
  }

  /// Lists groups of neighbouring parts that are sorted as one bucket (divide.cuh: divide_segment).
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

  void list_child(const Node& node, double keys, int left, int side, const Content& content) {
    if (keys <= capacity_ && left > 0) return lists_.list(node, keys, left, content);
    if (left == 0 && side == 0) return;
    if (counts_ && left > 0 && left <= kCountedBits) {
      if (keys <= kCountingElements) return lists_.list(node, keys, left, content);
      if (keys >= kTableElements && keys < 0x1p32) return lists_.list_table(node, keys, left, content);
    }
    Node next = node;
    next.keys = keys;
    next.left = left;
    next.side = side;
    if (!node.is_formula) next.sample = content.sample;
    next_.push_back(next);
  }

  /// A sorted sample of independent bits.
  Sample made(int left) {
    auto keys = std::make_unique<std::vector<Word>>();
    for (std::size_t i = 0; i < kMade; ++i) keys->push_back(random_bits(random_, one_, left));
    std::ranges::sort(*keys);
    made_.push_back(std::move(keys));
    return {made_.back().get(), 0, kMade};
  }

  Problem problem_;
  double one_;
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
  BucketLists lists_{problem_, one_, is_formula_, random_, judge_};
  Tree tree_;
  std::vector<Node> next_;
};

}  // namespace

Tree of_bits(const Problem& problem, double one) {
  Random random{2};
  std::vector<Word> keys;
  if (problem.plan.regime == Regime::one_block || problem.plan.regime == Regime::one_level) {
    for (std::size_t i = 0; i < std::min<std::uint64_t>(problem.n, 2 * kMade); ++i) {
      keys.push_back(random_bits(random, one, static_cast<int>(8 * problem.key_bytes)));
    }
    std::ranges::sort(keys);
  }
  return Walker{problem, one, true, {&keys, 0, keys.size()}}.walk();
}

Tree of_trace(const Problem& problem, std::span<const uint128> sorted) {
  std::vector<Word> keys;
  for (const uint128 key : sorted) keys.push_back(static_cast<Word>(key));
  if (keys.empty()) return {};
  return Walker{problem, 0, false, {&keys, 0, keys.size()}}.walk();
}

}  // namespace sortlab::msd_tree
