// Sortlab's own radix sort from the highest digit on (family D), kernel by kernel, on the tree of the keys
// (tree.hpp).
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "algorithms/msd_radix_gpu/model/kernels.hpp"
#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/kernels/other_widths.hpp"

namespace sortlab {
namespace {

using namespace msd_gpu;
using msd_tree::Buckets;
using msd_tree::Tree;

class MsdRadix final : public CalibratedWidthsModel {
 public:
  explicit MsdRadix(Level level)
      : CalibratedWidthsModel(level,
                              {.name = "msd_radix_gpu",
                               .title = "MSD radix sort, kernel by kernel; its tree by formula where there is one",
                               .source = "this project; algorithms/msd_radix_gpu/README.md",
                               .algorithms = {"msd_radix_gpu"},
                               .kind = ModelKind::hardware,
                               .family = "D, hybrid MSD"}) {}

 private:
  Prediction predict_calibrated(const Workload& workload, const DistributionView& view,
                                const MachineProfile& device) const override {
    const auto decline = [&](const char* why) { return BadInput(workload.algorithm + ": " + why); };
    const std::uint32_t key = byte_size(workload.key), value = byte_size(workload.value);
    const bool is_stable = !workload.parameters.all().empty() && workload.parameters.word("stable") == "yes";
    if (value != 0 && is_stable) throw decline("stable: pairs are calibrated with 'no' alone");
    if (workload.n < 2) return {};
    const bool is_default = workload.parameters.all().empty();
    const std::string regime = is_default ? "auto" : workload.parameters.word("regime");
    const bool bits_are_open = is_default || workload.parameters.is_auto("top_bits");
    const int top_bits = bits_are_open ? 0 : static_cast<int>(workload.parameters.integer("top_bits"));
    if (const auto why = declines(workload.n, key, value, regime, top_bits)) throw decline(why->c_str());
    const msd_tree::Problem problem{.n = workload.n,
                                    .key_bytes = key,
                                    .value_bytes = value,
                                    .multiprocessors = device.cores,
                                    .plan = make_plan(workload.n, key, value, regime, top_bits)};
    const auto one = view.bit_probability();
    const Tree tree = one ? msd_tree::of_bits(problem, *one) : msd_tree::of_trace(problem, sample_keys(view, workload));
    const auto n = static_cast<double>(workload.n);
    const ElementBytes bytes = element_bytes(workload);
    const auto kernels = level() == Level::operations ? counted_msd_kernels(device, bytes, n, problem.plan)
                                                      : measured_msd_kernels(device, bytes, n, problem.plan);
    Prediction prediction = predict_phases(tree, problem, device, *kernels, in_order(view));
    if (level() == Level::operations) add_flushed_cache(prediction, problem, device);
    if (one) prediction.basis = formula_basis(*one);
    return prediction;
  }

  /// Fraction of locally monotone triples, scaled: 1 for ordered keys, whichever way, 0 for random order.
  static double in_order(const DistributionView& view) {
    const auto trace = view.trace();
    double triples = 0, monotonic = 0, equal = 0;
    for (std::size_t i = 2; i < trace.size(); ++i) {
      if (i % view.block() < 2) continue;
      triples += 1;
      const bool up = trace[i - 2] <= trace[i - 1] && trace[i - 1] <= trace[i];
      const bool down = trace[i - 2] >= trace[i - 1] && trace[i - 1] >= trace[i];
      monotonic += up || down ? 1 : 0;
      equal += up && down ? 1 : 0;
    }
    constexpr double by_chance = 1.0 / 3;
    return triples == 0 || equal > triples / 2 ? 0 : (monotonic / triples - by_chance) / (1 - by_chance);
  }

  /// One key from each part of the input, in order. Scales the keys to n for iota and organ pipes, whose keys are
  /// positions in the smaller input that the view makes.
  static std::vector<uint128> sample_keys(const DistributionView& view, const Workload& workload) {
    std::vector<uint128> keys = view.spread();
    const bool is_pipe = view.name().starts_with("organ_pipe");
    if (keys.empty() || keys.back() == 0 || (!is_pipe && !view.name().starts_with("iota"))) return keys;
    const uint128 most = (workload.n - 1) / (is_pipe ? 2 : 1), times = (most + keys.back() / 2) / keys.back();
    std::minstd_rand within;
    if (times > 1)
      std::ranges::transform(keys, keys.begin(), [&](uint128 key) { return key * times + within() % times; });
    std::ranges::sort(keys);
    return keys;
  }

  /// The model predicts whole kernels, so only their share of a copy's rate is known. Kernels that memory does not bind
  /// are bound by the multiprocessors if their bytes exceed the cache, and by latency otherwise.
  static std::string binding_resource(const MachineProfile& device, const msd_tree::Problem& problem, double read,
                                      double written, double seconds) {
    const double key = problem.key_bytes,
                 working_set = 2.0 * static_cast<double>(problem.n) * (key + problem.value_bytes);
    const double both = std::min(read, written);
    const double busy = 2 * both / device.at("copy", {key, working_set}) +
                        std::max(0.0, read - both) / device.at("read", {key, working_set});
    constexpr double least = 0.6;  // as in other models (device_kernel.cpp)
    const bool cached = working_set <= device.cache("L2");
    if (busy >= least * seconds) return cached ? "l2" : "dram";
    return read > device.cache("L2") ? "multiprocessor" : "latency";
  }

  /// The harness overwrites a stretch as large as the second-level cache before each sort: the first bytes that the
  /// sort touches come from memory, and each line that the cache takes in has one of those to write back.
  static void add_flushed_cache(Prediction& prediction, const msd_tree::Problem& problem,
                                const MachineProfile& device) {
    const double cache = device.cache("L2"), key = problem.key_bytes, n = static_cast<double>(problem.n);
    const double slow = device.at("copy", {key, kBeyondCaches});
    const bool is_cached = 2 * n * (key + problem.value_bytes) <= cache;
    double room = cache, keys = n * key, values = n * problem.value_bytes, out = keys + values;
    for (PhasePrediction& phase : prediction.phases) {
      const double read_keys = std::min(keys, std::max(phase.work["bytes.read"], 0.0));
      const bool moves = phase.work["bytes.written"] > 0;
      const double first = read_keys + (moves ? values : 0), written = moves ? out : 0;
      keys -= read_keys;
      if (moves) values = out = 0;
      const double evicted = std::min(room, first + written);
      room -= evicted;
      double seconds = evicted / slow;
      if (is_cached)
        seconds += first / device.at("read", {key, kBeyondCaches}) - first / device.at("read", {key, cache / 4});
      phase.seconds += seconds;
      prediction.seconds += seconds;
    }
  }

  static Prediction predict_phases(const Tree& tree, const msd_tree::Problem& problem, const MachineProfile& device,
                                   const MsdKernels& kernels, double in_order) {
    const double both = problem.key_bytes + problem.value_bytes, n = static_cast<double>(problem.n);
    std::vector<PhasePrediction> phases;
    const auto add = [&](const char* name, int pass, double seconds, double read, double moved, double segments = 0) {
      std::map<std::string, double> work{{"keys", std::max(read, moved)},
                                         {"bytes.read", read * problem.key_bytes + moved * both},
                                         {"bytes.written", moved * both}};
      if (segments > 0) work["segments"] = segments;
      add_metered(work, kernels.take_operations());
      std::string binding = binding_resource(device, problem, work["bytes.read"], work["bytes.written"], seconds);
      phases.push_back(
          {.name = name, .pass = pass, .seconds = seconds, .binding = std::move(binding), .work = std::move(work)});
    };
    const Plan& plan = problem.plan;
    if (plan.regime == Regime::one_block) {
      add("bucket sort", 0, kernels.few(tree.kinds), 0, n);
      return sequence(std::move(phases));
    }
    if (plan.regime == Regime::one_level) {
      add("one level", 0, kernels.one_level(tree, in_order), 0, 2 * n);
      return sequence(std::move(phases));
    }
    add("count", 0, kernels.count(tree, in_order), tree.skips_top ? 0 : n, 0);
    add("partition", 0, kernels.first(tree, in_order), 0, tree.first_moved);
    if (!plan.top.wide) {
      add("partition", 1, kernels.second(tree, in_order), 0, tree.second_moved, tree.top_segments);
    }
    const auto level_at = [&](std::size_t i) { return i < tree.levels.size() ? &tree.levels[i] : nullptr; };
    std::size_t level = 0;
    const auto stepped = static_cast<std::size_t>(plan.stepped_levels);
    for (; level < stepped; ++level) {
      const msd_tree::Level* const of = level_at(level);
      add("levels", kTopLevels + static_cast<int>(level), kernels.stepped(of, in_order), of == nullptr ? 0 : of->keys,
          of == nullptr ? 0 : of->moved + of->copied, of == nullptr ? 0 : of->segments);
    }
    std::span<const msd_tree::Level> rest{tree.levels};
    rest = rest.subspan(std::min(level, rest.size()));
    double read = 0, moved = 0, segments = 0;
    for (const msd_tree::Level& of : rest) {
      read += of.keys;
      moved += of.moved + of.copied;
      segments += of.segments;
    }
    add("levels", kTopLevels + static_cast<int>(level), kernels.together(rest, in_order), read, moved, segments);
    double listed = tree.tables.keys;
    for (const Buckets& list : tree.buckets) listed += list.keys;
    add("bucket sort", 0, kernels.buckets(tree), 0, listed);
    return sequence(std::move(phases));
  }
};

const RegisterLevels<MsdRadix> registered;

}  // namespace
}  // namespace sortlab
