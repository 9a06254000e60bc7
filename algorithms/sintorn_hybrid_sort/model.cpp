// Family K for sintorn_hybrid_sort: the division points are placed by the sort's own rule, on the histogram that a
// trace gives; then passes over the keys, and levels of merges, each by its threads and the length of their lists.
// Inputs on which the sort is known to fail are declined.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "algorithms/sintorn_hybrid_sort/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

using namespace hybrid_sort;

class SintornHybridSort final : public DeviceModel {
 public:
  SintornHybridSort()
      : DeviceModel(Level::tiles, {.name = "sintorn_hybrid_sort",
                                   .title = "bucket sort and vector merge sort on a device, kernel by kernel",
                                   .source = "this project, after Sintorn and Assarsson, JPDC 2008",
                                   .algorithms = {"sintorn_hybrid_sort"},
                                   .kind = ModelKind::component,
                                   .family = "K, quicksort and bucket sorts"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n == 0) return {};
    const std::vector<float> trace = floats(view.trace()), keys = floats(view.spread());
    const auto n = static_cast<double>(workload.n), bytes = n * sizeof(float);
    const auto [least, most] = std::ranges::minmax(keys);
    std::vector<PhasePrediction> phases;
    const auto add = [&](const char* name, int pass, double seconds, const char* binding) {
      phases.push_back({.name = name, .pass = pass, .seconds = seconds, .binding = binding});
    };
    const auto launched = [&](double seconds) { return std::max(seconds, device.at("launch_dependent")); };
    const char* const memory = 2 * bytes > device.cache("L2") ? "dram" : "l2";
    const double copy_back = device.at("copy_back");
    add("min and max", 0, launched(n * device.at("hybrid_sort.least_and_most", {bytes})) + copy_back, memory);
    if (!(least < most)) return sequence(std::move(phases));

    const Binning bin = binning(least, most);
    const double each = n / static_cast<double>(keys.size());
    std::vector<double> histogram(kBins);
    for (const float key : keys) histogram[bin(key)] += each;
    std::vector<std::uint32_t> counts;
    for (const double count : histogram) counts.push_back(static_cast<std::uint32_t>(std::lround(count)));
    const auto points = division_points(counts.data(), workload.n, least, most);
    const auto division_number = [&](float key) {
      return static_cast<std::size_t>(std::ranges::upper_bound(points, key) - points.begin());
    };
    const double largest = largest_division(keys, division_number, n);
    const std::uint64_t room = capacity(workload.n, static_cast<std::uint64_t>(workload.parameters.integer("room")));
    if (largest > static_cast<double>(room)) {
      throw BadInput(fmt::format("sintorn_hybrid_sort: a division of {:.0f} keys, with room for {}: the sort fails",
                                 largest, room));
    }

    const double bin_share = fullest(trace, bin), share = fullest(trace, division_number);
    add("histogram", 0,
        device.at("memset") + launched(n * device.at("hybrid_sort.histogram", {bytes, bin_share})) + copy_back,
        bin_share > 0.1 ? "shared" : memory);
    add("count", 0, launched(n * device.at("hybrid_sort.count", {bytes, share})), "multiprocessor");
    add("prefix", 0, device.at("hybrid_sort.prefix", {static_cast<double>(block_count(workload.n))}) + copy_back,
        "latency");
    add("scatter", 0, launched(n * device.at("hybrid_sort.scatter", {bytes, share})) + device.at("launch_dependent"),
        memory);
    add("sort vectors", 0, launched(n * device.at("hybrid_sort.vectors", {bytes})), memory);
    const double vectors = std::ceil(largest / kVector);
    const int last = levels(static_cast<std::uint64_t>(vectors));
    for (int level = 0; level < last; ++level) {
      const double pair = std::ldexp(2.0, level);  // vectors of two lists
      const double threads = kDivisions * std::ceil(vectors / pair);
      const double seconds =
          std::min(pair, vectors) * device.at("hybrid_sort.merge", {static_cast<double>(level), std::log2(threads)});
      add("merge", level, launched(seconds), threads < 65536 ? "latency" : memory);
    }
    add("pack", 0, launched(n * device.at("hybrid_sort.pack", {bytes})), memory);
    return sequence(std::move(phases));
  }

 private:
  static std::vector<float> floats(std::span<const uint128> ordered) {
    std::vector<float> keys;
    for (const uint128 key : ordered) {
      keys.push_back(from_ordered<float>(static_cast<std::uint32_t>(key)));
      if (std::isnan(keys.back())) throw BadInput("sintorn_hybrid_sort: declines NaN");
    }
    return keys;
  }

  /// Keys of the largest division: those its traced keys represent, corrected for the sampling noise of small counts;
  /// among equally likely divisions, the expected maximum.
  template <class DivisionOf>
  static double largest_division(const std::vector<float>& keys, const DivisionOf& division_number, double n) {
    std::vector<double> traced(kDivisions);
    for (const float key : keys) ++traced[division_number(key)];
    const double each = n / static_cast<double>(keys.size()), mean = n / kDivisions;
    constexpr double deviations = 3.2;  // expected of the largest of 1024
    double largest = std::min(n, mean + deviations * std::sqrt(mean));
    for (const double count : traced) {
      const double by_chance = each > 1 ? deviations * std::sqrt(count) : 0;
      largest = std::max(largest, each * (count - by_chance));
    }
    return largest;
  }

  /// The share of the fullest place among neighbouring keys, the mean of windows of a block's keys.
  template <class PlaceOf>
  static double fullest(const std::vector<float>& keys, const PlaceOf& place_of) {
    const std::size_t window = std::min<std::size_t>(2048, keys.size());
    double sum = 0, windows = 0;
    for (std::size_t first = 0; first + window <= keys.size(); first += window) {
      std::map<std::size_t, int> counts;
      int most = 0;
      for (std::size_t i = first; i < first + window; ++i) most = std::max(most, ++counts[place_of(keys[i])]);
      sum += most / static_cast<double>(window);
      ++windows;
    }
    return windows > 0 ? sum / windows : 0;
  }
};

const RegisterModel registered{std::make_unique<SintornHybridSort>()};

}  // namespace
}  // namespace sortlab
