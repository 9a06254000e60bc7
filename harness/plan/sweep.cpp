#include "harness/plan/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/memory.hpp"
#include "harness/plan/automatic.hpp"

namespace sortlab {
namespace {

Parameters combine_parameters(const AlgorithmChoice& choice) {
  const Info& info = choice.algorithm->info();
  GivenParameters given;
  for (const auto& [name, preset] : info.presets) {
    if (name == choice.preset) given = preset;
  }
  for (const auto& [name, text] : choice.parameters) given.insert_or_assign(name, text);
  return resolve(fmt::format("algorithm {}", info.name), info.parameters, given);
}

/// Throws BadInput for records that do not fit into memory: their size is part of a cell's id, and is found only by
/// making them. Other inputs that are too large are cells, which are skipped.
void check_records(const Sweep& sweep, KeyType key, std::uint64_t n) {
  const std::uint64_t memory = physical_memory();
  if (key != KeyType::string || n <= memory / sizeof(Record)) return;
  throw BadInput(fmt::format("{}n: {} records of {} bytes and more do not fit in the {:.1f} GiB of this machine",
                             sweep.where.empty() ? "" : sweep.where + ".", n, sizeof(Record),
                             static_cast<double>(memory) / 0x1p30));
}

/// Memory that holds the input and result of a sort.
struct Place {
  Residency residency = Residency::host;
  HostMemory host_memory{};
  Devices devices{};
  ShardSizes shard_sizes{};
};

/// The places of an algorithm's sorts: end to end, each kind of host memory; in shards, each number and sizes of them.
std::vector<Place> sort_places(const Sweep& sweep, const Algorithm& algorithm) {
  std::vector<Residency> residencies = sweep.residency;
  if (residencies.empty()) residencies.push_back(own_residency(algorithm.info().runs_on));
  std::vector<Place> places;
  for (const Residency residency : residencies) {
    if (residency == Residency::end_to_end) {
      for (const HostMemory memory : sweep.host_memory) places.push_back({residency, memory});
    } else if (residency == Residency::shards) {
      for (const Devices& devices : sweep.devices) {
        for (const ShardSizes sizes : sweep.shard_sizes) places.push_back({residency, {}, devices, sizes});
      }
    } else {
      places.push_back({residency});
    }
  }
  return places;
}

std::string located(const Sweep& sweep, std::string_view field, std::string_view message) {
  return fmt::format("{}{}: {}", sweep.where.empty() ? "" : sweep.where + ".", field, message);
}

/// The sweep of one file. Throws BadInput if its keys are of another type than those given, or fewer.
Sweep sweep_of_file(const Sweep& sweep, const NamedDistribution& file, const KeyExtent& extent,
                    const GivenLists& given) {
  if (given.keys && std::ranges::find(sweep.keys, extent.key) == sweep.keys.end()) {
    throw BadInput(
        located(sweep, given.keys ? "key" : "keys",
                fmt::format("{} holds {}, not {}; cast it in NumPy, or leave the key type out",
                            file.parameters.word("name"), to_name(extent.key), to_name(sweep.keys.front()))));
  }
  Sweep own = sweep;
  own.distributions = {file};
  own.keys = {extent.key};
  if (!given.n) own.n = {extent.n};
  if (const auto value = given.values.find(file.text); value != given.values.end()) own.values = {value->second};
  for (const std::uint64_t n : own.n) {
    const Input input{.key = extent.key, .n = n, .parameters = file.parameters};
    if (auto reason = file.distribution->declines(input)) throw BadInput(located(sweep, "n", *reason));
  }
  return own;
}

}  // namespace

std::vector<Sweep> sweep_files(const Sweep& sweep, const GivenLists& given) {
  std::vector<Sweep> sweeps;
  Sweep others = sweep;
  others.distributions.clear();
  for (const NamedDistribution& distribution : sweep.distributions) {
    if (const auto extent = distribution.distribution->extent(distribution.parameters)) {
      sweeps.push_back(sweep_of_file(sweep, distribution, *extent, given));
    } else {
      others.distributions.push_back(distribution);
    }
  }
  if (sweeps.empty()) return {sweep};
  if (others.distributions.empty()) return sweeps;
  const std::size_t files = sweeps.size();
  for (std::size_t i = 0; i < files; ++i) {
    if (!given.keys) others.keys = sweeps[i].keys;
    if (!given.n) others.n = sweeps[i].n;
    sweeps.push_back(others);
  }
  return sweeps;
}

bool has_preset(const Algorithm& algorithm, std::string_view preset) {
  const Info& info = algorithm.info();
  return std::ranges::any_of(info.presets, [&](const auto& p) { return p.first == preset; }) ||
         (preset == kTunedPreset && local_tunings().has(algorithm));
}

void check_preset(const Algorithm& algorithm, std::string_view preset) {
  if (has_preset(algorithm, preset)) return;
  const Info& info = algorithm.info();
  if (preset == kTunedPreset && !info.parameters.empty()) {
    throw BadInput(
        fmt::format("algorithm {0}: preset 'tuned': no tuning is kept on this machine; `sortlab tune "
                    "--algorithm {0}` makes one",
                    info.name));
  }
  std::vector<std::string> names;
  for (const auto& [name, parameters] : info.presets) names.push_back(name);
  throw BadInput(fmt::format("algorithm {}: unknown preset '{}'{}; allowed: {}", info.name, preset,
                             did_you_mean(preset, names), names.empty() ? "none" : join(names)));
}

std::vector<Cell> expand_sweeps(const std::vector<Sweep>& sweeps, const Tunings& tunings,
                                const std::function<void(Case&)>& choose) {
  std::vector<Cell> cells;
  std::set<std::string> seen;
  for (const Sweep& sweep : sweeps) {
    std::vector<Parameters> parameters;
    for (const AlgorithmChoice& choice : sweep.algorithms) parameters.push_back(combine_parameters(choice));
    // A product of nine lists. The lists that determine the input form the outer loops, so that cells with the same
    // input are adjacent.
    for (const std::uint64_t n : sweep.n)
      for (const KeyType key : sweep.keys) {
        check_records(sweep, key, n);
        for (const ValueType value : sweep.values)
          for (const NamedDistribution& distribution : sweep.distributions)
            for (const std::uint64_t seed : sweep.seeds)
              for (std::size_t a = 0; a < sweep.algorithms.size(); ++a)
                for (const Place& place : sort_places(sweep, *sweep.algorithms[a].algorithm))
                  for (const int threads : sweep.threads) {
                    const Algorithm* algorithm = sweep.algorithms[a].algorithm;
                    const Layout native = sweep.layout.value_or(algorithm->info().layouts.front());
                    Case c{.algorithm = algorithm,
                           .component = sweep.algorithms[a].component,
                           .parameters = parameters[a],
                           .key = key,
                           .value = value,
                           .layout = value == ValueType::none ? Layout::separate : native,
                           .n = n,
                           .distribution = canonical(distribution, key, n),
                           .seed = seed,
                           .residency = place.residency,
                           .host_memory = place.host_memory,
                           .threads = threads,
                           .devices = place.devices,
                           .shard_sizes = place.shard_sizes};
                    const AlgorithmChoice& choice = sweep.algorithms[a];
                    if (choice.preset == kTunedPreset) use_tuning(c, choice.parameters, tunings);
                    choose ? choose(c) : resolve_automatic(c, local_profile(), tunings);
                    if (!seen.insert(cell_id(c)).second) continue;
                    cells.push_back({std::move(c), sweep.protocol});
                    Cell& cell = cells.back();
                    if (distribution.distribution->has_one_input(case_input(cell.subject))) {
                      cell.protocol.same_input = true;
                    }
                  }
      }
  }
  return cells;
}

}  // namespace sortlab
