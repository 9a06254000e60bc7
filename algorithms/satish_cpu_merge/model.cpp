// Family G for the plug-in satish_cpu_merge: blocks sorted in cache, then merged all at once through a tree of FIFOs.
//
// A block is read into scratch memory, and only then sorted in the cache: these times add up. The tree prefetches for
// its merges while they run: one time, measured from memory to memory. No branch depends on keys, except for the choice
// of run where keys are equal.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/satish_cpu_merge/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"
#include "models/loops/registers.hpp"

namespace sortlab {
namespace {

class MergeSort {
 public:
  MergeSort(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : machine_(machine),
        n_(static_cast<double>(workload.n)),
        threads_(workload.threads),
        key_(byte_size(workload.key)),
        value_(byte_size(workload.value)),
        table_("merge." + workload.parameters.word("width") + "."),
        equal_(view.equal_keys()) {
    // Keys with values that do not fit one lane are measured with values as wide as their lanes.
    const std::size_t key_bytes = byte_size(workload.key);
    const std::size_t value_bytes = byte_size(workload.value);
    pairs_ = satish_merge::has_value_lanes(key_bytes, value_bytes);
    measured_ = pairs_ ? std::pair{std::max(8.0, key_), 8.0} : std::pair{key_, value_};
    const std::size_t lane = satish_merge::lane_bytes(key_bytes, value_bytes);
    const std::size_t element = lane * (pairs_ ? 2 : 1);
    element_ = static_cast<double>(element);
    const std::string& width = workload.parameters.word("width");
    const std::size_t lanes = register_bytes(width, lane) / lane;
    run_ = static_cast<double>(satish_merge::run_elements(lanes, satish_merge::merge_depth(pairs_)));
    const std::size_t most = (static_cast<std::size_t>(workload.parameters.integer("block_kib")) << 10) / element;
    block_ = static_cast<double>(satish_merge::block_elements(
        workload.n, most, static_cast<std::size_t>(workload.threads), satish_merge::tile_elements(lanes)));
    blocks_ = std::ceil(n_ / block_);
  }

  Prediction predict() const { return sequence({sorted_blocks(), split(), merged()}); }

 private:
  double part() const { return n_ / threads_; }

  double at(const char* piece, std::vector<double> more) const {
    std::vector<double> all{threads_, measured_.first, measured_.second};
    all.insert(all.end(), more.begin(), more.end());
    return machine_.at(table_ + piece, all);
  }

  PhasePrediction sorted_blocks() const {
    // Reads elements and writes lanes, both from a thread's whole working set.
    const double bytes = n_ * (key_ + value_ + element_);
    const double entering = bytes / machine_.at("copy", {threads_, bytes / threads_});
    double sorting = at("tiles", {});
    double levels = 0;
    for (double length = run_; length < block_; length *= 2, ++levels) {
      // Two pairs of runs are merged at a time, and what is left of a block by itself.
      const double in_pairs = std::floor(block_ / (4 * length)) * 4 * length / block_;
      if (in_pairs > 0) sorting += in_pairs * at("runs", {block_ * element_, length * element_});
      if (in_pairs < 1) sorting += (1 - in_pairs) * at("last", {block_ * element_});
    }
    sorting *= part();
    const double waking = threads_ > 1 ? machine_.at("wake", {threads_}) + machine_.at("barrier", {threads_}) : 0;
    PhasePrediction prediction{.name = "blocks", .pass = 0, .seconds = entering + sorting + waking};
    prediction.binding = entering > sorting ? "memory" : "issue";
    prediction.work = {{"elements", n_}, {"merges", n_ * levels}, {"bytes.memory", bytes}};
    return prediction;
  }

  /// Each thread finds where its share begins: as in quickselect, some 2 ln n rounds of a binary search in each run,
  /// whose ranges halve per round on average. (There are two searches, but the second finds its data cached.)
  PhasePrediction split() const {
    const double rounds = blocks_ > 1 ? 2 * std::log(n_) : 1;
    const double steps = blocks_ * rounds * std::log2(std::max(2.0, block_)) / 2;
    PhasePrediction prediction{.name = "split", .pass = 0};
    prediction.seconds = steps * machine_.at("latency", {std::min(part() * element_, block_ * element_ / 8)});
    if (threads_ > 1) prediction.seconds += machine_.at("barrier", {threads_});
    prediction.binding = "latency";
    prediction.work = {{"probes", steps * threads_}};
    return prediction;
  }

  PhasePrediction merged() const {
    const double bytes = n_ * (element_ + key_ + value_);
    const double levels = std::ceil(std::log2(std::max(1.0, blocks_)));
    PhasePrediction prediction{.name = "merge", .pass = 0};
    const double memory = bytes / machine_.at("copy", {threads_, bytes / threads_});
    prediction.seconds = memory;
    if (levels > 0) {
      // Equal keys are taken from one run as long as it has them, and so stream from memory.
      const double cached = at("tree", {levels, 0});
      const double mixed = at("tree", {levels, part() * element_}) - cached;
      prediction.seconds = std::max(memory, part() * (cached + (1 - equal_) * mixed));
    }
    prediction.binding = memory >= 0.8 * prediction.seconds ? "memory" : "issue";
    prediction.work = {{"elements", n_}, {"merges", n_ * levels}, {"bytes.memory", bytes}};
    return prediction;
  }

  const Pieces& machine_;
  double n_, threads_, key_, value_;
  std::string table_;
  double equal_;        ///< chance that two keys are equal
  double element_ = 0;  ///< bytes in scratch memory
  bool pairs_ = false;  ///< values lie in lanes of their own
  std::pair<double, double> measured_;
  double run_ = 0;    ///< elements of the runs into which tiles are sorted
  double block_ = 0;  ///< elements
  double blocks_ = 0;
};

/// The cost of the sort's pieces, from its compiled loops and the machine.
std::optional<double> derived(const Core& whole, std::string_view table, std::span<const double> a) {
  const Core core = table.ends_with(".tree") ? whole : whole.by_pieces();  // blocks are taken one by one
  const Parameters& parameters = core.workload().parameters;
  if (!table.starts_with("merge.")) return std::nullopt;
  const std::string_view width = table.substr(6, table.rfind('.') - 6);
  const std::string_view piece = table.substr(table.rfind('.') + 1);
  const bool vectors = has_vectors(width);
  const auto key = static_cast<std::size_t>(a[1]);
  const auto value = static_cast<std::size_t>(a[2]);
  const bool pairs = satish_merge::has_value_lanes(key, value);
  const auto lane = static_cast<double>(satish_merge::lane_bytes(key, value));
  const double element = lane * (pairs ? 2 : 1);
  const auto bytes = static_cast<double>(register_bytes(width, static_cast<std::size_t>(lane)));
  const double step = vectors ? static_cast<double>(satish_merge::merge_depth(pairs)) * bytes / lane : 1;
  const auto loop = [&](std::string_view name, double ways) {
    const std::string mark = fmt::format("merge.{}.N_{}", name, target_name(width));
    const double issue =
        std::max(core.loop(mark, lane, pairs ? 1 : 0, ways), core.wide_stores(element / bytes, bytes, false));
    if (vectors) return issue;
    // The compiler's choice between two pairs, where it made a branch of it; one more branch ends the loop.
    const double passed = name == "tile" ? satish_merge::kRows : name == "runs" ? 2 : 1;  // elements at a time
    return issue + std::max(0.0, core.branches(mark, lane, pairs ? 1 : 0, ways) - 1 / passed) * core.miss() / 2;
  };
  /// Adds the loads and stores of elements that lie in a working set of `reach` bytes, overlapped with the loop.
  const auto beside = [&](double cycles, double reach) {
    return core.overlapped(cycles, core.beyond("copy", a[0], 2 * element, reach), a[0], false);
  };
  // The end of a merge is mispredicted, and the pipeline drains: the network's last step and the first of the next
  // merge do not overlap. Without vectors, elements that cannot exhaust a side are taken without a test, half of what
  // is left at a time: each such loop ends with a misprediction.
  const auto junction = [&](double length) {
    return (vectors ? 1 : std::log2(length)) * core.miss() + loop("merge", 0) * step;
  };
  const double block = 1024.0 * static_cast<double>(parameters.integer("block_kib"));
  if (piece == "tiles") return beside(loop("tile", 0), block);
  // threads, key, value, block_bytes, run_bytes: two pairs of runs at a time, or one from both ends.
  if (piece == "runs") {
    const double run = a[4] / element;
    return beside(vectors ? loop("runs", 2) + junction(run) / (4 * run) : loop("runs", 1) + core.miss() / (2 * run),
                  2 * a[3]);
  }
  if (piece == "last") return beside(loop("runs", 1), 2 * a[3]);
  // tree: threads, key, value, levels, bytes.
  const double leaves = std::exp2(a[3]);
  constexpr double kMaxLanes = 4096;
  const double fifos = 1024.0 * static_cast<double>(parameters.integer("fifo_kib")) / element;
  double lanes = std::max(fifos / 3 * 2 / leaves, 4 * step);
  double merging = 0;
  for (double level = 0; level < a[3]; ++level) {
    const double length = std::min(lanes, kMaxLanes);
    merging += loop("merge", 0) + 2 * junction(length) / length;
    if (std::fmod(level, 2) == 1) lanes *= 2;
  }
  // The last FIFO is read once more, and its lanes are turned back into keys.
  merging += core.moving("copy", 1, 2 * element, 1 << 16);
  return a[4] > 0 ? beside(merging, a[4]) : merging;
}

const RegisterCpuModels<MergeSort> registered{
    "satish_cpu_merge", "SIMD merge sort, blocks in cache and one multiway merge",
    "this project, after Satish et al. 2010 and Chhugani et al. 2008", "G, merging on a CPU", derived};

}  // namespace
}  // namespace sortlab
