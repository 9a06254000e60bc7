// A model of the plug-in paradis: radix sort in place, most significant digit first, down to buckets that are sorted
// in the first-level cache.
//
// The buckets of a trace of the input are followed through the levels, each weighted by the number it represents; the
// cost of a bucket is looked up by its size, its number of distinct digits and its working set. Where too few traced
// keys fall into a bucket's sub-buckets to estimate their sizes, these follow from the probability that two keys share
// one. Reading overlaps small sorts; counting and permuting are measured with their loads and stores.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>

#include "algorithms/paradis/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"

namespace sortlab {
namespace {

using paradis::kMaxPassBits;

constexpr std::size_t kTelling = 64;  // traced keys that give a bucket's size to some 12 %
constexpr auto kMaxMoves = static_cast<double>(paradis::kMaxMoves);

using Keys = std::vector<uint128>;  // traced, sorted by the bits that are left

int bit_width(uint128 word) {
  const auto high = static_cast<std::uint64_t>(word >> 64);
  const std::uint64_t part = high != 0 ? high : static_cast<std::uint64_t>(word);
  return (high != 0 ? 64 : 0) + static_cast<int>(std::bit_width(part));
}

class Paradis {
 public:
  Paradis(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : view_(view),
        machine_(machine),
        n_(static_cast<double>(workload.n)),
        threads_(workload.n < paradis::kMinShared ? 1 : workload.threads),
        key_(byte_size(workload.key)),
        value_(byte_size(workload.value)),
        bits_(8 * static_cast<int>(key_)),
        digit_bits_(static_cast<int>(workload.parameters.integer("digit_bits"))),
        small_(static_cast<double>(workload.parameters.integer("small_sort"))),
        insertion_(static_cast<double>(workload.parameters.integer("insertion"))),
        skips_(workload.parameters.word("equal_digits") == "skip") {}

  Prediction predict() {
    const Keys& keys = view_.spread();
    const int level = n_ < static_cast<double>(paradis::kMinShared) ? kOfOneThread : 0;
    sort({.keys = keys, .size = n_, .number = 1, .rest = bits_, .from = n_ * width() / threads_, .level = level});
    std::vector<PhasePrediction> phases;
    for (const Level& shared : levels_) {
      phases.push_back(shared.histogram);
      if (threads_ > 1) phases.back().seconds += 4 * machine_.at("barrier", {threads_});
      if (shared.permute.seconds <= 0) continue;
      phases.push_back(shared.permute);
      if (threads_ > 1) phases.push_back(shared.repair);
    }
    if (threads_ > 1 && !phases.empty()) phases.front().seconds += machine_.at("wake", {threads_});
    phases.push_back(recurse_);
    return sequence(std::move(phases));
  }

 private:
  /// `number` buckets of about `size` elements, which differ in their `rest` lowest bits and were last moved as part of
  /// `from` bytes. All threads split one of a `level` together: the input, and what has more than a thread's share.
  struct Bucket {
    std::span<const uint128> keys;
    double size, number;
    int rest;
    double from;
    int level = kOfOneThread;
    bool top() const { return level == 0; }
    bool is_shared() const { return level != kOfOneThread; }
  };
  static constexpr int kOfOneThread = -1;

  struct Level {
    explicit Level(int number)
        : histogram{.name = "histogram", .pass = number, .seconds = 0, .binding = "issue"},
          permute{.name = "permute", .pass = number, .seconds = 0, .binding = "issue"},
          repair{.name = "repair", .pass = number, .seconds = 0, .binding = "latency"} {}
    PhasePrediction histogram, permute, repair;
  };

  double width() const { return key_ + value_; }

  /// Adds seconds of one thread for work divided among all threads.
  void add(PhasePrediction& phase, double seconds, const char* work, double amount) const {
    phase.seconds += seconds / threads_;
    phase.work[work] += amount;
  }

  /// Seconds per element of work in cache, and of fetching it (and writing it back: twice) from a working set.
  double with_memory(double issue, double bytes, double from) const {
    const double rate = machine_.at("read", {threads_, from}) / threads_;
    return overlapped(std::vector{issue, bytes / rate}, machine_.at("overlap.read", {threads_, key_}));
  }

  void sort(const Bucket& bucket) {
    const double elements = bucket.number * bucket.size;
    if (bucket.rest <= 0 || bucket.size <= 1 || elements <= 0) return;
    if (bucket.size <= insertion_) return insert(bucket);
    if (bucket.size <= small_) return sort_small(bucket);
    split(bucket);
  }

  void insert(const Bucket& bucket) {
    const double issue = machine_.at("paradis.insertion", {threads_, key_, value_, bucket.size});
    const double elements = bucket.number * bucket.size;
    add(recurse_, elements * with_memory(issue, width(), bucket.from), "insertions", elements);
    recurse_.work["shifts"] += elements * (bucket.size - 1) / 4;
  }

  /// Seconds per element of insertion sort with that many moves per element, from the table of n random elements, which
  /// make n / 4 each.
  double inserting(double moves) const {
    const auto random = [&](double n) { return machine_.at("paradis.insertion", {threads_, key_, value_, n}); };
    constexpr double fewest = (4 - 1) / 4.0;
    constexpr double most = (32 - 1) / 4.0;
    if (moves < fewest) return moves / fewest * random(4);
    return random(4 * moves + 1) + std::max(0.0, moves - most) * std::max(0.0, (random(32) - random(8)) / (24 / 4.0));
  }

  /// Two passes by the bits in which so few keys are likely to differ, and insertion by those below. Where keys are
  /// equal in the former, insertion has much to move, until it gives up and passes go over all bits.
  void sort_small(const Bucket& bucket) {
    const double elements = bucket.number * bucket.size;
    const int bits = std::min(kMaxPassBits, static_cast<int>(std::log2(bucket.size)) + 1);
    const int passed = 2 * bits;
    const bool inserts = bucket.rest > passed;
    const double all_bits = 8 * key_;
    const auto small = [&](double rest) {
      return machine_.at("paradis.small", {threads_, key_, value_, rest, bucket.size});
    };
    double issue = small(inserts ? all_bits : bucket.rest);  // a pass by no bits counts all into one
    if (inserts && bucket.keys.size() > 1) {
      const double alike = chance(bucket.keys, bucket.rest, passed) - chance(bucket.keys, bucket.rest, bucket.rest);
      const double moves = (bucket.size - 1) * std::max(0.0, alike) / 4;
      issue += inserting(std::min(moves, kMaxMoves));
      if (moves > kMaxMoves) issue += std::ceil(bucket.rest / (2.0 * kMaxPassBits)) * small(2 * kMaxPassBits);
    }
    add(recurse_, elements * with_memory(issue, 2 * width(), bucket.from), "elements.small", elements);
    if (inserts) recurse_.work["insertions"] += elements;
    const int second = std::min(bits, bucket.rest);
    recurse_.work["counters.cleared"] +=
        bucket.number * (std::exp2(second) + std::exp2(std::min(bits, bucket.rest - second)));
  }

  double permuting_alone(double bytes, double collision) const {
    return machine_.at("paradis.permute", {threads_, key_, value_, bytes, collision});
  }

  /// The shares of a bucket's digits, in their order; of a single key, which stands for random ones, equal ones.
  static std::vector<double> digit_shares(const Bucket& bucket, int rest, int bits) {
    const std::span<const uint128> keys = bucket.keys;
    if (keys.size() < 2) return std::vector<double>(std::size_t{1} << bits, std::exp2(-bits));
    std::vector<double> shares;
    for_each_digit(keys, rest, bits, [&](std::span<const uint128> alike) {
      shares.push_back(static_cast<double>(alike.size()) / static_cast<double>(keys.size()));
    });
    return shares;
  }

  /// The share of its places that another thread has counted than permutes them. Threads count the bucket part by part,
  /// and permute stripes of its digits' buckets: the same places, where nearly all keys have one digit.
  double counted_by_others(std::span<const double> shares) const {
    double own = 0;
    double begin = 0;
    for (const double share : shares) {
      for (double thread = 0; thread < threads_; ++thread) {
        const double from = std::max(begin + share * thread / threads_, thread / threads_);
        const double to = std::min(begin + share * (thread + 1) / threads_, (thread + 1) / threads_);
        own += std::max(0.0, to - from);
      }
      begin += share;
    }
    return 1 - own;
  }

  /// Extra seconds per element of several threads over one, since lines lie in the caches of the threads that counted
  /// them: as many as these caches hold. Measured with equal digits.
  double fetching(const Bucket& bucket, std::span<const double> shares) const {
    const double bytes = bucket.size * width();
    const double together = machine_.at("paradis.together", {threads_, key_, value_, bytes});
    const double cached = std::min(1.0, threads_ * machine_.cache("L2") / bytes);
    const double moved = counted_by_others(shares) / (1 - 1 / threads_);
    return moved * cached * std::max(0.0, together - permuting_alone(bytes / threads_, 8));
  }

  void split(const Bucket& bucket) {
    if (bucket.is_shared() && levels_.size() == static_cast<std::size_t>(bucket.level)) {
      levels_.emplace_back(bucket.level);
    }
    const auto number = static_cast<std::size_t>(std::max(bucket.level, 0));
    PhasePrediction& counting = bucket.is_shared() ? levels_[number].histogram : recurse_;
    PhasePrediction& permuting = bucket.is_shared() ? levels_[number].permute : recurse_;
    const double elements = bucket.number * bucket.size;
    int rest = bucket.rest;
    for (bool constant = true; constant;) {
      const int bits = std::min(rest, digit_bits_);
      const double equal = bucket.top() ? view_.repeated_digits(rest - bits, bits) : chance(bucket.keys, rest, bits);
      const double collision = std::clamp(-std::log2(std::max(equal, 1e-9)), 0.0, double(bits));
      const double count = machine_.at("paradis.count", {threads_, key_, std::min(collision, 8.0), bucket.from});
      add(counting, elements * count, "counters", elements);
      add(counting, bucket.number * 4 * std::exp2(bits) * machine_.at("prefix"), "digits",
          bucket.number * std::exp2(bits));
      constant =
          bucket.keys.size() > 1 && digit(bucket.keys.front(), rest, bits) == digit(bucket.keys.back(), rest, bits);
      if (!constant) {
        const bool by_all = bucket.is_shared() && threads_ > 1;
        const double bytes = bucket.size * width() / (by_all ? threads_ : 1);
        const std::vector<double> shares = by_all ? digit_shares(bucket, rest, bits) : std::vector<double>{};
        const double each = permuting_alone(bytes, collision) + (by_all ? fetching(bucket, shares) : 0);
        add(permuting, elements * each, "moves", elements);
        if (by_all) repair(bucket, shares, levels_[number].repair);
        return split_into(bucket, rest, bits, bytes);
      }
      if (!skips_) {  // each element is read where it belongs
        const double bytes = bucket.size * width() / (bucket.is_shared() ? threads_ : 1);
        add(permuting, elements * permuting_alone(bytes, 0), "moves", elements);
        rest -= bits;
        if (rest == 0) return;
        continue;
      }
      // All digits are one: the next begins at the highest bit in which keys differ.
      add(counting, elements * key_ * threads_ / machine_.at("read", {threads_, bucket.from}), "compared", elements);
      rest = bit_width(bucket.keys.front() ^ bucket.keys.back());
      if (rest == 0) return;
    }
  }

  /// The highest `bits` of the `rest` lowest.
  static uint128 digit(uint128 key, int rest, int bits) { return key >> (rest - bits) & ((uint128{1} << bits) - 1); }

  /// The keys of each digit, of ones in order.
  static void for_each_digit(std::span<const uint128> keys, int rest, int bits, const auto& visit) {
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      while (end < keys.size() && digit(keys[end], rest, bits) == digit(keys[begin], rest, bits)) ++end;
      visit(keys.subspan(begin, end - begin));
    }
  }

  /// The probability that two keys share a digit, estimated from the sample; with a single key, as if all digits were
  /// equally likely.
  static double chance(std::span<const uint128> keys, int rest, int bits) {
    if (keys.size() < 2) return std::exp2(-bits);
    double pairs = 0;
    for_each_digit(keys, rest, bits, [&](std::span<const uint128> alike) {
      pairs += static_cast<double>(alike.size()) * static_cast<double>(alike.size() - 1);
    });
    const auto all = static_cast<double>(keys.size());
    return pairs / (all * (all - 1));
  }

  void split_into(const Bucket& bucket, int rest, int bits, double bytes) {
    const int below = rest - bits;
    if (below == 0) return;
    const std::span<const uint128> keys = bucket.keys;
    const double scale = bucket.size / static_cast<double>(keys.size());
    Keys pooled;
    double pairs = 0;
    for_each_digit(keys, rest, bits, [&](std::span<const uint128> alike) {
      const auto count = static_cast<double>(alike.size());
      if (scale <= 1 || alike.size() >= kTelling) {
        const double size = count * scale;
        const bool is_large = size > n_ / threads_ && size >= static_cast<double>(paradis::kMinShared);
        const int level = bucket.is_shared() && is_large ? bucket.level + 1 : kOfOneThread;
        sort({alike, size, bucket.number, below, bytes, level});
        return;
      }
      pairs += count * (count - 1);
      for (const uint128 key : alike) pooled.push_back(key & ((uint128{1} << below) - 1));
    });
    if (pooled.empty()) return;
    std::ranges::sort(pooled);
    const auto all = static_cast<double>(pooled.size());
    const double equal = pooled.size() < 2 ? std::exp2(-bits) : std::max(pairs / (all * (all - 1)), std::exp2(-bits));
    // Sizes spread as Poisson's law has it, by their square root: half of the elements on either side.
    const double expected = all * scale * equal;
    const double elements = bucket.number * all * scale;
    for (const double side : {-1.0, 1.0}) {
      const double size = std::max(1.0, 1 + expected + side * std::sqrt(expected));
      sort({pooled, size, elements / 2 / size, below, bytes});
    }
  }

  /// Elements for which a thread's stripes had no room are gathered and permuted again, until they are few enough for
  /// one thread. In random order, each stripe overflows by 0.4 of the square root of its length. These elements lie in
  /// the caches of other threads.
  void repair(const Bucket& bucket, std::span<const double> shares, PhasePrediction& prediction) const {
    constexpr auto few = static_cast<double>(paradis::kMaxPlacedAlone);
    const double digits = std::exp2(digit_bits_);
    double roots = 0;
    for (const double share : shares) roots += std::sqrt(share);
    const double transfer = machine_.at("transfer");
    const double each = permuting_alone(0, std::min(digit_bits_, 8)) + transfer / static_cast<double>(paradis::kCycles);
    for (double left = bucket.size, before = 2 * left; left > few && left < before;) {
      before = left;
      left = std::min(left, 0.4 * std::sqrt(left * threads_) * roots);
      const double swaps = digits / threads_ * (threads_ - 1);  // swaps of a thread, whose lines another thread shares
      prediction.seconds +=
          2 * swaps * transfer + left * each / (left > few ? threads_ : 1) + 4 * machine_.at("barrier", {threads_});
      prediction.work["misplaced"] += left;
    }
  }

  const DistributionView& view_;
  const Pieces& machine_;
  double n_, threads_, key_, value_;
  int bits_, digit_bits_;
  double small_, insertion_;
  bool skips_;
  std::deque<Level> levels_;  // a deque: elements keep their addresses
  PhasePrediction recurse_{.name = "recurse", .pass = 0, .seconds = 0, .binding = "issue"};
};

/// The cost of the sort's pieces, from its compiled loops and the machine.
class Derivation {
 public:
  Derivation(const Core& core, std::span<const double> arguments, double value)
      : core_(core),
        a_(arguments),
        threads_(a_[0]),
        key_(a_[1]),
        value_(value),
        image_(key_image(core.workload().key)) {}

  double count() const {  // threads, key, collision_bits, bytes; every other key has counters of its own
    const double issue = std::max({core_.loop("paradis.count", key_, image_), core_.stores(1), core_.chain(a_[2]) / 2});
    return core_.overlapped(issue, core_.beyond("read_ahead", threads_, key_, a_[3]), threads_, false);
  }

  double permute() const {  // threads, key, value, bytes, collision_bits
    return permute(a_[3], a_[4]);
  }

  /// Lines that another thread has counted come from its cache; those of all cycles at once.
  double together() const {  // threads, key, value, bytes
    const double lines = (key_ + value_) / kLine * (threads_ - 1) / threads_;
    return permute(a_[3] / threads_, 8) +
           lines * core_.machine().at("transfer") / static_cast<double>(paradis::kCycles);
  }

  /// Two passes, and insertion that finds nearly nothing to do.
  double small() const {  // threads, key, value, rest, elements
    const double rest = a_[3];
    const double n = a_[4];
    const int bits = std::min(kMaxPassBits, static_cast<int>(std::log2(n)) + 1);
    const double passed = std::min(rest, 2.0 * bits);
    const double second = std::min<double>(bits, rest);
    const double first = passed - second;
    const double counting = std::max(
        {core_.loop("paradis.small_count", key_, image_), core_.stores(2), core_.chain(std::min(first, second))});
    const auto scattering = [&](double by) {
      return std::max(
          {core_.loop("paradis.small_scatter", key_, value_, image_), core_.stores(arrays() + 1), core_.chain(by)});
    };
    const double digits = std::exp2(first) + std::exp2(second);
    // The ends of five loops, over elements and over digits.
    const double bucket = digits * core_.loop("paradis.small_prefix", 0) + 5 * core_.miss();
    double seconds = counting + scattering(first) + scattering(second) + bucket / n;
    if (rest > passed) {
      // Half of the neighbours equal in all bits sorted so far are in the wrong order: one move, mispredicted both
      // where it begins and where it ends.
      const double moves = (n - 1) / 2 * std::exp2(-passed) / 2;
      seconds += core_.loop("paradis.in_place", key_, value_, image_) + moves * (shift() + 2 * core_.miss()) +
                 core_.miss() / n;
    }
    return seconds;
  }

  /// An element belongs at each position among its predecessors with equal probability, so its position is predicted
  /// once in as many times.
  double insertion() const {  // threads, key, value, elements
    const double n = a_[3];
    double unforeseen = 1;  // one misprediction at the bucket's end
    for (double before = 1; before < n; ++before) unforeseen += before / (before + 1);
    return core_.loop("paradis.in_place", key_, value_, image_) + (n - 1) / 4 * shift() + unforeseen / n * core_.miss();
  }

 private:
  static constexpr double kLine = 64;

  static double key_image(KeyType key) {
    if (is_float(key)) return 2;
    return key == KeyType::i32 || key == KeyType::i64 ? 1 : 0;
  }

  double arrays() const { return value_ > 0 ? 2 : 1; }
  double shift() const { return core_.loop("paradis.shift", key_, value_, image_); }

  double permute(double bytes, double collision) const {
    const double radix = std::exp2(static_cast<double>(core_.workload().parameters.integer("digit_bits")));
    // The head of the element's stripe, and the element that lies there: two loads, of each cycle in turn.
    const double loads = 2 * core_.machine().at("latency", {kNearest}) / static_cast<double>(paradis::kCycles);
    const double issue = std::max({core_.loop("paradis.permute", key_, value_, image_), core_.stores(arrays() + 1),
                                   core_.chain(collision), loads});
    // A cycle ends at a full stripe, as often as a random permutation has cycles; kCycles are followed at once.
    const double cycles = static_cast<double>(paradis::kCycles) * (std::log(radix) + kEuler);
    const double n = std::max(1.0, bytes / (key_ + value_));
    const double lines = (key_ + value_) / kLine * core_.far_line(threads_, bytes);
    return core_.overlapped(issue, lines, threads_, false) + std::min(1.0, cycles / n) * core_.miss();
  }

  static constexpr double kNearest = 1 << 14;  // bytes that any first-level cache holds
  static constexpr double kEuler = 0.5772;     // constant of the harmonic numbers

  const Core& core_;
  std::span<const double> a_;
  double threads_, key_, value_;
  double image_;  ///< kind of keys, the mark's argument
};

std::optional<double> derived(const Core& core, std::string_view table, std::span<const double> arguments) {
  if (table == "overlap.read") return core.machine().at("overlap.core", {arguments[0], 0});
  if (!table.starts_with("paradis.")) return std::nullopt;
  const std::string_view name = table.substr(std::string_view{"paradis."}.size());
  const Core small = core.by_pieces();  // small buckets are taken one by one
  const Derivation piece{name == "small" || name == "insertion" ? small : core, arguments,
                         name == "count" ? 0 : arguments[2]};
  if (name == "count") return piece.count();
  if (name == "permute") return piece.permute();
  if (name == "together") return piece.together();
  if (name == "small") return piece.small();
  if (name == "insertion") return piece.insertion();
  return std::nullopt;
}

const RegisterCpuModels<Paradis> registered{"paradis", "radix sort in place, bucket by bucket",
                                            "this project, after Cho et al. 2015", "digits from the top, in place",
                                            derived};

}  // namespace
}  // namespace sortlab
