// Family I for the plug-in knf_split_radix: LSD radix sort that splits tiles in the second-level cache by one bit at a
// time.
//
// A thread alternates between memory and its caches: it fetches a tile while it splits it by the lowest bit, splits it
// in the cache by the others, and writes its digits' runs out. These times add up. Threads are not in step, so one
// splits while another uses memory: together they take no less than memory takes for all bytes, the second bound of a
// pass.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <algorithm>
#include <cmath>

#include "algorithms/knf_split_radix/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"
#include "models/loops/registers.hpp"

namespace sortlab {
namespace {

class SplitRadix {
 public:
  SplitRadix(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : view_(view),
        machine_(machine),
        n_(static_cast<double>(workload.n)),
        threads_(workload.threads),
        key_(byte_size(workload.key)),
        value_(byte_size(workload.value)),
        floats_(is_float(workload.key)),
        digits_(knf::pass_digits(workload.parameters.word("passes"), 8 * static_cast<int>(key_), false)),
        tile_(std::min(std::exp2(10) * static_cast<double>(workload.parameters.integer("tile_kib")) / width(), part())),
        split_("split." + workload.parameters.word("target") + "." + workload.parameters.word("compress")),
        nontemporal_(workload.parameters.word("stores") == "nontemporal"),
        skip_(workload.parameters.word("skip_constant_digits") == "yes") {}

  Prediction predict() const {
    std::vector<PhasePrediction> phases;
    int executed = 0;
    for (std::size_t pass = 0; pass < digits_.size(); ++pass) {
      const std::vector<double> shares = view_.digit_shares(digits_[pass].shift, digits_[pass].bits);
      phases.push_back(histogram(static_cast<int>(pass), shares, executed));
      const bool maps_back = floats_ && pass + 1 == digits_.size() && executed > 0;
      if (std::ranges::max(shares) >= 1 && skip_ && !maps_back) continue;
      phases.push_back(scatter(static_cast<int>(pass), shares, executed));
      ++executed;
    }
    if (threads_ > 1) phases.front().seconds += machine_.at("wake", {threads_});
    return sequence(std::move(phases));
  }

 private:
  double width() const { return key_ + value_; }
  double part() const { return n_ / threads_; }

  /// Reuse distance in bytes of a thread's elements: an array written by streaming stores is in memory, and the input
  /// was copied before the sort.
  double working_set(int executed) const {
    if (executed == 0) return 2 * n_ * width();
    return nontemporal_ ? kBeyondCaches : 2 * part() * width();
  }

  PhasePrediction histogram(int pass, const std::vector<double>& shares, int executed) const {
    // The first pass reads the input's own order; later ones read neighbours brought together by other digits.
    const knf::Digit& digit = digits_[static_cast<std::size_t>(pass)];
    double equal = 0;
    for (const double share : shares) equal += share * share;
    if (executed == 0) equal = view_.repeated_digits(digit.shift, digit.bits);
    const double collision = std::clamp(-std::log2(std::max(equal, 1e-9)), 0.0, 8.0);
    const auto count = [&](double bytes) {
      return part() * machine_.at("split.count", {threads_, key_, collision, bytes});
    };
    PhasePrediction prediction{.name = "histogram", .pass = pass, .seconds = count(working_set(executed))};
    prediction.binding = prediction.seconds > 2 * count(0) ? "memory" : "issue";
    prediction.work = {{"counters", n_}, {"bytes.read", n_ * key_}};
    prediction.work["counters.cleared"] = n_ / tile_ * static_cast<double>(shares.size());
    // Every thread sums the counters of all.
    prediction.seconds += static_cast<double>(shares.size()) * threads_ * machine_.at("prefix");
    if (threads_ > 1) prediction.seconds += 2 * machine_.at("barrier", {threads_});
    return prediction;
  }

  PhasePrediction scatter(int pass, const std::vector<double>& shares, int executed) const {
    const auto bits = static_cast<double>(digits_[static_cast<std::size_t>(pass)].bits);
    const auto split = [&](double bytes) { return machine_.at(split_, {threads_, key_, value_, bytes}); };
    const double in_cache = split(0);
    // The histogram has just read the keys; nothing has read the values.
    const double first = part() * (key_ * split(part() * key_) + value_ * split(working_set(executed))) / width();
    const double others = part() * (bits - 1) * in_cache;
    const bool last = pass + 1 == static_cast<int>(digits_.size());
    const double maps = floats_ ? ((executed == 0 ? 1 : 0) + (last ? 1 : 0)) * part() * machine_.at("map", {key_}) : 0;
    const double out = write_out(key_, shares) + (value_ > 0 ? write_out(value_, shares) : 0);

    const double bytes = 2 * n_ * width();
    const double memory = nontemporal_ ? bytes / machine_.at("copy_nt", {threads_, kBeyondCaches})
                                       : bytes / machine_.at("copy", {threads_, working_set(executed)});
    const double core = first + others + maps + out;
    PhasePrediction prediction{.name = "scatter", .pass = pass, .seconds = std::max(core, memory)};
    prediction.binding = memory >= core ? "memory" : out > first + others ? "write-out" : "splits";
    double runs = 0;  // runs of a tile
    for (const double share : shares) runs += std::min(1.0, share * tile_);
    prediction.work = {{"splits", n_ * bits}, {"elements", n_}, {"runs", n_ / tile_ * runs}, {"bytes.memory", bytes}};
    return prediction;
  }

  /// Seconds to write out keys or values of that width, one run per digit and tile.
  double write_out(double element, const std::vector<double>& shares) const {
    double seconds = 0;
    for (const double share : shares) {
      if (share <= 0) continue;
      const double run = std::max(1.0, share * tile_) * element;
      seconds += share * n_ * element / machine_.at("split.copy", {threads_, nontemporal_ ? 1.0 : 0.0, element, run});
    }
    return seconds;
  }

  const DistributionView& view_;
  const Pieces& machine_;
  double n_, threads_, key_, value_;
  bool floats_;
  std::vector<knf::Digit> digits_;
  double tile_;        ///< elements
  std::string split_;  ///< the profile's table of the kernel
  bool nontemporal_, skip_;
};

/// The cost of the sort's pieces, from its compiled loops and the machine.
std::optional<double> derived(const Core& core, std::string_view table, std::span<const double> a) {
  constexpr double kInL2 = 1 << 18;  // bytes of a working set
  if (table == "overlap.read") return core.machine().at("overlap.core", {a[0], 0});
  if (table == "split.count") {  // threads, key, collision_bits, bytes; keys take turns between four counters
    const double counting = std::max({core.loop("knf.count", a[1]), core.stores(1), core.chain(a[2]) / 4});
    return core.overlapped(counting, core.beyond("read_ahead", a[0], a[1], std::max(a[3], kInL2)), a[0], false);
  }
  if (table.ends_with(".register") || table.ends_with(".memory")) {  // threads, key, value, bytes
    const double form = table.ends_with(".memory") ? 1 : 0;
    const std::string_view named = table.substr(6, table.rfind('.') - 6);
    // Highway compresses lanes by the same shuffle of bytes under both; only one of the loops can be followed.
    const std::string target{named == "SSSE3" ? "SSE4" : named};
    const double wider = std::max(a[1], a[2]);
    const auto bytes = static_cast<double>(register_bytes(target, static_cast<std::size_t>(wider)));
    const double lanes = bytes / wider;
    // Both sides are stored as whole registers, and the next lanes overwrite the excess. Compilers' scheduling models
    // do not know the cores' rates of compression.
    const double both = (a[2] > 0 ? 4 : 2) / lanes;
    const double compressing = bytes == 64 ? both * core.machine().at("issue.compress", {bytes / lanes}) : 0;
    const double splitting = std::max(
        {core.loop("knf.split.N_" + target, a[1], a[2], form), compressing, core.wide_stores(both, bytes, true)});
    // Both sides of a split are written where the tile lies; the first split reads it from farther away.
    const double near = core.overlapped(splitting, core.beyond("copy", a[0], 2 * (a[1] + a[2]), kInL2), a[0], false);
    if (a[3] <= kInL2) return near;
    return core.overlapped(near, core.beyond("read", a[0], a[1] + a[2], a[3]), a[0], false);
  }
  if (table == "split.copy") {  // threads, nontemporal, element, run_bytes: bytes a second
    // A run begins and ends within lines shared with its neighbours; the branches that copy either end are
    // unpredictable.
    const double output = core.machine().at(a[1] > 0 ? "write_nt" : "write", {a[0], kBeyondCaches});
    const double ends = 2 * core.miss() + core.far_line(a[0], kBeyondCaches);
    return a[3] * a[0] / (ends + a[3] * a[0] / output);
  }
  return std::nullopt;
}

const RegisterCpuModels<SplitRadix> registered{
    "knf_split_radix", "LSD radix sort by 1-bit splits in the second-level cache",
    "this project, after Satish et al. 2010", "I, splits in a CPU's cache", derived};

}  // namespace
}  // namespace sortlab
