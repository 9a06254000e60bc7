// The hybrid radix sort (family D), kernel by kernel, on the prefix tree of the keys (hybrid_buckets.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "algorithms/stehle_hybrid_radix/model/buckets.hpp"
#include "algorithms/stehle_hybrid_radix/model/kernels.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_kernel.hpp"
#include "models/kernels/other_widths.hpp"
#include "models/kernels/table_points.hpp"

namespace sortlab {
namespace {

using namespace hybrid_radix;
using hybrid_buckets::Local;
using hybrid_buckets::Pass;
using hybrid_buckets::Tree;

/// Source of the prefix tree.
enum class Counting : std::uint8_t {
  formula,  ///< formula if the distribution has one, else trace
  trace,
};

constexpr double kUniformDigit = 1.0 / 256;

/// The defaults, for a sort inside another one.
Settings tuned(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  Settings settings = table3(key_bytes, value_bytes);
  const Shape shape = tuned_shape(key_bytes, value_bytes);
  settings.threads = shape.threads;
  settings.items = shape.items;
  settings.block_keys = shape.keys();
  settings.staging = Staging::beside;
  settings.thread_reduction = false;
  settings.local_sort = LocalSort::ranked;
  return settings;
}

/// The setting given by the parameters, if its kernels were measured; without parameters the tuned one. Throws
/// BadInput.
Settings measured_settings(const Workload& workload) {
  const Parameters& parameters = workload.parameters;
  const std::uint32_t key = byte_size(workload.key);
  const std::uint32_t value = byte_size(workload.value);
  const auto decline = [&](const std::string& why) -> BadInput { return BadInput(workload.algorithm + ": " + why); };
  if (workload.n > kMaxNarrowElements) throw decline("n: kernels with offsets of 32 bits are calibrated");
  if (parameters.all().empty()) return tuned(key, value);
  if (parameters.integer("digit_bits") != 8) throw decline("digit_bits: digits of 8 bits are calibrated");
  Settings settings = table3(key, value);
  const Shape paper = settings.shape();
  const Shape tuned = tuned_shape(key, value);
  const auto given = [&](const char* name, int row, int automatic) {
    if (parameters.is_auto(name)) return automatic;
    const auto number = static_cast<int>(parameters.integer(name));
    return number == 0 ? row : number;
  };
  const Shape shape{given("threads", paper.threads, tuned.threads), given("items", paper.items, tuned.items)};
  if (shape != paper && shape != tuned) {
    throw decline(fmt::format("threads and items: {} x {} and {} x {} are calibrated", paper.threads, paper.items,
                              tuned.threads, tuned.items));
  }
  const auto row_alone = [&](const char* name, std::uint32_t row) {
    const std::int64_t number = parameters.integer(name);
    if (number != 0 && number != row) throw decline(fmt::format("{}: {} is calibrated", name, row));
  };
  row_alone("block_keys", shape.keys());
  row_alone("local_keys", settings.local_keys);
  settings.threads = shape.threads;
  settings.items = shape.items;
  settings.block_keys = shape.keys();
  settings.merge_keys = static_cast<std::uint32_t>(parameters.integer("merge_keys"));
  settings.classes = chosen("classes", parameters.word("classes"), kClasses);
  settings.staging = chosen("staging", parameters.word("staging"), kStagings);
  settings.look_ahead =
      parameters.integer("look_ahead") > 0 && (value == 0 || parameters.word("look_ahead_pairs") == "yes");
  settings.thread_reduction = parameters.word("thread_reduction") == "yes";
  settings.lists = chosen("lists", parameters.word("lists"), kLists);
  settings.local_sort = chosen("local_sort", parameters.word("local_sort"), kLocalSorts);
  const Staging calibrated = shape == tuned && shape != paper ? Staging::beside : Staging::reused;
  if (value > 0 && paper != tuned && settings.staging != calibrated) {
    throw decline(fmt::format("staging: blocks of {} x {} are calibrated with {} alone", shape.threads, shape.items,
                              calibrated == Staging::beside ? "beside" : "reused"));
  }
  return settings;
}

/// Kernels are predicted whole, so only their share of a copy's rate is known. What memory does not bind is bound by
/// the multiprocessors if the bytes exceed the cache, and by latency otherwise.
std::string binding_resource(const MachineProfile& device, double key_bytes, double read, double written,
                             double working_set, double seconds) {
  const double both = std::min(read, written);
  const double rate = device.at("copy", {key_bytes, working_set});
  const double busy = 2 * both / rate + (read - both) / device.at("read", {key_bytes, working_set});
  constexpr double least = 0.6;  // as of other models (device_kernel.cpp)
  const bool cached = working_set <= device.cache("L2");
  if (busy >= least * seconds) return cached ? "l2" : "dram";
  return read > device.cache("L2") ? "multiprocessor" : "latency";
}

/// The tables of the sort's kernels.
class MeasuredKernels final : public HybridKernels {
 public:
  MeasuredKernels(const MachineProfile& device, const Settings& settings, ElementBytes bytes)
      : device_(device),
        settings_(settings),
        bytes_(bytes),
        beside_(bytes.value > 0 && settings.staging == Staging::beside ? 1 : 0) {}

  double begin(double blocks) const override { return device_.at("hybrid.begin", {blocks}); }

  double clear(double buckets) const override { return along("hybrid.clear", {}, buckets, {}); }

  /// Uniform digits but for one of share `hottest`, as a warp sees it.
  double count(const Pass& pass, double hottest) const override {
    const double reduced = settings_.thread_reduction ? 1 : 0;
    const std::vector<double> kernel{reduced, bytes_.key, threads(), items()};
    return in_blocks("hybrid.count", kernel, {reduced, bytes_.key, threads(), items()}, pass, hottest);
  }

  double scatter(const Pass& pass, double hottest) const override {
    const auto of = [&](double ahead) {
      return in_blocks("hybrid.scatter", {ahead, beside_, bytes_.key, bytes_.value, threads(), items()},
                       {beside_, bytes_.key, bytes_.value, threads(), items()}, pass, hottest);
    };
    const double hot = settings_.look_ahead ? pass.hot : 0;
    double seconds = 0;
    if (hot < 1) seconds += (1 - hot) * of(0);
    if (hot > 0) seconds += hot * of(1);
    return seconds;
  }

  double sum(double buckets) const override { return along("hybrid.sum", {}, buckets, {}); }

  /// Listing the sub-buckets of `buckets`: the time of a bucket alone, whose sub-buckets a block lists one by one, and
  /// the time that each bucket and each sub-bucket adds, solved from few large and many small buckets.
  double list(double buckets, double listed) const override {
    const bool on_host = settings_.lists == Lists::host;
    const char* const table = on_host ? "hybrid.host_lists" : "hybrid.list";
    if (buckets <= 0) return on_host ? host_waits() : device_.at(table, {0, 0});
    constexpr double few = 256, many = 16384, all = 65536;  // as measured
    const auto one = [&](double sub_buckets) { return device_.at(table, {1, std::clamp(sub_buckets, 1.0, 256.0)}); };
    const double of_few = device_.at(table, {few, all}) - one(all / few);
    const double of_many = device_.at(table, {many, all}) - one(all / many);
    // of_few = (few - 1) bucket + (all - all / few) sub_bucket; of_many alike.
    const double ratio = (all - all / many) / (all - all / few);
    const double bucket = std::max(0.0, (of_many - ratio * of_few) / (many - 1 - ratio * (few - 1)));
    const double sub_bucket = std::max(0.0, (of_few - (few - 1) * bucket) / (all - all / few));
    const double each = listed / buckets;
    return one(each) + std::max(0.0, buckets - 1) * bucket + std::max(0.0, listed - each) * sub_bucket;
  }

  /// The local sorts of one pass: all are launched, whatever there is for them.
  double local(std::span<const Local> listed, const LocalClasses& classes) const override {
    const int launches = classes.count * (is_ranked() ? 2 : 1);
    double seconds = launches * device_.at("hybrid.local_idle", {is_ranked() ? 1.0 : 0, bytes_.key, bytes_.value});
    struct Launched {
      double buckets = 0;
      double busy = 0;  ///< seconds
    };
    std::array<std::array<Launched, kMaxClasses>, 2> launched{};  // launches by rank, and by CUB's sort
    for (const Local& local : listed) {
      const auto c = static_cast<std::size_t>(local.size_class);
      const bool by_rank = is_ranked() && !is_left(local, class_end(classes, c, settings_));
      Launched& of_class = launched[by_rank ? 0 : 1][c];
      of_class.buckets += local.buckets;
      of_class.busy += local.buckets * bucket(by_rank, capacity(by_rank, classes, c, settings_, bytes_),
                                              local.keys / local.buckets, local.bits, local.ones);
    }
    for (const bool by_rank : {true, false}) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(classes.count); ++c) {
        const Launched& of_class = launched[by_rank ? 0 : 1][c];
        if (of_class.buckets <= 0) continue;
        // The first bucket on each multiprocessor takes the time of one alone, in proportion to its size; each further
        // one adds its time at full occupancy.
        const double block = capacity(by_rank, classes, c, settings_, bytes_);
        const double full = bucket(by_rank, block, std::min<double>(block, settings_.local_keys), first_bits(), 0.5);
        const double mean = of_class.busy / of_class.buckets;
        const double any = 1 - std::exp(-of_class.buckets);
        const double alone =
            device_.at("hybrid.local_few", {by_rank ? 1.0 : 0, bytes_.key, bytes_.value, block}) * mean / full;
        seconds += any * alone + std::max(0.0, of_class.buckets - device_.cores) * mean;
      }
    }
    return seconds;
  }

  double pairs(bool decomposes, double n) const override {
    return n * device_.at("hybrid.pairs", {decomposes ? 1.0 : 0.0, bytes_.key, n * bytes_.both()});
  }

 private:
  double threads() const { return settings_.threads; }
  double items() const { return settings_.items; }
  /// Bits that are left after the second digit: where buckets were measured alone.
  double first_bits() const { return 8 * bytes_.key - 16; }

  /// Looks up a table with the arguments `before`, the count `things` and `after`: linear between the counts measured,
  /// extrapolated from the last two beyond them. A count of 0 gives a launch that finds no work.
  double along(const char* table, const std::vector<double>& before, double things,
               const std::vector<double>& after) const {
    const std::vector<double> points = argument_points(device_, table, before);
    const auto at = [&](double wanted) {
      std::vector<double> arguments = before;
      arguments.push_back(wanted);
      arguments.insert(arguments.end(), after.begin(), after.end());
      return device_.at(table, arguments);
    };
    if (points.size() < 2 || things <= points.back()) return at(things);
    const double last = points.back();
    const double slope = (at(last) - at(points[points.size() - 2])) / (last - points[points.size() - 2]);
    return at(last) + std::max(0.0, slope) * (things - last);
  }

  /// A grid of the pass's blocks: the time of the full blocks that its keys fill, plus each bucket's extra for its
  /// partial block and its counters.
  double in_blocks(const std::string& table, const std::vector<double>& kernel, const std::vector<double>& of_buckets,
                   const Pass& pass, double hottest) const {
    const double block = settings_.block_keys;
    const double seconds = along(table.c_str(), kernel, pass.keys / block, {hottest});
    if (pass.buckets <= 1) return seconds;
    const double keys = settings_.local_keys + 1.0;
    std::vector<double> arguments = of_buckets;
    arguments.push_back(keys);
    const double bucket = device_.at(table + "_buckets", arguments);
    constexpr double buckets = 4096;  // buckets of the measurement
    const double full = along(table.c_str(), kernel, buckets * keys / block, {kUniformDigit}) / buckets;
    return seconds + pass.buckets * std::max(0.0, bucket - full);
  }

  bool is_ranked() const { return settings_.local_sort == LocalSort::ranked; }

  /// A bucket among many. CUB's sort makes a pass over every four bits, of which there may be more than after the
  /// second digit.
  double bucket(bool by_rank, double block, double keys, double bits, double ones) const {
    const auto at = [&](double left) {
      return device_.at("hybrid.local", {by_rank ? 1.0 : 0, bytes_.key, bytes_.value, block, keys, left, ones});
    };
    if (by_rank || bits <= first_bits()) return at(bits);
    constexpr double least = 8;
    return at(first_bits()) + (at(first_bits()) - at(least)) * (bits - first_bits()) / (first_bits() - least);
  }

  /// Copies and waits of a pass in which there is nothing to list.
  double host_waits() const { return 2 * device_.at("host_sync"); }

  const MachineProfile& device_;
  const Settings& settings_;
  ElementBytes bytes_;
  double beside_;
};

/// Share of neighbours with a common digit, which is a hot digit within a warp although digits differ between blocks: 1
/// for ordered keys, 0 for random order.
double in_order(const DistributionView& view) {
  return std::abs(1 - 2 * view.descents());
}

class HybridRadix final : public CalibratedWidthsModel {
 public:
  explicit HybridRadix(Level level, Counting counting)
      : CalibratedWidthsModel(
            level, {.name = counting == Counting::formula ? "stehle_hybrid_radix" : "stehle_hybrid_radix-trace",
                    .title = counting == Counting::formula
                                 ? "Hybrid radix sort, kernel by kernel; buckets by formula where there is one"
                                 : "Hybrid radix sort, kernel by kernel; buckets by a trace of the input",
                    .source = "this project, after Stehle and Jacobsen 2017, sections 4.1 to 4.6",
                    .algorithms = {"stehle_hybrid_radix"},
                    .kind = ModelKind::hardware,
                    .family = "D, hybrid MSD"}),
        counting_(counting) {}

 private:
  Prediction predict_calibrated(const Workload& workload, const DistributionView& view,
                                const MachineProfile& device) const override {
    const Settings settings = measured_settings(workload);
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const hybrid_buckets::Problem problem{.n = n,
                                          .key_bytes = static_cast<std::uint32_t>(bytes.key),
                                          .value_bytes = static_cast<std::uint32_t>(bytes.value),
                                          .settings = settings};
    const auto one = counting_ == Counting::formula ? view.bit_probability() : std::nullopt;
    const Tree tree = one ? of_bits(problem, *one) : of_trace(problem, view.sorted());

    const std::unique_ptr<HybridKernels> kernels = level() == Level::operations
                                                       ? counted_kernels(device, settings, bytes)
                                                       : std::make_unique<MeasuredKernels>(device, settings, bytes);
    Prediction prediction = predict_phases(tree, problem, view, device, *kernels, workload.together);
    if (one) prediction.basis = formula_basis(*one);
    return prediction;
  }

  static Prediction predict_phases(const Tree& tree, const hybrid_buckets::Problem& problem,
                                   const DistributionView& view, const MachineProfile& device,
                                   const HybridKernels& kernels, bool together) {
    const Settings& settings = problem.settings;
    const LocalClasses classes = local_size_classes(settings, problem.key_bytes, problem.value_bytes);
    const double both = problem.key_bytes + problem.value_bytes;
    std::vector<PhasePrediction> phases;
    const auto add = [&](const char* name, std::size_t pass, double seconds, std::map<std::string, double> work) {
      std::string binding = binding_resource(device, problem.key_bytes, work["bytes.read"], work["bytes.written"],
                                             2 * problem.n * both, seconds);
      add_metered(work, kernels.take_operations());
      phases.push_back({.name = name,
                        .pass = static_cast<int>(pass),
                        .seconds = seconds,
                        .binding = std::move(binding),
                        .work = std::move(work)});
    };
    const auto moved = [&](double keys) {
      return std::map<std::string, double>{{"keys", keys}, {"bytes.read", keys * both}, {"bytes.written", keys * both}};
    };
    const bool apart = together && problem.value_bytes > 0;
    if (apart) add("decompose", 0, kernels.pairs(true, problem.n), moved(problem.n));
    if (problem.n >= 2) {
      if (!tree.whole.empty()) {
        add("local sort", 0, kernels.begin(1) + kernels.local(tree.whole, classes), moved(problem.n));
      } else {
        add_passes(tree, problem, view, kernels, classes, add, moved);
      }
    }
    if (apart) add("recompose", 0, kernels.pairs(false, problem.n), moved(problem.n));
    return sequence(std::move(phases));
  }

  template <class Add, class Moved>
  static void add_passes(const Tree& tree, const hybrid_buckets::Problem& problem, const DistributionView& view,
                         const HybridKernels& kernels, const LocalClasses& classes, const Add& add,
                         const Moved& moved) {
    const double order = in_order(view);
    for (std::size_t number = 0; number < tree.passes.size(); ++number) {
      Pass pass = tree.passes[number];
      // Keys in order have few distinct digits in a block, in proportion to its share of the bucket, and mostly one in
      // a warp.
      if (pass.keys > 0 && order > 0.5) {
        const double of_bucket = std::min(1.0, problem.settings.block_keys * pass.buckets / pass.keys);
        pass.hottest = std::max(pass.hottest, order);
        if (of_bucket * 256 < kHotShare) pass.hot = std::max(pass.hot, order);
      }
      // The sort lists the input as one bucket before all else.
      const double first = number == 0 ? kernels.begin(pass.blocks) : 0;
      add("histogram", number, first + kernels.clear(pass.buckets) + kernels.count(pass, pass.hottest),
          {{"keys", pass.keys}, {"blocks", pass.blocks}, {"bytes.read", pass.keys * problem.key_bytes}});
      add("prefix", number, kernels.sum(pass.buckets), {{"buckets", pass.buckets}});
      const bool last = number + 1 == tree.passes.size();
      const double listed = pass.listed() + (last ? 0 : tree.passes[number + 1].buckets);
      if (!last) {
        add("assign", number, kernels.list(pass.buckets, listed), {{"buckets", pass.buckets}, {"listed", listed}});
      }
      std::map<std::string, double> work = moved(pass.keys);
      work["blocks"] = pass.blocks;
      work["hot"] = pass.hot;
      add("scatter", number, kernels.scatter(pass, pass.hottest), std::move(work));
      if (last) break;
      work = moved(pass.local_keys());
      work["buckets"] = pass.listed();
      work["merged"] = pass.merged;
      add("local sort", number, kernels.local(pass.local, classes), std::move(work));
    }
  }

  Counting counting_;
};

const RegisterLevels<HybridRadix> formula{Counting::formula};
const RegisterModel trace{std::make_unique<HybridRadix>(Level::tiles, Counting::trace)};

}  // namespace
}  // namespace sortlab
