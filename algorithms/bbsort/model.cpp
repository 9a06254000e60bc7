// Family K for bbsort: a pass over the input, sliced by value, whose atomics collide according to the share of
// neighbouring keys in the fullest slice; a slice that does not fit a bucket becomes a range of its own.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "algorithms/bbsort/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

constexpr double kThreads = 2048;   ///< threads of a multiprocessor, each of which counts a key
constexpr std::size_t kDense = 16;  ///< neighbours by value from which a trace estimates the density of keys
constexpr int kDeepest = 6;         ///< deepest recursion followed on a trace

/// Traced keys by numeric value, and how many keys each represents.
struct Values {
  std::vector<double> ascending{};
  std::vector<double> in_order{};
  double each = 1;
  std::size_t block = 1;  ///< consecutive keys in `in_order`
};

/// The value that determines slices: of floats their own, of a double half of it.
double key_value(KeyType type, uint128 ordered) {
  return with_key_type(type, [&]<class K>() -> double {
    const K key = from_ordered<K>(static_cast<Bits<K>>(ordered));
    if constexpr (std::is_same_v<K, double>) return 0.5 * key;
    return static_cast<double>(key);
  });
}

class BbSort final : public DeviceModel {
 public:
  BbSort()
      : DeviceModel(Level::tiles, {.name = "bbsort",
                                   .title = "bucket sort by value on a device, kernel by kernel, with its recursion",
                                   .source = "this project, after Chen et al., ICA3PP 2009",
                                   .algorithms = {"bbsort"},
                                   .kind = ModelKind::component,
                                   .family = "K, quicksort and bucket sorts"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n == 0) return {};
    const std::int64_t bucket = workload.parameters.integer("bucket");
    if (bucket != 512) throw BadInput("bbsort: bucket: 512 is calibrated");
    Run run{profile, element_bytes(workload), static_cast<double>(bucket)};
    Values values;
    for (const uint128 key : view.trace()) values.in_order.push_back(key_value(workload.key, key));
    for (const uint128 key : view.spread()) values.ascending.push_back(key_value(workload.key, key));
    for (const double value : values.ascending) {
      if (!std::isfinite(value)) throw BadInput("bbsort: keys that are not finite are not modelled");
    }
    values.block = view.block();
    values.each = static_cast<double>(workload.n) / static_cast<double>(values.ascending.size());
    return run(values, static_cast<double>(workload.n), sortedness(view));
  }

 private:
  class Run {
   public:
    Run(const MachineProfile& device, ElementBytes bytes, double bucket)
        : device_(device), bytes_(bytes), bucket_(bucket) {}

    Prediction operator()(const Values& values, double n, double sorted) {
      if (n <= bucket_) {
        add("sort buckets", device_.at("launch_dependent") + bucket_seconds(n), "latency");
        return sequence(std::move(phases_));
      }
      const double recursion = range(values, n, sorted, true, 0);
      if (recursion > 0) add("recursion", recursion, "latency");
      return sequence(std::move(phases_));
    }

   private:
    /// Seconds of a range's recursion; including its own phases unless these are reported.
    double range(const Values& values, double n, double sorted, bool reported, int depth) {
      const double begun = own_;
      const auto spend = [&](const char* phase, double seconds, const char* binding) {
        if (reported) {
          add(phase, seconds, binding);
        } else {
          own_ += seconds;
        }
      };
      const double key_size = n * bytes_.key, size = n * bytes_.both();
      const bool cached = 2 * size <= device_.cache("L2");
      const char* const memory = cached ? "l2" : "dram";
      spend("min and max",
            launched(n * device_.at("bbsort.least_and_most", {bytes_.key, key_size})) + device_.at("copy_back"),
            memory);
      const double least = values.ascending.front(), most = values.ascending.back();
      if (least == most || depth == kDeepest) {
        own_ += depth == 0 ? 0 : launched(2 * size / device_.at("copy", {bytes_.key, 2 * size}));
        return own_ - begun;
      }
      const double slices = bbsort::slice_count(static_cast<std::uint64_t>(n)), width = (most - least) / slices;
      const double share = fullest(values, least, width);
      const double at_random = device_.at("bbsort.count", {bytes_.key, key_size, share});
      const double ascending = device_.at("bbsort.count_sorted", {bytes_.key, key_size});
      // Ascending keys fill slice after slice, a few at a time: this is no collapse unless a slice's share is large.
      const bool in_turn = sorted > 0.5 && share < 0.25;
      const double counting = in_turn ? ascending : std::max(at_random, sorted * ascending);
      const bool waits = counting > 2 * device_.at("bbsort.count", {bytes_.key, key_size, 0});
      spend("count", launched(n * counting), waits ? "atomics" : memory);
      spend("pack", slices * device_.at("bbsort.pack", {4 * slices}), "host");
      spend("scatter", launched(n * device_.at("bbsort.scatter", {bytes_.key, bytes_.value, size, sorted})), memory);

      const std::vector<Values> dense = oversized(values, least, width);
      double left = n;
      for (const Values& slice : dense) left -= key_count(slice);
      left = std::max(left, 0.0);
      // Greedy packing leaves half a slice free on average.
      const double filled = std::min(bucket_, std::max(bucket_ - bbsort::kSliceKeys / 2.0, 1.0));
      const double buckets = std::ceil(left / filled);
      if (left >= 1) {
        spend("sort buckets", device_.at("launch_dependent") + buckets * bucket_seconds(std::min(left, filled)),
              "multiprocessor");
      }
      for (const Values& slice : dense) range(slice, key_count(slice), sorted, false, depth + 1);
      return own_ - begun;
    }

    static double key_count(const Values& values) { return static_cast<double>(values.ascending.size()) * values.each; }

    /// The share of the fullest slice among keys that are counted at once: the mean over all windows of that many keys.
    double fullest(const Values& values, double least, double width) const {
      // The order inside a slice is unknown: all of its keys form one window.
      const bool ordered = !values.in_order.empty();
      const std::vector<double>& keys = ordered ? values.in_order : values.ascending;
      const std::size_t block = std::min(values.block, keys.size());
      const auto at_once = static_cast<std::size_t>(device_.cores * kThreads / values.each);
      const std::size_t window =
          ordered ? std::min(keys.size(), std::max<std::size_t>(at_once / block, 1) * block) : keys.size();
      double sum = 0, windows = 0;
      for (std::size_t first = 0; first + window <= keys.size(); first += window, ++windows) {
        std::map<std::int64_t, double> counts;
        for (std::size_t i = first; i < first + window; ++i) {
          ++counts[static_cast<std::int64_t>((keys[i] - least) / width)];
        }
        sum += largest_share(counts, static_cast<double>(window));
      }
      return sum / windows;
    }

    /// The largest probability of a slice, estimated from that many draws: 1/m, where m equally likely slices would
    /// give as many collisions, unless the fullest slice has more keys than chance would give one of those.
    static double largest_share(const std::map<std::int64_t, double>& counts, double draws) {
      double met = 0, most = 0;
      for (const auto& [slice, count] : counts) {
        met += count * (count - 1);
        most = std::max(most, count);
      }
      const double even = met / std::max(1.0, draws * (draws - 1)), mean = even * draws;
      return most > mean + 4 * std::sqrt(mean) + 4 ? most / draws : even;
    }

    /// The slices that hold more than a bucket, each with its keys: where enough traced keys lie that close.
    std::vector<Values> oversized(const Values& values, double least, double width) const {
      std::vector<Values> slices;
      const std::vector<double>& keys = values.ascending;
      const auto slice_number = [&](double key) { return std::floor((key - least) / width); };
      const auto tells = std::max<std::size_t>(1, std::min(kDense, keys.size() / 2));
      const double dense = static_cast<double>(tells) * values.each;  // keys that these represent
      for (std::size_t i = 0; i + tells < keys.size(); ++i) {
        const double apart = keys[i + tells] - keys[i];
        if (apart * bucket_ >= dense * width) continue;  // a slice here has no more than a bucket
        const double slice = slice_number(keys[i]);
        Values found{.each = values.each};
        std::size_t end = i;
        while (end < keys.size() && slice_number(keys[end]) <= slice) ++end;
        found.ascending.assign(keys.begin() + static_cast<std::ptrdiff_t>(i),
                               keys.begin() + static_cast<std::ptrdiff_t>(end));
        if (key_count(found) > bucket_) slices.push_back(std::move(found));
        i = end - 1;
      }
      return slices;
    }

    double bucket_seconds(double elements) const {
      return device_.at("bbsort.bucket", {bytes_.key, bytes_.value, elements});
    }
    /// Tables of kernels include their launches, but not waiting for the host.
    double launched(double seconds) const { return std::max(seconds, device_.at("launch_dependent")); }

    void add(const char* name, double seconds, const char* binding) {
      phases_.push_back({.name = name, .pass = 0, .seconds = seconds, .binding = binding});
    }

    const MachineProfile& device_;
    ElementBytes bytes_;
    double bucket_;
    double own_ = 0;  ///< seconds of ranges that are not reported
    std::vector<PhasePrediction> phases_;
  };
};

const RegisterModel registered{std::make_unique<BbSort>()};

}  // namespace
}  // namespace sortlab
