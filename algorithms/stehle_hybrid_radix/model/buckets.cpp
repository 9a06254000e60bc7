#include "algorithms/stehle_hybrid_radix/model/buckets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace sortlab::hybrid_buckets {
namespace {

using hybrid_radix::LocalClasses;
using hybrid_radix::Settings;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kReliableSample = 32;  ///< sampled keys that suffice to estimate their bucket's size
constexpr double kPairs = 32;                ///< equal pairs that suffice to estimate the skew of digits

double normal_density(double z) {
  return std::isinf(z) ? 0 : std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}
double normal_share(double z) {  // below z
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

/// The number of keys of a bucket, whose scatter is 0 where it is known.
struct Size {
  double mean = 0;
  double scatter = 0;  ///< standard deviation

  /// The chance of more than `least` and at most `most` keys.
  double chance(double least, double most) const {
    if (scatter == 0) return mean > least && mean <= most ? 1 : 0;
    return normal_share(z(most)) - normal_share(z(least));
  }
  /// E[size; least < size <= most]: over a partition into intervals these sum to the mean.
  double keys(double least, double most) const {
    if (scatter == 0) return mean * chance(least, most);
    return mean * chance(least, most) - scatter * (normal_density(z(most)) - normal_density(z(least)));
  }
  /// Blocks of at most `block` keys.
  double blocks(double block) const {
    if (scatter == 0) return std::ceil(mean / block);
    constexpr double wide = 0.5;  // share of a block from which its fill is uniformly distributed
    if (scatter > wide * block) return mean / block + 0.5;
    const double sure = std::max(0.0, std::floor(mean / block) - 4);
    double blocks = sure;
    for (int more = 0; more < 9; ++more) blocks += chance((sure + more) * block, kInfinity);
    return blocks;
  }

 private:
  double z(double keys) const { return std::isinf(keys) ? keys : (keys + 0.5 - mean) / scatter; }
};

/// Size of a bucket into which each of `all` keys falls with the same chance: binomial.
Size by_chance(double mean, double all) {
  return {mean, std::sqrt(std::max(0.0, mean * (1 - mean / std::max(1.0, all))))};
}

/// Splits buckets by the sort's rules and adds up the outcome.
class Splitter {
 public:
  explicit Splitter(const Problem& problem)
      : settings_(problem.settings),
        passes_(problem.passes()),
        classes_(hybrid_radix::local_size_classes(problem.settings, problem.key_bytes, problem.value_bytes)) {}

  /// `times` buckets of `size`, with digit shares `shares`, enter a pass.
  void enter(Pass& pass, double times, const Size& size, std::span<const double> shares) const {
    const double keys = times * size.mean;
    const double hottest = std::ranges::max(shares);
    pass.keys += keys;
    pass.buckets += times;
    pass.blocks += times * size.blocks(settings_.block_keys);
    pass.hottest += keys * hottest;  // divided by the keys at the end
    const double block = std::min<double>(settings_.block_keys, size.mean);
    const Size of_block{hottest * block, std::sqrt(hottest * (1 - hottest) * block)};
    pass.hot += keys * of_block.chance(std::floor(block / hybrid_radix::kHotShare), kInfinity);
  }

  /// Lists the sub-buckets of `times` buckets: `sizes` by digit, some perhaps empty. Calls next(digit, times, mean
  /// size) for those too large for a local sort.
  template <class Next>
  void list(Pass& pass, int number, double times, std::span<const Size> sizes, double ones, const Next& next) const {
    if (number + 1 == passes_.count()) return;
    const std::size_t digits = sizes.size();
    for (std::size_t d = 0; d < digits;) {
      if (sizes[d].mean <= 0) {
        ++d;
        continue;
      }
      const std::size_t first = d;
      std::size_t last = d;
      Size group = sizes[d++];
      for (; d < digits && group.mean + sizes[d].mean < settings_.merge_keys; ++d) {
        if (sizes[d].mean <= 0) continue;
        last = d;
        group = {group.mean + sizes[d].mean, std::hypot(group.scatter, sizes[d].scatter)};
      }
      const auto digit_count = static_cast<unsigned>(last - first + 1);
      add_local(pass, times, group, bits_left(number, digit_count), ones);
      if (digit_count > 1) {
        pass.merged += times;
      } else if (const double more = group.chance(settings_.local_keys, kInfinity); times * more > 1e-6) {
        next(first, times * more, group.keys(settings_.local_keys, kInfinity) / more);
      }
    }
  }

  void add_local(Pass& pass, double times, const Size& size, int bits, double ones) const {
    for (int c = 0; c < classes_.count; ++c) {
      const double end = class_end(c);
      const double begin = c == 0 ? -kInfinity : class_end(c - 1);
      double buckets = times * size.chance(begin, end);
      const double keys = times * size.keys(begin, end);
      if (c == 0 && size.scatter > 0) buckets -= times * std::exp(-size.mean);  // without any key
      if (buckets <= 1e-9) continue;
      auto same = std::ranges::find_if(pass.local,
                                       [&](const Local& local) { return local.size_class == c && local.bits == bits; });
      if (same == pass.local.end()) same = pass.local.insert(same, Local{.size_class = c, .bits = bits, .ones = 0});
      same->buckets += buckets;
      same->keys += keys;
      same->ones += keys * ones;  // divided by the keys at the end
    }
  }

  int bits_left(int number, unsigned digit_count) const {
    return passes_.shift(number) + (digit_count == 1 ? 0 : passes_.bits(number));
  }

  double class_end(int size_class) const {
    return std::min(classes_.shapes[static_cast<std::size_t>(size_class)].keys(), settings_.local_keys);
  }
  const hybrid_radix::Passes& passes() const { return passes_; }
  const Settings& settings() const { return settings_; }

 private:
  const Settings& settings_;
  hybrid_radix::Passes passes_;
  LocalClasses classes_;
};

/// Sums to means.
void finish(Tree& tree) {
  for (Pass& pass : tree.passes) {
    if (pass.keys > 0) {
      pass.hottest /= pass.keys;
      pass.hot /= pass.keys;
    }
    for (Local& local : pass.local) local.ones = local.keys > 0 ? local.ones / local.keys : 0.5;
  }
}

/// True if the input is one local sort, which is then listed.
bool is_local(const Problem& problem, Tree& tree, double ones) {
  tree.passes.resize(static_cast<std::size_t>(problem.passes().count()));
  if (problem.n > problem.settings.local_keys) return false;
  if (problem.n < 1) return true;
  const Splitter splitter{problem};
  Pass whole;
  splitter.add_local(whole, 1, {problem.n, 0}, static_cast<int>(8 * problem.key_bytes), ones);
  tree.whole = whole.local;
  for (Local& local : tree.whole) local.ones = ones;
  return true;
}

/// The probability of a one in each of `bits` independent bits, given that two keys agree in all of them with
/// probability `equal`.
double bit_probability(double equal, int bits) {
  const double of_bit = std::pow(std::clamp(equal, 0.0, 1.0), 1.0 / bits);  // p^2 + (1-p)^2
  return of_bit <= 0.5 ? 0.5 : (1 - std::sqrt(2 * of_bit - 1)) / 2;
}

/// Shares of the digits of `bits` independent bits, each one with probability `one`.
std::vector<double> digit_shares(double one, int bits) {
  std::vector<double> shares(std::size_t{1} << bits);
  for (std::size_t d = 0; d < shares.size(); ++d) {
    const int set = std::popcount(d);
    shares[d] = std::pow(one, set) * std::pow(1 - one, bits - set);
  }
  return shares;
}

// Tree by formula

struct Alike {  ///< buckets with as many ones in their prefix
  double times = 0;
  double keys = 0;  ///< in all of them
};

// Tree by trace

using Samples = std::vector<std::pair<std::size_t, std::size_t>>;  ///< [begin, end) of the sorted sample, a bucket each

/// Buckets treated as alike.
struct Sampled {
  double times = 0;
  double keys = 0;      ///< in all of them
  bool is_one = false;  ///< one bucket, whose size is known from the sample
  Samples samples;

  double mean() const { return keys / times; }
  void add(double more_times, double size) {
    times += more_times;
    keys += more_times * size;
  }
};

/// Distribution of the buckets' sampled keys over a digit: the range of each digit value, bucket by bucket.
class DigitRuns {
 public:
  struct Run {
    std::size_t digit;
    std::size_t begin;
    std::size_t end;
    std::size_t keys() const { return end - begin; }
  };

  DigitRuns(std::span<const uint128> sorted, const Samples& samples, int shift, int bits) : bits_(bits) {
    const auto digit_at = [&](std::size_t i) {
      return static_cast<std::size_t>(sorted[i] >> shift) & ((std::size_t{1} << bits) - 1);
    };
    for (const auto& [first, last] : samples) {
      within_ += pairs(last - first);
      for (std::size_t begin = first, end = first; begin < last; begin = end) {
        const std::size_t digit = digit_at(begin);
        while (end < last && digit_at(end) == digit) ++end;
        runs_.push_back({digit, begin, end});
        equal_ += pairs(end - begin);
      }
    }
  }
  const std::vector<Run>& runs() const { return runs_; }
  Samples samples() const {
    Samples samples;
    for (const Run& run : runs_) samples.emplace_back(run.begin, run.end);
    return samples;
  }
  /// Probability that two keys of a bucket share the digit. It is that of uniform digits unless the sample has enough
  /// equal pairs, significantly more than chance gives.
  double equal() const {
    const double uniform = std::exp2(-bits_);
    const double by_chance = within_ * uniform;
    return equal_ < kPairs || equal_ - by_chance < 3 * std::sqrt(by_chance) ? uniform : equal_ / within_;
  }
  /// Probability of a one in each bit of a digit, if bits are independent and two digits are equal with equal().
  double ones() const { return bit_probability(equal(), bits_); }

 private:
  static double pairs(std::size_t keys) { return static_cast<double>(keys) * (static_cast<double>(keys) - 1); }

  int bits_;
  std::vector<Run> runs_;
  double within_ = 0;  ///< ordered pairs of keys of a bucket
  double equal_ = 0;   ///< pairs that share the digit
};

/// Parts of a bucket.
struct Parts {
  std::vector<double> shares;  ///< share of each digit
  std::vector<Size> sizes;
  std::vector<bool> is_one;  ///< sub-buckets of known size (from the sample)
};

/// A bucket of known size: digits with enough sampled keys get their sampled size, the others share the rest evenly.
Parts parts_as_sampled(const Sampled& bucket, const DigitRuns& runs, std::size_t least, double stands_for, double n) {
  const std::size_t digits = std::size_t{1} << 8;
  Parts parts{std::vector<double>(digits), std::vector<Size>(digits), std::vector<bool>(digits)};
  double sampled = 0;
  double few = 0;
  std::size_t told = 0;
  for (const DigitRuns::Run& run : runs.runs()) sampled += static_cast<double>(run.keys());
  for (const DigitRuns::Run& run : runs.runs()) {
    const double share = static_cast<double>(run.keys()) / sampled;
    if (run.keys() < least) {
      few += share;
      continue;
    }
    ++told;
    parts.shares[run.digit] = share;
    parts.sizes[run.digit] = {static_cast<double>(run.keys()) * stands_for, 0};
    parts.is_one[run.digit] = true;
  }
  for (std::size_t d = 0; few > 0 && d < digits; ++d) {
    if (parts.is_one[d]) continue;
    parts.shares[d] = few / static_cast<double>(digits - told);
    parts.sizes[d] = by_chance(parts.shares[d] * bucket.mean(), n);
  }
  return parts;
}

/// Buckets for which the sample gives only the probability that two keys share a digit.
Parts parts_as_even(const Sampled& bucket, const DigitRuns& runs, int bits, double n) {
  Parts parts{.shares = digit_shares(runs.ones(), bits), .sizes = {}, .is_one = {}};
  for (const double share : parts.shares) parts.sizes.push_back(by_chance(share * bucket.mean(), n));
  parts.is_one.resize(parts.shares.size());
  return parts;
}

}  // namespace

double Pass::listed() const {
  double all = 0;
  for (const Local& one : local) all += one.buckets;
  return all;
}

double Pass::local_keys() const {
  double all = 0;
  for (const Local& one : local) all += one.keys;
  return all;
}

Tree of_bits(const Problem& problem, double one) {
  Tree tree;
  const double ones = std::min(one, 1 - one);
  if (is_local(problem, tree, ones)) return tree;
  const Splitter splitter{problem};
  std::map<int, Alike> entering{{0, {1, problem.n}}};  // ones in the prefix to buckets
  for (int number = 0; number < splitter.passes().count(); ++number) {
    Pass& pass = tree.passes[static_cast<std::size_t>(number)];
    const std::vector<double> shares = digit_shares(one, splitter.passes().bits(number));
    std::map<int, Alike> next;
    for (const auto& [set, alike] : entering) {
      const double mean = alike.keys / alike.times;
      splitter.enter(pass, alike.times, number == 0 ? Size{mean, 0} : by_chance(mean, problem.n), shares);
      std::vector<Size> sizes;
      for (const double share : shares) sizes.push_back(by_chance(mean * share, share == 1 ? mean : problem.n));
      splitter.list(pass, number, alike.times, sizes, ones,
                    [&, before = set](std::size_t digit, double times, double size) {
                      Alike& group = next[before + std::popcount(digit)];
                      group.times += times;
                      group.keys += times * size;
                    });
    }
    entering = std::move(next);
  }
  finish(tree);
  return tree;
}

Tree of_trace(const Problem& problem, std::span<const uint128> sorted) {
  Tree tree;
  if (sorted.empty() || is_local(problem, tree, 0.5)) return tree;
  const Splitter splitter{problem};
  const hybrid_radix::Passes& passes = splitter.passes();
  const double stands_for = problem.n / static_cast<double>(sorted.size());
  const std::size_t least = stands_for <= 1 ? 1 : kReliableSample;
  std::vector<Sampled> entering{{1, problem.n, true, {{0, sorted.size()}}}};
  for (int number = 0; number < passes.count(); ++number) {
    Pass& pass = tree.passes[static_cast<std::size_t>(number)];
    std::vector<Sampled> next;
    std::map<std::pair<int, int>, Sampled> small;  // buckets with few sampled keys, by size and ones in the digit
    for (const Sampled& bucket : entering) {
      const DigitRuns runs{sorted, bucket.samples, passes.shift(number), passes.bits(number)};
      const bool any_told = std::ranges::any_of(runs.runs(), [&](const auto& run) { return run.keys() >= least; });
      const Parts parts = bucket.is_one && any_told ? parts_as_sampled(bucket, runs, least, stands_for, problem.n)
                                                    : parts_as_even(bucket, runs, passes.bits(number), problem.n);
      splitter.enter(pass, bucket.times, bucket.is_one ? Size{bucket.mean(), 0} : by_chance(bucket.mean(), problem.n),
                     parts.shares);
      if (number + 1 == passes.count()) continue;

      const DigitRuns below{sorted, runs.samples(), passes.shift(number + 1), passes.bits(number + 1)};
      std::map<int, Sampled*> groups;  // ones in the digit to buckets whose sizes may differ
      splitter.list(pass, number, bucket.times, parts.sizes, below.ones(),
                    [&](std::size_t digit, double times, double size) {
                      if (parts.is_one[digit]) {
                        next.push_back({times, times * size, true, {}});
                        for (const auto& run : runs.runs()) {
                          if (run.digit == digit) next.back().samples.emplace_back(run.begin, run.end);
                        }
                        return;
                      }
                      const int set = std::popcount(digit);
                      Sampled& group = small[{static_cast<int>(std::lround(4 * std::log2(size))), set}];
                      group.add(times, size);
                      groups[set] = &group;
                    });
      for (const auto& run : runs.runs()) {
        const auto group = groups.find(std::popcount(run.digit));
        if (group == groups.end() || parts.is_one[run.digit]) continue;
        group->second->samples.emplace_back(run.begin, run.end);
      }
    }
    for (auto& [size, group] : small) next.push_back(std::move(group));
    entering = std::move(next);
  }
  finish(tree);
  return tree;
}

}  // namespace sortlab::hybrid_buckets
