#include "algorithms/msd_radix_gpu/model/bucket_lists.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sortlab::msd_tree {

using namespace msd_gpu;

namespace {

constexpr int kJudged = 12;  ///< buckets of a list and level whose keys are made and judged

void add(Kinds& to, const Kinds& more, double share) {
  to.even += share * more.even;
  to.uneven += share * more.uneven;
  to.equal += share * more.equal;
}

}  // namespace

void BucketLists::list(const Node& node, double keys, int left, const Content& content) {
  int list = 0;
  while (list + 1 < kClasses && keys > list_shape(list).elements()) ++list;
  const bool is_long = keys > capacity_;
  if (counts_ && list > 0 && (left >= kCountedFrom || is_long) && left <= kCountedBits) list = kCounted;
  Judged& of = judged_[{list, left}];
  const double share = node.times;
  int& listed = listed_[static_cast<std::size_t>(list)];
  if (of.buckets == 0 || listed < kJudged || (random_() % 64 == 0 && listed < 4 * kJudged)) {
    ++listed;
    const Kinds kinds = list == kCounted ? judged_counters(node, keys, content, left)
                                         : judge_.judged(made_keys(node, keys, content, left), list_shape(list));
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

void BucketLists::list_table(const Node& node, double keys, int left, const Content& content) {
  tables_.tables += node.times;
  tables_.keys += node.times * keys;
  if (tables_judged_ == 0 || listed_[kCounted] < kJudged) {
    add(tables_.kinds, judged_counters(node, list_shape(1).elements(), content, left), node.times * keys);
    tables_judged_ += node.times * keys;
  }
}

Kinds BucketLists::judged_counters(const Node& node, double keys, const Content& content, int left) {
  const std::vector<Word> made = made_keys(node, std::min(keys, 65536.0), content, left);
  std::vector<std::uint32_t> in_value(std::size_t{1} << kCountedBits);
  const Word mask = (Word{1} << std::min(left, kCountedBits)) - 1;
  for (const Word key : made) ++in_value[key & mask];
  const double most = *std::ranges::max_element(in_value);
  if (most > 0.9 * static_cast<double>(made.size()) && made.size() > 8) return {.equal = 1};
  return most > 15 ? Kinds{.uneven = 1} : Kinds{.even = 1};
}

std::vector<Word> BucketLists::made_keys(const Node& node, double keys, const Content& content, int left) {
  std::vector<Word> made;
  const auto count = static_cast<std::size_t>(std::max(1.0, std::round(keys)));
  if (node.is_formula) {
    if (content.last_digit <= content.first_digit + 1) {
      for (std::size_t i = 0; i < count; ++i) made.push_back(random_bits(random_, one_, left));
      return made;
    }
    std::vector<double> shares;
    for (std::size_t d = content.first_digit; d < content.last_digit; ++d) {
      const int set = std::popcount(d);
      shares.push_back(std::pow(one_, set) * std::pow(1 - one_, node.left - content.shift - set));
    }
    std::discrete_distribution<std::size_t> digit(shares.begin(), shares.end());
    for (std::size_t i = 0; i < count; ++i) {
      made.push_back((content.first_digit + digit(random_)) << content.shift |
                     random_bits(random_, one_, content.shift));
    }
    return made;
  }
  if (content.sample.size() >= std::min(kEnough, count)) return judge_.draw_keys(content.sample, keys);
  if (is_formula_) {
    for (std::size_t i = 0; i < count; ++i) made.push_back(random_bits(random_, one_, left));
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

void BucketLists::finish(Tree& tree) const {
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
    tree.buckets.push_back(list);
  }
  if (tables_.tables > 0) {
    tree.tables = tables_;
    tree.tables.kinds = {};
    add(tree.tables.kinds, tables_.kinds, 1 / tables_judged_);
  }
}

}  // namespace sortlab::msd_tree
