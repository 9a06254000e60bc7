// Times of msd_radix_gpu's kernels, as their probes measured them; in proportion between and beyond the probes' points.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/msd_radix_gpu/model/kernels.hpp"
#include "models/kernels/table_points.hpp"

namespace sortlab {
namespace {

using namespace msd_gpu;
using msd_tree::Buckets;
using msd_tree::Digits;
using msd_tree::Keys;
using msd_tree::Kinds;
using msd_tree::Level;
using msd_tree::Tree;

// Arguments of the probes (algorithms/msd_radix_gpu/probes.hpp).
constexpr double kUniform = 1.0 / 256;
constexpr double kInOrder = 2;
constexpr double kOfSeveral = 3;  ///< digits of that many keys, and of half as many:
constexpr double kOfHalfOfThem = 4;
constexpr double kSeveral = 24;
constexpr double kSkipped = 0.55;  ///< a digit so frequent that the top levels are left to splitters
constexpr double kSeveralKeys = 4;
constexpr double kInOrderKeys = 5;
constexpr double kSplit = 3;  ///< keys that lie unevenly in their range, but evenly in a small part of it

constexpr double kLanes = 32;  ///< lanes of a warp

double key_kind_argument(Keys keys) {
  return static_cast<double>(keys);
}

/// The tables of the sort's kernels, for one type of keys and values.
class MeasuredKernels final : public MsdKernels {
 public:
  MeasuredKernels(const MachineProfile& device, ElementBytes bytes, double n, const Plan& plan)
      : device_(device), bytes_(bytes), n_(n), plan_(plan) {}

  // Sorts that are one kernel

  double few(const Kinds& kinds) const override {
    const double c = one_block_class(static_cast<std::uint64_t>(n_), key_bytes(), value_bytes());
    const auto even = points("msd.few", {bytes_.key, bytes_.value, c, key_kind_argument(Keys::even)});
    return along("msd.few", {c, key_kind_argument(Keys::even)}) * mixed("msd.few", c, even.back(), kinds);
  }
  double one_level(const Tree& tree, double in_order) const override {
    const auto blocks = static_cast<std::uint64_t>(device_.cores);
    const double items = one_level_items_for(static_cast<std::uint64_t>(n_), blocks, key_bytes(), value_bytes());
    const auto of = [&](double keys) { return along("msd.one_level", {items, keys}); };
    const double of_even = of(key_kind_argument(Keys::even)), of_equal = of(key_kind_argument(Keys::equal));
    if (tree.copied_classes == 0 && in_order > 0.5) return of(kInOrderKeys);
    const double of_several = of(kSeveralKeys);
    if (tree.kinds.even + tree.kinds.uneven == 0) return tree.copied_classes > 1 ? of_several : of_equal;
    // Splitters, and a copy of the classes of a tile, a warp each. All blocks sort at the same time: the slowest
    // counts, and keys that were measured between splitters have windows that lie unevenly.
    if (tree.is_split) return tree.kinds.uneven > 0 ? of(kSplit) : of_even + std::max(0.0, of_several - of_equal);
    double seconds = of_even;
    if (tree.kinds.uneven > 0) {
      const double windows = one_level_windows(static_cast<std::uint32_t>(n_), static_cast<std::uint32_t>(blocks),
                                               static_cast<std::uint32_t>(items) * kMaxThreads);
      seconds += std::max(1.0, windows / static_cast<double>(blocks)) * beyond_even(n_ / windows);
    }
    return seconds;
  }
  // All keys

  double count(const Tree& tree, double in_order) const override {
    if (tree.skips_top) return skipped();
    return of_uniform("msd.count") * skew("msd.count", tree.top, in_order);
  }
  double first(const Tree& tree, double in_order) const override {
    if (tree.first_moved <= 0) return launch();
    return of_uniform("msd.first") * skew("msd.first", tree.first, in_order);
  }
  double second(const Tree& tree, double in_order) const override {
    const double seconds = of_uniform("msd.second") * skew("msd.second", tree.second, in_order);
    return std::max(launch(), seconds * tree.second_moved / n_);
  }

  // Levels

  /// A level that is made by a kernel a step.
  double stepped(const Level* level, double in_order) const override {
    const double idle = of_level(true, false, 0, 0);
    return level == nullptr || level->segments + level->copied <= 0 ? idle
                                                                    : idle + beyond_idle(true, *level, idle, in_order);
  }
  /// Levels from one on, in one kernel.
  double together(std::span<const Level> levels, double in_order) const override {
    const double idle = of_level(false, false, 0, 0);
    double seconds = idle;
    for (const Level& level : levels) seconds += beyond_idle(false, level, idle, in_order);
    return seconds;
  }

  // Buckets

  double buckets(const Tree& tree) const override {
    double seconds = device_.at("msd.buckets_idle", {bytes_.key, bytes_.value, plan_.counts_buckets ? 1.0 : 0.0});
    for (const Buckets& list : tree.buckets) {
      if (list.list == kCounted) {
        seconds += of_kinds(list, [&](Keys keys, double buckets, double each) { return counted(keys, buckets, each); });
      } else {
        seconds += of_kinds(
            list, [&](Keys keys, double buckets, double each) { return sorted(list.list, keys, buckets, each); });
      }
    }
    if (tree.tables.tables > 0) {
      for (const auto& [keys, share] : shares(tree.tables.kinds)) {
        if (share > 0.01) seconds += tables(keys, share * tree.tables.tables, share * tree.tables.keys);
      }
    }
    return seconds;
  }

 private:
  /// Additional time of a block for uneven keys.
  double beyond_even(double elements) const {
    double least = 0, of_least = 0;
    for (int c = 0; c < kClasses; ++c) {
      const double most =
          points("msd.few", {bytes_.key, bytes_.value, static_cast<double>(c), key_kind_argument(Keys::uneven)}).back();
      const auto of = [&](Keys keys) { return at("msd.few", {static_cast<double>(c), key_kind_argument(keys)}, most); };
      const double of_most = of(Keys::uneven) - of(Keys::even);
      if (elements <= most || c + 1 == kClasses)
        return of_least + (of_most - of_least) * (elements - least) / (most - least);
      least = most;
      of_least = of_most;
    }
    return of_least;
  }

  std::uint32_t key_bytes() const { return static_cast<std::uint32_t>(bytes_.key); }
  std::uint32_t value_bytes() const { return static_cast<std::uint32_t>(bytes_.value); }
  double launch() const { return device_.at("launch"); }

  /// The points of a table's argument after `before`, in order.
  std::vector<double> points(const char* table, const std::vector<double>& before) const {
    std::vector<double> all = argument_points(device_, table, before);
    if (all.empty()) throw MissingQuantity(std::string{table} + " has no point of this type");
    return all;
  }
  double at(const char* table, const std::vector<double>& kernel, double last) const {
    std::vector<double> arguments{bytes_.key, bytes_.value};
    arguments.insert(arguments.end(), kernel.begin(), kernel.end());
    arguments.push_back(last);
    return device_.at(table, arguments);
  }
  using Line = std::vector<std::pair<double, double>>;  ///< elements, seconds

  /// Seconds for all elements: interpolated between points, and extrapolated from the nearest two.
  double along(const Line& line) const {
    if (line.size() < 2) return line.at(0).second;
    std::size_t i = 1;
    while (i + 1 < line.size() && line[i].first <= n_) ++i;
    const auto& [low, of_low] = line[i - 1];
    const auto& [high, of_high] = line[i];
    const double each = (of_high - of_low) / (high - low);
    if (n_ >= low && n_ <= high) return of_low + each * (n_ - low);
    const auto& [from, of_from] = n_ < low ? line[i - 1] : line[i];
    return std::max(launch(), of_from + std::max(0.0, each) * (n_ - from));
  }
  Line fit_line(const char* table, const std::vector<double>& kernel) const {
    std::vector<double> before{bytes_.key, bytes_.value};
    before.insert(before.end(), kernel.begin(), kernel.end());
    Line line;
    for (const double elements : points(table, before)) line.emplace_back(elements, at(table, kernel, elements));
    return line;
  }
  double along(const char* table, const std::vector<double>& kernel) const { return along(fit_line(table, kernel)); }
  /// A kernel of the top levels, for uniform keys: through what was measured of the regime, where it is the usual one,
  /// and, in a table of their own, where it is not.
  double of_uniform(const char* table) const {
    const auto is_usual = [&](const auto& point) {
      return usual_regime(static_cast<std::uint64_t>(point.first), key_bytes(), value_bytes()) == plan_.regime;
    };
    const Line all = fit_line(table, {kUniform});
    Line line;
    std::ranges::copy_if(all, std::back_inserter(line), is_usual);
    if (device_.has("msd.forced")) {
      const std::string_view name{table};
      const double kernel = name == "msd.count" ? 0 : name == "msd.first" ? 1 : 2;
      const Line forced = fit_line("msd.forced", {kernel, static_cast<double>(plan_.regime)});
      line.insert(line.end(), forced.begin(), forced.end());
      std::ranges::sort(line);
    }
    return along(line.size() < 2 ? all : line);
  }
  /// Seconds of a histogram kernel that counts nothing, because the sample already shows keys for splitters. Where the
  /// probe's number of keys would be counted in any case, the time is that of 64-bit keys.
  double skipped() const {
    const double skewed = skewed_elements();
    if (!counts_buckets(static_cast<std::uint64_t>(skewed), key_bytes(), value_bytes())) {
      return at("msd.count", {kSkipped}, skewed);
    }
    return device_.at("msd.count", {8, 0, kSkipped, points("msd.count", {8, 0, kInOrder}).front()});
  }
  /// Smallest number of elements for which the kernels were measured with skewed digits.
  double skewed_elements() const { return points("msd.count", {bytes_.key, bytes_.value, kInOrder}).front(); }
  double skew(const char* table, const Digits& digits, double in_order) const {
    const auto sizes = points(table, {bytes_.key, bytes_.value, kInOrder});
    const double elements = std::clamp(n_, sizes.front(), sizes.back()), uniform = at(table, {kUniform}, elements);
    if (in_order > 0.5) return at(table, {kInOrder}, elements) / uniform;
    const bool is_flat = digits.most < 2 * digits.equal && digits.most * kLanes < kHotLanes;
    if (is_flat && std::string_view{table} != "msd.second") {
      // So many digits, each as frequent as another.
      const double several = at(table, {kOfSeveral}, elements) / uniform;
      const double half = at(table, {kOfHalfOfThem}, elements) / uniform;
      const double of_several = 1 / kSeveral, of_half = 2 / kSeveral;
      if (digits.equal < of_several) return 1 + (several - 1) * (digits.equal - kUniform) / (of_several - kUniform);
      return several + (half - several) * std::min(1.0, (digits.equal - of_several) / (of_half - of_several));
    }
    const bool counts = counts_buckets(static_cast<std::uint64_t>(elements), key_bytes(), value_bytes());
    constexpr double most_without = 0.13;  // as measured where more are left to splitters
    return at(table, {std::clamp(digits.hottest, kUniform, counts ? 1.0 : most_without)}, elements) / uniform;
  }

  static std::array<std::pair<Keys, double>, 3> shares(const Kinds& kinds) {
    return {{{Keys::even, kinds.even}, {Keys::uneven, kinds.uneven}, {Keys::equal, kinds.equal}}};
  }
  /// Time of keys of these kinds relative to even ones, as measured for `elements`.
  double mixed(const char* table, double kernel, double elements, const Kinds& kinds) const {
    double ratio = 0;
    for (const auto& [keys, share] : shares(kinds)) {
      if (share > 0) ratio += share * at(table, {kernel, key_kind_argument(keys)}, elements);
    }
    return ratio / at(table, {kernel, key_kind_argument(Keys::even)}, elements);
  }

  double of_level(bool by_steps, bool split, double segments, double elements) const {
    return device_.at("msd.level",
                      {bytes_.key, bytes_.value, by_steps ? 1.0 : 0.0, split ? 1.0 : 0.0, segments, elements});
  }
  /// Times of a kind of level by its number of keys: measured with one segment, and with many that are hardly larger
  /// than a bucket.
  struct LevelTimes {
    using Points = std::vector<std::pair<double, double>>;  ///< keys, seconds
    Points one, many;
    double fixed = 0;
    double key = 0;  ///< seconds per key beyond the points

    /// Seconds of a level with `segments` segments, which hold `keys` keys in all.
    double seconds(double segments, double keys, double bucket) const {
      constexpr double large = 8;  // times as large as a bucket
      const Points& points = keys > large * segments * bucket ? one : many;
      const double most = points.back().first;
      if (keys >= most) return points.back().second + key * (keys - most);
      for (std::size_t i = 1; i < points.size(); ++i) {
        const auto& [before, of_before] = points[i - 1];
        const auto& [after, of_after] = points[i];
        if (keys < after) {
          return of_before + (of_after - of_before) * std::max(0.0, keys - before) / (after - before);
        }
      }
      return points.back().second;
    }
  };
  LevelTimes level_times(bool by_steps, bool split) const {
    const std::vector<double> before{bytes_.key, bytes_.value, by_steps ? 1.0 : 0.0, split ? 1.0 : 0.0};
    LevelTimes times;
    for (const double segments : points("msd.level", before)) {
      if (segments < 1) continue;
      std::vector<double> of = before;
      of.push_back(segments);
      for (const double keys : points("msd.level", of)) {
        const double seconds = of_level(by_steps, split, segments, keys);
        if (segments == 1) times.one.emplace_back(keys, seconds);
        if (segments > 1 || times.many.empty()) times.many.emplace_back(keys, seconds);
      }
    }
    times.fixed = times.one.front().second;
    const auto& [keys, seconds] = times.many.back();
    const auto& [keys_before, seconds_before] = times.many[times.many.size() - 2];
    times.key = std::max(0.0, (seconds - seconds_before) / (keys - keys_before));
    return times;
  }
  double beyond_idle(bool by_steps, const Level& level, double idle, double in_order) const {
    double seconds = 0, least = std::numeric_limits<double>::infinity();
    const double moves = level.keys > 0 ? level.moved / level.keys : 0;
    int kinds = 0;
    for (const bool split : {false, true}) {
      const double segments = split ? level.split_segments : level.segments - level.split_segments;
      const double keys = split ? level.split_keys : level.keys - level.split_keys;
      if (segments <= 0) continue;
      const LevelTimes times = level_times(by_steps, split);
      const double fixed = times.fixed - idle, bucket = bucket_elements(key_bytes(), value_bytes());
      double moved = moves > 0 ? times.seconds(segments, moves * keys, bucket) - times.fixed : 0;
      if (in_order > 0.5) moved *= skew("msd.first", {}, in_order);
      seconds += fixed + moved;
      least = std::min(least, fixed);
      ++kinds;
    }
    if (kinds > 1) seconds -= least;
    // Keys that are counted alone, filled in, or copied, at the rates of memory.
    const double working_set = 2 * n_ * bytes_.both();
    const double still = std::max(0.0, level.keys - level.moved - level.filled);
    seconds += still * bytes_.key / device_.at("read", {bytes_.key, working_set});
    const double copied = level.filled * bytes_.key + level.copied * bytes_.both();
    return seconds + 2 * copied / device_.at("copy", {bytes_.key, working_set});
  }

  template <class Of>
  double of_kinds(const Buckets& list, const Of& of) const {
    double seconds = 0;
    for (const auto& [keys, share] : shares(list.kinds)) {
      if (share > 0) seconds += share * of(keys, list.buckets, list.keys / list.buckets);
    }
    return seconds;
  }

  /// The first bucket on each multiprocessor takes the time of one alone; each further one adds its time at full
  /// occupancy.
  double from_few_to_many(double few, double many, double measured, double buckets) const {
    const double cores = device_.cores;
    const double each = (many - few) / (measured - cores);
    const double alone = std::max(0.0, few - launch());
    const double any = 1 - std::exp(-buckets);
    return any * alone * std::min(1.0, 0.5 + 0.5 * buckets / cores) +
           std::max(0.0, buckets - cores) * std::max(0.0, each);
  }
  double sorted(int size_class, Keys keys, double buckets, double each) const {
    const double c = size_class;
    const std::vector<double> kernel{bytes_.key, bytes_.value, c, key_kind_argument(keys)};
    const std::vector<double> sizes = points("msd.bucket", kernel);
    const double largest = sizes.back();
    const auto most = [&](double elements) {
      std::vector<double> of = kernel;
      of.push_back(elements);
      return points("msd.bucket", of);
    };
    const auto seconds = [&](double elements, double of) {
      return at("msd.bucket", {c, key_kind_argument(keys), elements}, of);
    };
    const double many = most(largest).back();
    const Keys told = keys == Keys::equal ? Keys::even : keys;
    const double few = at("msd.bucket", {c, key_kind_argument(told), largest}, device_.cores);
    double full = from_few_to_many(few, seconds(largest, many), many, buckets);
    // Smaller buckets take less, as many of them show.
    double share = each / largest;
    if (sizes.size() > 1) {
      const double small = sizes.front(), of_small = most(small).back();
      const double of_largest = seconds(largest, many) / many;
      const double at_small = seconds(small, of_small) / of_small / of_largest;
      share = at_small + (1 - at_small) * (each - small) / (largest - small);
    }
    return full * std::clamp(share, 0.1, 1.2) * cached(buckets * each);
  }
  /// Factor on the time of sorting buckets that the second-level cache holds.
  double cached(double elements) const {
    const std::vector<double> kernel{bytes_.key, bytes_.value, 1, key_kind_argument(Keys::even)};
    const double largest = points("msd.bucket", kernel).back();
    std::vector<double> of = kernel;
    of.push_back(largest);
    const std::vector<double> counts = points("msd.bucket", of);  // one a multiprocessor, some, many
    if (counts.size() < 3) return 1;
    const double some = counts[1], many = counts[2];
    const auto rate = [&](double buckets) {
      return (at("msd.bucket", {1, key_kind_argument(Keys::even), largest}, buckets) - launch()) / buckets;
    };
    const double share = std::clamp(std::log(elements / (some * largest)) / std::log(many / some), 0.0, 1.0);
    return std::min(1.0, rate(some) / rate(many)) * (1 - share) + share;
  }
  double counted(Keys keys, double buckets, double each) const {
    const Keys told = keys == Keys::equal ? Keys::uneven : keys;
    const std::vector<double> sizes = points("msd.counted", {key_kind_argument(Keys::even)});
    const double elements = std::clamp(each, sizes.front(), sizes.back());
    const auto of_size = [&](double size) {
      const double few =
          device_.at("msd.counted", {key_kind_argument(Keys::even), size, static_cast<double>(device_.cores)});
      const double many = points("msd.counted", {key_kind_argument(told), size}).back();
      return from_few_to_many(few, device_.at("msd.counted", {key_kind_argument(told), size, many}), many, buckets);
    };
    const auto above = std::ranges::lower_bound(sizes, elements);
    if (above == sizes.begin()) return of_size(sizes.front());
    const double low = *(above - 1), high = *above;
    return of_size(low) + (of_size(high) - of_size(low)) * (elements - low) / (high - low);
  }
  /// As linear in the keys and the tables.
  double tables(Keys keys, double tables, double elements) const {
    const double most = points("msd.tables", {key_kind_argument(keys), 1}).back();
    const double large = device_.at("msd.tables", {key_kind_argument(keys), 1, most});
    const double even = key_kind_argument(Keys::even);
    const double small_elements = points("msd.tables", {even, 1}).front();
    const double small = device_.at("msd.tables", {even, 1, small_elements});
    const auto counts = points("msd.tables", {even});
    const double of_many = points("msd.tables", {even, counts.back()}).back();
    const double of_one = small + (device_.at("msd.tables", {even, 1, most}) - small) * of_many / most;
    const double each =
        std::max(0.0, device_.at("msd.tables", {even, counts.back(), of_many}) - of_one) / counts.back();
    const double key = (large - small) / (most - small_elements);
    return std::max(0.0, small - launch()) + key * elements + each * std::max(0.0, tables - 1);
  }

  const MachineProfile& device_;
  ElementBytes bytes_;
  double n_;
  Plan plan_;
};

}  // namespace

std::unique_ptr<MsdKernels> measured_msd_kernels(const MachineProfile& device, ElementBytes bytes, double n,
                                                 const Plan& plan) {
  return std::make_unique<MeasuredKernels>(device, bytes, n, plan);
}

}  // namespace sortlab
