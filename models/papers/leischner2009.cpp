// LEI-M1 to LEI-M4, and the times that follow from counting alone: bytes over the bandwidth and operations over the
// clock that Leischner, Osipov and Sanders 2009 state of their two GPUs. LEI-M4 alone is made from times of the sort.
#include "models/papers/leischner2009.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"

namespace sortlab {
namespace leischner2009 {

namespace {

constexpr double kCounterBytes = 4;
/// Equally likely bucket sizes that represent a level. Beyond the second, buckets are of mean size: n = 2^31 is the
/// first to have any.
constexpr std::array kSizes{256, 32, 1};

/// The bucket size, as a share of the input, below which that share of the elements lies.
double quantile(double chance, int oversampling, int ways) {
  double low = 0;
  double high = 1;
  for (int halvings = 0; halvings < 50; ++halvings) {
    const double middle = (low + high) / 2;
    (elements_in_buckets_below(middle, oversampling, ways) < chance ? low : high) = middle;
  }
  return low;
}

struct Level {
  int oversampling;
  int ways;
  double bucket;
  std::array<std::vector<double>, kSizes.size()> sizes;  ///< bucket sizes, as shares of the bucket that is split
};

void distribute(double size, double share, std::size_t level, const Level& how, Distributed& into) {
  if (size <= how.bucket) {
    into.buckets.push_back({size, share});
    return;
  }
  if (into.shares.size() <= level) into.shares.resize(level + 1);
  into.shares[level] += share;
  const std::vector<double>& sizes = how.sizes[std::min(level, kSizes.size() - 1)];
  for (const double of : sizes) distribute(size * of, share / static_cast<double>(sizes.size()), level + 1, how, into);
}

}  // namespace

int oversampling(std::uint64_t key_bytes) {
  return key_bytes > 4 ? 15 : 30;
}

std::uint64_t tiles(std::uint64_t n, int threads, int items) {
  const auto tile = static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(items);
  return n / tile + (n % tile != 0);
}

int levels(std::uint64_t n, int ways, std::int64_t bucket) {
  int count = 0;
  for (auto size = static_cast<double>(n); size > static_cast<double>(bucket); size /= ways) ++count;
  return count;
}

int merge_levels(std::uint64_t n, std::uint64_t run) {
  int count = 0;
  for (auto runs = static_cast<double>(n) / static_cast<double>(run); runs > 1; runs /= 2) ++count;
  return count;
}

LevelBytes level_bytes(Element element, int ways, int tile) {
  const double counters = kCounterBytes * ways / tile;
  return {.find = element.key + counters, .scan = 2 * counters, .scatter = 2 * element.both() + counters};
}

double find_operations(int ways) {
  constexpr double atomics = 1;
  return std::log2(ways) + atomics;
}

double odd_even_compares(double elements) {
  if (elements < 2) return 0;
  const double m = std::log2(elements);
  return (m * m - m + 4) / 4 - 1 / elements;
}

double bitonic_compares(double elements) {
  if (elements < 2) return 0;
  const double m = std::log2(elements);
  return m * (m + 1) / 4;
}

double sample_bytes(int oversampling, int ways, double key_bytes) {
  return oversampling * ways * key_bytes;
}

double bucket_deviation(int oversampling, int ways) {
  const double sample = static_cast<double>(oversampling) * ways;
  return std::sqrt((sample + 1 - oversampling) / (oversampling * (sample + 2)));
}

double elements_in_buckets_below(double share, int oversampling, int ways) {
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  // Beta(i, m + 1 - i) is the law of the i-th of m ordered uniform numbers, and below `share` if at least i of them
  // are.
  const double m = static_cast<double>(oversampling) * ways + 1;
  double chance = std::exp(m * std::log1p(-share));  // probability that just this many are below; 0 for hundreds
  double above = chance;
  for (int below = 0; below < oversampling; ++below) {
    chance *= (m - below) / (below + 1) * share / (1 - share);
    above += chance;
  }
  return std::clamp(1 - above, 0.0, 1.0);
}

Distributed distributed(std::uint64_t n, int oversampling, int ways, std::int64_t bucket) {
  Level how{oversampling, ways, static_cast<double>(bucket), {}};
  for (std::size_t level = 0; level < kSizes.size(); ++level) {
    for (int i = 0; i < kSizes[level]; ++i) {
      how.sizes[level].push_back(kSizes[level] == 1 ? 1.0 / ways
                                                    : quantile((i + 0.5) / kSizes[level], oversampling, ways));
    }
  }
  Distributed result;
  distribute(static_cast<double>(n), 1, 0, how, result);
  return result;
}

double memory_share(double gain, double clock_ratio, double bandwidth_ratio) {
  return (1 / clock_ratio - 1 / gain) / (1 / clock_ratio - 1 / bandwidth_ratio);
}

}  // namespace leischner2009

namespace {

using namespace leischner2009;

/// "none of the algorithms is solely computationally or memory bandwidth bounded" (section 6): they take turns, as in
/// LEI-M4.
constexpr double kTakeTurns = 1;

Element element_bytes(const Workload& workload) {
  return {.key = static_cast<double>(byte_size(workload.key)), .value = static_cast<double>(byte_size(workload.value))};
}

/// Bytes at the bandwidth that section 6 measures; operations at one a scalar processor and cycle, the most that there
/// are.
PhasePrediction counted(const char* name, int pass, double bytes, double operations, const MachineProfile& machine) {
  return phase(name, pass,
               {{"memory", "bytes.memory", bytes, bytes / machine.at("bandwidth")},
                {"issue", "operations", operations, operations / (kLanes * machine.cores * machine.clock_hz)}},
               kTakeTurns);
}

/// Two GPUs share the time of a sort of pairs (section 6): the gain of one over the other, and the ratios behind it.
constexpr double kGain = 1.18;
constexpr double kClockRatio = 1.476 / 1.296;
constexpr double kBandwidthRatio = 124.7 / 73.3;
constexpr double kClock = 1.296e9;  ///< clock of the slower one, a Tesla C1060

void require_papers(const ModelInfo& model, const Workload& workload) {
  require_parameters(model, workload,
                     {{"ways", "128"},
                      {"bucket", "131072"},
                      {"counters", "8"},
                      {"ids", "recomputed"},
                      {"scatter", "direct"},
                      {"network", "odd_even"},
                      {"bucket_sort", "quicksort"},
                      {"counts", "summed"},
                      {"fan_out", "fixed"},
                      {"vote", "no"},
                      {"threads", "256"},
                      {"items", "8"},
                      {"tiles", "0"}});
  const std::uint64_t key_bytes = byte_size(workload.key);
  if (key_bytes > 8) throw BadInput(fmt::format("model {}: key: the paper sorts keys of 4 and 8 bytes", model.name));
  const int papers = oversampling(key_bytes);
  const std::int64_t given = workload.parameters.integer("oversampling");  // 0: the paper's
  if (given != 0 && given != papers) {
    throw BadInput(
        fmt::format("model {}: oversampling: the paper's is {} for keys of {} bytes", model.name, papers, key_bytes));
  }
}

/// LEI-M1 to LEI-M3 as a time. Phase 1 is left out, as in the paper ("almost no overhead"). Buckets go through log2
/// scans of quicksort until they fit into shared memory (sections 3 and 5), and there through a network.
Prediction covered_distribution(const Workload& workload, const MachineProfile& machine) {
  if (workload.n == 0) return {};
  const Element element = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  const Distributed all = distributed(workload.n, oversampling(byte_size(workload.key)));
  const LevelBytes bytes = level_bytes(element);
  std::vector<PhasePrediction> phases;
  for (int level = 0; level < static_cast<int>(all.shares.size()); ++level) {
    const double elements = all.shares[static_cast<std::size_t>(level)] * n;
    phases.push_back(counted("find", level, bytes.find * elements, find_operations() * elements, machine));
    phases.push_back(counted("scan", level, bytes.scan * elements, 0, machine));
    phases.push_back(counted("scatter", level, bytes.scatter * elements, find_operations() * elements, machine));
  }
  const double fits = std::exp2(std::floor(std::log2(machine.cache("shared") / element.both())));
  double scans = 0;
  double compares = 0;
  for (const Distributed::Bucket& bucket : all.buckets) {
    scans += bucket.share * std::max(0.0, std::log2(bucket.size / fits));
    compares += bucket.share * odd_even_compares(std::min(bucket.size, fits));
  }
  // Each scan compares an element with a pivot; what goes through the network is read and written once more.
  phases.push_back(counted("sort buckets", 0, (scans + 1) * 2 * element.both() * n, (scans + compares) * n, machine));
  Prediction whole = sequence(std::move(phases));
  return {.seconds = whole.seconds,
          .phases = std::move(whole.phases),
          .basis = "formula: any keys that differ, buckets as a sample cuts them"};
}

class SampleSortCounts final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "LEI-M2",
                                .title = "Sample sort: bytes and operations of its levels, quicksorts and networks",
                                .source = "Leischner, Osipov and Sanders 2009, sections 3 to 6",
                                .algorithms = {"leischner_sample_sort"},
                                .kind = ModelKind::paper,
                                .family = "E, sample sort"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers(info(), workload);
    return covered_distribution(workload, machine);
  }
};

/// LEI-M4 as a time. The paper does not count instructions; its two machines tell which share of the C1060's time
/// follows bandwidth. If those are the counted bytes, the rest is computation, which scales with multiprocessors and
/// clock.
class SampleSortOfTwoMachines final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "LEI-M4",
                                .title = "Sample sort: its bytes, and computation derived from two machines' times",
                                .source = "Leischner, Osipov and Sanders 2009, section 6",
                                .algorithms = {"leischner_sample_sort"},
                                .kind = ModelKind::paper,
                                .family = "E, sample sort",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers(info(), workload);
    const double share = memory_share(kGain, kClockRatio, kBandwidthRatio);
    constexpr double papers_bandwidth = 73.3e9;
    constexpr double papers_cores = 30;
    Prediction prediction = covered_distribution(workload, machine);
    std::vector<PhasePrediction> phases;
    for (const PhasePrediction& counts : prediction.phases) {
      const double bytes = counts.work.at("bytes.memory");
      const double cycles = (1 / share - 1) * bytes / papers_bandwidth * papers_cores * kClock;
      phases.push_back(phase(counts.name, counts.pass,
                             {{"memory", "bytes.memory", bytes, bytes / machine.at("bandwidth")},
                              {"issue", "cycles", cycles, cycles / (machine.cores * machine.clock_hz)}},
                             kTakeTurns));
    }
    Prediction parted = sequence(std::move(phases));
    parted.basis = prediction.basis;
    return parted;
  }
};

/// LEI-M1 of its opponent on pairs, "designed for key-value pairs only": n log2(n / 256) accesses, and the network that
/// sorts the first tiles. The paper does not give the cost of ranking elements.
class MergeSortAccesses final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "LEI-M1",
                                .title = "Thrust's merge sort of the day: bytes of its levels",
                                .source = "Leischner, Osipov and Sanders 2009, sections 3 and 4",
                                .algorithms = {"satish_gpu_merge"},
                                .kind = ModelKind::paper,
                                .family = "F, merging on a device"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    if (workload.value == ValueType::none) {
      throw BadInput(fmt::format("model {}: value: the paper's merge sort is for pairs", info().name));
    }
    require_key_bytes(info(), workload, 4);
    require_parameters(info(), workload, {{"merge", "ranks"}, {"tile", "256"}, {"values", "carried"}});
    const auto n = static_cast<double>(workload.n);
    const double bytes = 2 * element_bytes(workload).both() * n;
    std::vector<PhasePrediction> phases{
        counted("sort tiles", 0, bytes, odd_even_compares(std::min(n, 256.0)) * n, machine)};
    for (int level = 0; level < merge_levels(workload.n); ++level) {
      phases.push_back(counted("merge", level, bytes, 0, machine));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel sample_sort{std::make_unique<SampleSortCounts>()};
const RegisterModel two_machines{std::make_unique<SampleSortOfTwoMachines>()};
const RegisterModel merge_sort{std::make_unique<MergeSortAccesses>()};

}  // namespace
}  // namespace sortlab
