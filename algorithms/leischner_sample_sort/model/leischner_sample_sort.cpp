// Sample sort on a device (family E): bucket sizes follow from the number of elements between a sample's quantiles, the
// handling of equal keys from their frequencies; each kernel takes the time its probe measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "algorithms/leischner_sample_sort/model/kernels.hpp"
#include "algorithms/leischner_sample_sort/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/other_widths.hpp"

namespace sortlab {
namespace {

using namespace sample_sort;

using Sized = SizedBuckets;

/// A level of the sort: what it splits, and the result.
struct SplitLevel {
  std::vector<Sized> segments;
  double equal = 0;  ///< elements in buckets of equal keys
};
struct Levels {
  std::vector<SplitLevel> levels;
  std::vector<Sized> sorted;  ///< buckets that blocks sort
};

/// Quantile `p` of the standard normal distribution.
double normal_quantile(double p) {
  double low = -8, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2)) / 2 < p ? low : high) = middle;
  }
  return low;
}

/// Bucket sizes relative to their mean, at equal quantile steps. A bucket spans `a` spacings of the sample, so its size
/// is Gamma(a) distributed: the limit of Beta for many buckets. Quantiles by Wilson and Hilferty.
std::vector<double> bucket_spread(double a) {
  constexpr int shares = 128;
  std::vector<double> spread;
  for (int i = 0; i < shares; ++i) {
    const double z = normal_quantile((i + 0.5) / shares);
    spread.push_back(std::pow(std::max(0.0, 1 - 1 / (9 * a) + z / (3 * std::sqrt(a))), 3));
  }
  return spread;
}

/// Joins sizes that differ by less than a twelfth of an octave.
std::vector<Sized> joined(const std::vector<Sized>& all) {
  std::map<std::pair<int, double>, Sized> bins;
  for (const Sized& one : all) {
    if (one.buckets <= 0 || one.elements <= 0) continue;
    Sized& bin = bins[{static_cast<int>(std::floor(12 * std::log2(one.elements))), one.rounds}];
    bin.rounds = one.rounds;
    bin.elements = (bin.elements * bin.buckets + one.elements * one.buckets) / (bin.buckets + one.buckets);
    bin.buckets += one.buckets;
  }
  std::vector<Sized> sizes;
  for (const auto& [bin, sized] : bins) sizes.push_back(sized);
  return sizes;
}

/// Shares of the repeated keys of a view.
std::vector<double> frequent_keys(const DistributionView& view) {
  const std::vector<uint128>& sorted = view.spread();
  std::vector<double> shares;
  for (std::size_t i = 0, next = 0; i < sorted.size(); i = next) {
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    if (next - i > 1) shares.push_back(static_cast<double>(next - i) / static_cast<double>(sorted.size()));
  }
  return shares;
}

/// Rounds of quicksort that separate the repeated keys of each bucket: one that finds them, and one for each bit of
/// their entropy. 0 if most keys are not repeated.
double quicksort_rounds(const std::vector<double>& frequent, double left, double buckets) {
  const double sum = std::accumulate(frequent.begin(), frequent.end(), 0.0);
  if (sum < left / 2) return 0;
  double entropy = 0;
  for (const double share : frequent) entropy -= share / sum * std::log2(share / sum);
  return 1 + std::max(0.0, entropy - std::log2(std::max(1.0, buckets)));
}

Levels find_levels(const Settings& settings, double n, const DistributionView& view) {
  Levels all;
  const auto most = static_cast<double>(settings.bucket);
  std::vector<double> frequent = frequent_keys(view);
  if (n <= most) {
    all.sorted = {{.buckets = 1, .elements = n, .rounds = quicksort_rounds(frequent, 1, 1)}};
    return all;
  }
  const std::vector<double> spread = bucket_spread(settings.oversampling);
  std::vector<Sized> segments{{1, n}};
  constexpr double few = 0.01;  // number of buckets below which a size does not count
  while (!segments.empty()) {
    SplitLevel level{.segments = segments};
    const double elements = std::accumulate(segments.begin(), segments.end(), 0.0,
                                            [](double sum, const Sized& s) { return sum + s.buckets * s.elements; });
    double buckets = 0;  // if these were the whole input
    for (const Sized& segment : segments) {
      const double ways =
          std::ldexp(1, static_cast<int>(log_ways(settings, static_cast<std::uint64_t>(segment.elements))));
      buckets += segment.buckets * segment.elements / elements * ways * n / segment.elements;
    }
    // A key that two splitters are expected to hit has a bucket of its own.
    std::erase_if(frequent, [&](double share) {
      if (share * buckets < 1.5) return false;
      level.equal += share * n;
      return true;
    });
    level.equal = std::min(level.equal, elements);
    const double left = 1 - level.equal / elements;
    const double rounds = quicksort_rounds(frequent, left * elements / n, left * buckets);
    std::vector<Sized> next, sorted = all.sorted;
    for (const Sized& segment : segments) {
      const double ways =
          std::ldexp(1, static_cast<int>(log_ways(settings, static_cast<std::uint64_t>(segment.elements))));
      for (const double size : spread) {
        const Sized bucket{.buckets = segment.buckets * ways * left / static_cast<double>(spread.size()),
                           .elements = size * segment.elements / ways,
                           .rounds = rounds};
        (bucket.elements > most ? next : sorted).push_back(bucket);
      }
    }
    all.sorted = joined(sorted);
    all.levels.push_back(std::move(level));
    segments = joined(next);
    std::erase_if(segments, [](const Sized& segment) { return segment.buckets < few; });
  }
  return all;
}

/// Warps of the input whose keys all go to one bucket.
double in_one_bucket(const DistributionView& view, double buckets) {
  const std::span<const uint128> trace = view.trace();
  const std::vector<uint128>& sorted = view.spread();
  const std::size_t warps = trace.size() / kWarp;
  if (warps == 0) return 0;
  const auto find_bucket = [&](uint128 key) {
    const auto rank = static_cast<double>(std::ranges::lower_bound(sorted, key) - sorted.begin());
    return std::floor(rank / static_cast<double>(sorted.size()) * buckets);
  };
  std::size_t one = 0;
  for (std::size_t warp = 0; warp < warps; ++warp) {
    const auto keys = trace.subspan(warp * kWarp, kWarp);
    const double first = find_bucket(keys.front());
    one += std::ranges::all_of(keys, [&](uint128 key) { return find_bucket(key) == first; }) ? 1 : 0;
  }
  return static_cast<double>(one) / static_cast<double>(warps);
}

/// The tables of the sort's kernels, of the preset whose kernels a setting has.
class MeasuredKernels final : public SampleSortKernels {
 public:
  MeasuredKernels(const MachineProfile& device, const Settings& settings, ElementBytes bytes)
      : device_(device),
        settings_(settings),
        bytes_(bytes),
        paper_(settings.bucket_sort == BucketSort::quicksort ? 1 : 0),
        per_element_(per_element()) {}

  double begin() const override { return device_.at("sample_sort.begin"); }
  double sample(double segments, double log) const override {
    return along("sample_sort.sample", {paper_, bytes_.key, log}, segments);
  }
  double find(double elements, double log, double ordered, double segments) const override {
    return elements * an_element("sample_sort.find", {paper_, bytes_.key}, elements, log, ordered, segments);
  }
  double scan(double counters) const override { return device_.at("tile.counter_scan", {counters}); }
  double scatter(double elements, double log, double ordered, double segments) const override {
    return elements *
           an_element("sample_sort.scatter", {paper_, bytes_.key, bytes_.value}, elements, log, ordered, segments);
  }
  double list(double segments) const override { return along("sample_sort.list", {bytes_.key}, segments); }
  double sort(const std::vector<Sized>& buckets) const override {
    return paper_ == 1 ? quicksort(buckets) : merge(buckets);
  }

 private:
  /// One size class after another: up to one bucket per multiprocessor takes as long as one bucket; each further one
  /// adds its time at full occupancy.
  double merge(const std::vector<Sized>& buckets) const {
    double seconds = 0, begin = 0;
    const auto key = static_cast<std::size_t>(bytes_.key);
    for (std::size_t c = 0; c < kMergeThreads.size(); ++c) {
      const double end = class_elements(c, key);
      const std::vector<double> table{bytes_.key, bytes_.value, end};
      double count = 0, first = 0, others = 0;
      for (const Sized& bucket : buckets) {
        if (bucket.elements <= begin || bucket.elements > end) continue;
        const Line line = bucket_line("sample_sort.merge", table, bucket.elements);
        count += bucket.buckets;
        first += bucket.buckets * line.few;
        others += bucket.buckets * line.each;
      }
      begin = end;
      if (count < 0.5) continue;
      seconds += first / count + std::max(0.0, 1 - device_.cores / count) * others;
    }
    return seconds;
  }
  /// The largest first, each by a block: the longer of the slowest one's expected time alone and the time of all
  /// together.
  double quicksort(const std::vector<Sized>& buckets) const {
    double count = 0, first = 0, others = 0;
    std::vector<std::pair<double, double>> alone;  // seconds of a bucket, and how many take as long
    for (const Sized& bucket : buckets) {
      Line line = bucket_line("sample_sort.quicksort", {bytes_.key, bytes_.value}, bucket.elements);
      std::vector<double> tries = shares_of_slowest(bucket.elements);
      const double parted = bucket.rounds * bucket.elements * per_element_.round;
      if (parted > 0 && parted < line.few) {
        line = {parted, line.each * parted / line.few};
        tries = {1};
      }
      count += bucket.buckets;
      others += bucket.buckets * line.each;
      for (const double share : tries) {
        const double as_long = bucket.buckets / static_cast<double>(tries.size());
        first += as_long * share * line.few;
        alone.emplace_back(share * line.few, as_long);
      }
    }
    if (count <= 0) return 0;
    std::ranges::sort(alone, std::greater{});
    double slowest = 0, none_slower = 1;
    for (const auto& [seconds, expected] : alone) {
      slowest += none_slower * -std::expm1(-expected) * seconds;
      none_slower *= std::exp(-expected);
    }
    return std::max(slowest, first / count + std::max(0.0, 1 - device_.cores / count) * others);
  }

  /// Seconds per element of quicksort: of one round, from the extra time of a bucket over smaller ones with as many
  /// elements in all; and of the network at the end.
  struct PerElement {
    double round = 0;
    double network = 0;
  };
  PerElement per_element() const {
    if (paper_ == 0) return {};
    const std::vector<double> kind{bytes_.key, bytes_.value}, sizes = measured_sizes("sample_sort.quicksort");
    const double small = sizes[sizes.size() - 2], large = sizes.back();
    const auto of = [&](double size) { return bucket_line("sample_sort.quicksort", kind, size).few / size; };
    const double round = std::max(0.0, of(large) - of(small)) / std::log2(large / small);
    return {round, std::max(0.0, of(large) - round * std::log2(large / kNetworkElements))};
  }

  /// Time of buckets of one size given random pivots (medians of three), relative to the slowest of as many as the
  /// table was measured with.
  std::vector<double> shares_of_slowest(double elements) const {
    if (elements <= kNetworkElements) return {1};
    std::mt19937_64 random{1};
    std::uniform_real_distribution<double> rank;
    std::vector<double> seconds;
    for (int bucket = 0; bucket < device_.cores; ++bucket) {
      double in_rounds = 0;
      std::vector<double> parts{elements};
      while (!parts.empty()) {
        const double part = parts.back();
        parts.pop_back();
        if (part <= kNetworkElements) continue;
        in_rounds += part;
        std::array<double, 3> three{rank(random), rank(random), rank(random)};
        std::ranges::sort(three);
        parts.insert(parts.end(), {three[1] * part, (1 - three[1]) * part});
      }
      seconds.push_back(per_element_.round * in_rounds + per_element_.network * elements);
    }
    const double slowest = std::ranges::max(seconds);
    for (double& one : seconds) one = slowest > 0 ? one / slowest : 1;
    return seconds;
  }

  /// The time of buckets of one size as a line over their number.
  struct Line {
    double few;   ///< seconds of one a multiprocessor
    double each;  ///< seconds of each further bucket
  };
  Line bucket_line(const char* table, const std::vector<double>& kind, double elements) const {
    const double least = device_.cores;
    const auto at = [&](double of, double buckets) {
      std::vector<double> all = kind;
      all.insert(all.end(), {of, buckets});
      return device_.at(table, all);
    };
    // Each size was measured with as many buckets as fit in memory; of the largest, too few to show what more would
    // add.
    double told = elements, most = least;
    for (const double size : measured_sizes(table)) {
      std::vector<double> all = kind;
      all.push_back(size);
      const double held = largest_measured(table, all);
      if (held < 1.5 * least) continue;
      told = std::min(elements, size);
      most = held;
      if (size >= elements) break;
    }
    const double each = most > least ? (at(told, most) - at(told, least)) / (most - least) : 0;
    return {at(elements, least), std::max(0.0, each) * elements / told};
  }

  double an_element(const char* table, const std::vector<double>& kernel, double elements, double log, double ordered,
                    double segments) const {
    const auto at = [&](double ways, double order, double bytes) {
      std::vector<double> arguments = kernel;
      arguments.insert(arguments.end(), {ways, order, bytes});
      return device_.at(table, arguments);
    };
    constexpr double random = 0, sorted = 1, parted = 2, middle = 7, partial_log = 4, partial_tiles = 4.5;
    double seconds = (1 - ordered) * at(log, random, kBeyondCaches) + ordered * at(log, sorted, kBeyondCaches);
    seconds *= at(middle, random, elements * bytes_.key) / at(middle, random, kBeyondCaches);
    if (paper_ == 1 || segments <= 1) return seconds;
    // Each segment has a tile that is not full.
    const double tiles = elements / segments / settings_.tile;
    const double partial = at(partial_log, parted, kBeyondCaches) / at(partial_log, random, kBeyondCaches) - 1;
    return seconds * (1 + std::max(0.0, partial) * partial_tiles / std::max(tiles, 1.0));
  }

  /// Linear over a table's last argument, and beyond its last point as before it.
  double along(const char* table, const std::vector<double>& before, double things) const {
    const double least = 1, most = largest_measured(table, before);
    const auto at = [&](double wanted) {
      std::vector<double> all = before;
      all.push_back(wanted);
      return device_.at(table, all);
    };
    if (things <= most) return at(things);
    return at(most) + std::max(0.0, at(most) - at(least)) / (most - least) * (things - most);
  }

  /// The sizes of buckets, a table's last argument but one.
  std::vector<double> measured_sizes(const char* table) const {
    const auto found = device_.tables.find(table);
    if (found == device_.tables.end()) device_.at(table);  // throws
    std::set<double> sizes;
    for (const ProfileTable::Point& point : found->second.points) sizes.insert(point.at[point.at.size() - 2]);
    return {sizes.begin(), sizes.end()};
  }
  /// The largest last argument that a table has with arguments as near as they were measured.
  double largest_measured(const char* table, const std::vector<double>& before) const {
    const auto found = device_.tables.find(table);
    if (found == device_.tables.end()) device_.at(table);  // throws
    double most = 1, nearest = std::numeric_limits<double>::infinity();
    for (const ProfileTable::Point& point : found->second.points) {
      double distance = 0;
      for (std::size_t i = 0; i < before.size(); ++i) distance += std::abs(point.at[i] - before[i]);
      if (distance < nearest) {
        nearest = distance;
        most = 1;
      }
      if (distance == nearest) most = std::max(most, point.at.back());
    }
    return most;
  }

  const MachineProfile& device_;
  const Settings& settings_;
  ElementBytes bytes_;
  double paper_;
  PerElement per_element_;  ///< table of quicksort
};

/// Throws BadInput for a setting whose kernels were not measured.
void decline_unmeasured(const Workload& workload, const Settings& settings) {
  const bool tuned = settings.bucket_sort == BucketSort::merge && settings.scatter == Scatter::reordered &&
                     settings.ids == Ids::stored && settings.vote && settings.threads == kMaxThreads;
  const bool paper = settings.bucket_sort == BucketSort::quicksort && settings.scatter == Scatter::direct &&
                     settings.ids == Ids::recomputed && !settings.vote && settings.counts == Counts::summed &&
                     settings.network == Network::odd_even && settings.threads == 256 && settings.tile == 2048;
  if ((tuned || paper) && settings.counters == 8) return;
  throw BadInput(workload.algorithm + ": the kernels of the presets paper and tuned are calibrated");
}

class LeischnerSampleSort final : public CalibratedWidthsModel {
 public:
  explicit LeischnerSampleSort(Level level)
      : CalibratedWidthsModel(level,
                              {.name = "leischner_sample_sort",
                               .title = "Sample sort, kernel by kernel; sizes of buckets by the spacings of the sample",
                               .source = "this project, after Leischner, Osipov and Sanders 2009, sections 4 and 5",
                               .algorithms = {"leischner_sample_sort"},
                               .kind = ModelKind::hardware,
                               .family = "E, sample sort"}) {}

 private:
  Prediction predict_calibrated(const Workload& workload, const DistributionView& view,
                                const MachineProfile& device) const override {
    const ElementBytes bytes = element_bytes(workload);
    const std::uint32_t value = byte_size(workload.value);
    const Settings settings = resolve_settings(workload.parameters, workload.n, byte_size(workload.key), value);
    decline_unmeasured(workload, settings);
    if (workload.n < 2) return {};
    const auto n = static_cast<double>(workload.n);
    const Levels all = find_levels(settings, n, view);
    const std::unique_ptr<SampleSortKernels> kernels = level() == Level::operations
                                                           ? counted_kernels(device, settings, bytes)
                                                           : std::make_unique<MeasuredKernels>(device, settings, bytes);

    std::vector<PhasePrediction> phases;
    const auto add = [&](const char* name, int pass, double seconds, const char* binding,
                         std::map<std::string, double> work) {
      add_metered(work, kernels->take_operations());
      phases.push_back({.name = name, .pass = pass, .seconds = seconds, .binding = binding, .work = std::move(work)});
    };
    add("list", 0, kernels->begin(), "latency", {});
    double parts = 1;
    for (std::size_t number = 0; number < all.levels.size(); ++number) {
      const SplitLevel& level = all.levels[number];
      double segments = 0, elements = 0, logs = 0, counters = 0;
      for (const Sized& segment : level.segments) {
        const double log = log_ways(settings, static_cast<std::uint64_t>(segment.elements));
        segments += segment.buckets;
        elements += segment.buckets * segment.elements;
        logs += segment.buckets * segment.elements * log;
        counters += segment.buckets * count_blocks(segment.elements, settings.tile) * std::exp2(log);
      }
      const double log = logs / elements;
      parts *= std::exp2(log);
      const double ordered = in_one_bucket(view, parts);
      const int pass = static_cast<int>(number);
      const std::map<std::string, double> moved{
          {"keys", elements}, {"bytes.read", elements * bytes.both()}, {"bytes.written", elements * bytes.both()}};
      add("sample", pass, kernels->sample(segments, log), "latency", {{"segments", segments}});
      add("find", pass, kernels->find(elements, log, ordered, segments), "shared",
          {{"keys", elements}, {"bytes.read", elements * bytes.key}, {"compares", elements * log}});
      add("scan", pass, kernels->scan(counters), "latency", {{"counters", counters}});
      add("scatter", pass, kernels->scatter(elements, log, ordered, segments), "scatter", moved);
      add("list", pass + 1, kernels->list(segments), "latency", {{"segments", segments}});
      if (level.equal > 0 && number % 2 == 0) {
        add("copy", pass,
            2 * level.equal * bytes.both() / device.at("copy", {bytes.key, 2 * level.equal * bytes.both()}), "dram",
            {{"keys", level.equal}});
      }
    }
    const double buckets = std::accumulate(all.sorted.begin(), all.sorted.end(), 0.0,
                                           [](double sum, const Sized& sized) { return sum + sized.buckets; });
    add("sort buckets", static_cast<int>(all.levels.size()), kernels->sort(all.sorted), "multiprocessor",
        {{"buckets", buckets}});
    return sequence(std::move(phases));
  }
};

const RegisterLevels<LeischnerSampleSort> registered;

}  // namespace
}  // namespace sortlab
