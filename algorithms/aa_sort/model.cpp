// A model of the plug-in aa_sort: blocks sorted in cache by comb sort, whole vectors at a time, then merged in pairs,
// level after level.
//
// Only the last passes of comb sort branch on keys: they repeat until one changes nothing. Their number is counted on
// the traced keys. A block is read, sorted in the cache, and written: these times add up. A merge reads and writes
// while it compares: one time, measured at that distance from the core.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/aa_sort/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"
#include "models/loops/registers.hpp"

namespace sortlab {
namespace {

constexpr double kTabledPasses = 3;  ///< last passes that every block's table reaches

class AaSort {
 public:
  AaSort(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : view_(view),
        machine_(machine),
        n_(static_cast<double>(workload.n)),
        threads_(workload.threads),
        key_(byte_size(workload.key)),
        floats_(is_float(workload.key)),
        table_("aa." + workload.parameters.word("width") + ".") {
    lanes_ = register_bytes(workload.parameters.word("width"), byte_size(workload.key)) / byte_size(workload.key);
    block_ = aa::block_keys(workload.n, workload.threads,
                            static_cast<std::uint64_t>(workload.parameters.integer("block_kib")) << 10,
                            byte_size(workload.key));
  }

  Prediction predict() const {
    std::vector<PhasePrediction> phases{blocks()};
    const double overlap = overlapping();
    int level = 0;
    for (auto run = static_cast<double>(block_); run < n_; run *= 2) phases.push_back(merge(level++, run, overlap));
    if (floats_) phases.push_back(map_back());
    return sequence(std::move(phases));
  }

 private:
  /// Bytes of keys that a thread works on.
  double part_bytes() const { return n_ * key_ / threads_; }

  /// Last passes of a block, on average over the blocks of the trace; where those of the trace are shorter, over a few
  /// whole blocks of the input.
  double last() const {
    constexpr int parts = 3;
    const bool is_traced = block_ <= view_.block() || view_.block() == view_.trace().size();
    const std::vector<uint128> whole = is_traced ? std::vector<uint128>{} : view_.consecutive(block_, parts);
    const std::span<const uint128> trace = is_traced ? view_.trace() : whole;
    double sum = 0;
    double blocks = 0;
    for (std::size_t begin = 0; begin == 0 || begin + block_ <= trace.size(); begin += block_, ++blocks) {
      const auto keys = trace.subspan(begin, std::min<std::size_t>(block_, trace.size() - begin));
      sum += aa::last_passes({keys.begin(), keys.end()}, lanes_);
    }
    return sum / blocks;
  }

  PhasePrediction blocks() const {
    const auto block = static_cast<double>(block_);
    const double passes = last();
    const double rounds = std::ceil(std::ceil(n_ / block) / threads_);
    const double busiest = std::min(n_, rounds * block);  // keys of the thread that has most
    const auto sorted = [&](double last) {
      return machine_.at(table_ + "block", {threads_, key_, block * key_, last});
    };
    // Each further pass takes the same time. Some inputs need more passes than the table has: the time is extrapolated.
    double sorting = busiest * (sorted(1) + (passes - 1) * (sorted(kTabledPasses) - sorted(1)) / (kTabledPasses - 1));
    if (floats_) sorting += busiest * machine_.at("map", {key_});
    const double bytes = 2 * n_ * key_;
    const double entering = bytes / machine_.at("copy", {threads_, part_bytes()});
    PhasePrediction prediction{.name = "blocks", .pass = 0, .seconds = entering + sorting};
    if (threads_ > 1) prediction.seconds += machine_.at("wake", {threads_}) + machine_.at("barrier", {threads_});
    prediction.binding = entering > sorting ? "memory" : "issue";
    const double vectors = n_ / static_cast<double>(lanes_);
    prediction.work = {{"vectors", vectors},
                       {"exchanges", vectors * aa::gap_passes((block_ + lanes_ - 1) / lanes_, lanes_)},
                       {"exchanges.last", vectors * passes},
                       {"bytes.memory", bytes}};
    return prediction;
  }

  /// Overlap of the key ranges of merged runs: full in random order, none in ascending or descending order.
  /// Equal neighbours do not count.
  double overlapping() const {
    const double unequal = 1 - view_.equal_keys();
    if (unequal <= 0) return 0;
    const double falls = std::clamp(view_.descents() / unequal, 0.0, 1.0);
    return 1 - std::abs(1 - 2 * falls);
  }

  PhasePrediction merge(int level, double run, double overlap) const {
    const double bytes = 2 * n_ * key_;
    PhasePrediction prediction{.name = "merge", .pass = level};
    const double each = machine_.at(table_ + "merge", {threads_, key_, overlap, bytes / threads_});
    // If threads share a pair of runs, each finds both ends of its share by a search.
    const double steps = threads_ > 1 ? 2 * std::log2(run) : 0;
    prediction.seconds = n_ / threads_ * each + steps * machine_.at("latency", {part_bytes()});
    if (threads_ > 1) prediction.seconds += machine_.at("barrier", {threads_});
    const double memory = bytes / machine_.at("copy", {threads_, bytes / threads_});
    prediction.binding = memory >= 0.8 * prediction.seconds ? "memory" : "issue";
    const double vectors = n_ / static_cast<double>(lanes_);
    prediction.work = {{"vectors", vectors * overlap}, {"vectors.apart", vectors * (1 - overlap)}};
    prediction.work["bytes.memory"] = bytes;
    return prediction;
  }

  /// Pass that maps sorted keys back to floats.
  PhasePrediction map_back() const {
    const double bytes = 2 * n_ * key_;
    return phase("map", 0,
                 {{"issue", "elements", n_, n_ / threads_ * machine_.at("map", {key_})},
                  {"memory", "bytes.memory", bytes, bytes / machine_.at("copy", {threads_, part_bytes()})}},
                 machine_.at("overlap.read", {threads_, key_}));
  }

  const DistributionView& view_;
  const Pieces& machine_;
  double n_, threads_, key_;
  bool floats_;
  std::string table_;        ///< "aa.avx2."
  std::size_t lanes_ = 0;    ///< keys of a vector
  std::uint64_t block_ = 0;  ///< keys
};

/// The cost of the sort's pieces, from its compiled loops and the machine.
std::optional<double> derived(const Core& core, std::string_view table, std::span<const double> a) {
  if (table == "overlap.read") return core.machine().at("overlap.core", {a[0], 0});
  if (!table.starts_with("aa.")) return std::nullopt;
  const std::string_view width = table.substr(3, table.rfind('.') - 3);
  const std::string_view piece = table.substr(table.rfind('.') + 1);
  const std::string_view target = target_name(width);
  const auto bytes = static_cast<double>(register_bytes(width, static_cast<std::size_t>(a[1])));
  const auto loop = [&](const char* name, double stores = 1) {  // cycles of a vector
    return std::max(core.loop(fmt::format("aa.{}.N_{}", name, target), a[1]),
                    core.wide_stores(stores * a[1] / bytes, bytes, false));
  };
  if (piece == "merge") {  // threads, key, mixed, bytes: of runs without overlap the second is left over as a whole
    // Two halves advance in turn, each testing whether either of its runs has ended; one more branch, the compiler's
    // choice between runs, is unpredictable where they are mixed.
    const double vector = bytes / a[1];
    const double chances =
        std::clamp(core.branches(fmt::format("aa.merge.N_{}", target), a[1]) - 4 / (2 * vector), 0.0, 1 / vector);
    const double merging =
        a[2] * (loop("merge") + chances * core.miss() / 2) + (1 - a[2]) * (loop("merge") + loop("rest")) / 2;
    return core.overlapped(merging, core.beyond("copy", a[0], 2 * a[1], a[3]), a[0], false);
  }
  // block: threads, key, block_bytes, last_passes
  const auto lanes = static_cast<std::size_t>(bytes / a[1]);
  const auto m = static_cast<std::size_t>(a[2] / a[1]) / lanes;
  const double both = core.beyond("copy", a[0], 4 * a[1], a[2]);
  const double once = core.beyond("copy", a[0], 2 * a[1], a[2]);
  const auto beside = [&](double issue, double memory) { return core.overlapped(issue, memory, a[0], false); };
  // An exchange reads and writes two vectors. The nearer was the farther of an exchange one gap before, and is still in
  // the first level if what both have since passed fits there. The same lanes are compared, or other ones.
  double exchanges = 0;
  aa::for_each_gap(m, lanes, [&](std::size_t gap) {
    const double wraps = gap < m ? static_cast<double>(gap % m) / static_cast<double>(m) : 1;
    const std::size_t apart = std::min(gap % m, m - gap % m);
    const double memory = 2 * static_cast<double>(apart) * bytes > core.machine().cache("L1d") ? both : once;
    exchanges += (1 - wraps) * beside(loop("comb", 2), memory) + wraps * beside(loop("skewed", 2), memory);
  });
  return beside(loop("enter"), once) + exchanges + a[3] * beside(loop("last"), once) + beside(loop("transpose"), once);
}

const RegisterCpuModels<AaSort> registered{"aa_sort", "comb sort of vectors in cache, then merges in pairs",
                                           "this project, after Inoue, Moriyama, Komatsu and Nakatani 2007",
                                           "G, merging on a CPU", derived};

}  // namespace
}  // namespace sortlab
