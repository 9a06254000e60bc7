#include "harness/predict/model_tables.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/cell/candidates.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// Resolves `auto` to the first candidate, or to the first allowed word.
void settle(Case& c) {
  for (const Parameter& parameter : c.algorithm->info().parameters) {
    if (!c.parameters.is_auto(parameter.name)) continue;
    const auto candidates =
        list_candidates(*c.algorithm, parameter, case_problem(c), c.parameters, {.threads = c.threads, .cpus = {}});
    if (!candidates.empty()) {
      c.parameters.set(parameter.name, candidates.front());
    } else if (!parameter.choices.empty()) {
      c.parameters.set(parameter.name, parameter.choices.front());
    }
  }
}

/// Default parameters, presets, and the defaults with one parameter changed.
std::vector<Parameters> settings(const Info& info) {
  const Parameters standard = resolve(info.name, info.parameters, {});
  std::vector<Parameters> all{standard};
  for (const auto& [name, given] : info.presets) all.push_back(resolve(info.name, info.parameters, given));
  const auto with = [&](const Parameter& parameter, Value value) {
    all.push_back(standard);
    all.back().set(parameter.name, std::move(value));
  };
  for (const Parameter& parameter : info.parameters) {
    for (const std::string& word : parameter.choices) with(parameter, word);
    if (!parameter.choices.empty()) continue;
    for (const std::int64_t candidate : parameter.automatic) with(parameter, candidate);
  }
  return all;
}

/// A view of one input for all cells, since the tables read depend only on types, sizes and parameters.
const DistributionView& shared_view(KeyType key) {
  constexpr std::uint64_t traced = std::uint64_t{1} << 12;
  static const NamedDistribution uniform = parse_distribution("uniform");
  static std::map<KeyType, DistributionView> views;
  return views.try_emplace(key, uniform, key, 16 * traced, 1, traced).first->second;
}

void read_all(const Model& model, const Algorithm& algorithm, const MachineProfile& machine) {
  const Info& info = algorithm.info();
  const bool device = is_on_devices(info.runs_on);
  const MachineProfile* const runner = device ? machine.device() : &machine;
  if (runner == nullptr) return;
  const std::vector<Parameters> all = settings(info);
  for (const KeyType key : {KeyType::u32, KeyType::u64, KeyType::f32}) {
    for (const ValueType value : {ValueType::none, ValueType::u32, ValueType::u64}) {
      for (const std::uint64_t n : {std::uint64_t{1} << 14, std::uint64_t{1} << 25}) {
        for (const int threads : device || machine.cores == 1 ? std::vector{1} : std::vector{1, machine.cores}) {
          std::vector<Parameters> done;  // settings that resolve to the same parameters are predicted once
          for (const Parameters& parameters : all) {
            Case c{.algorithm = &algorithm, .parameters = parameters, .key = key, .value = value, .distribution = {}};
            c.n = n;
            c.distribution = parse_distribution("uniform");
            c.residency = own_residency(info.runs_on);
            c.threads = threads;
            settle(c);
            if (std::ranges::find(done, c.parameters) != done.end()) continue;
            done.push_back(c.parameters);
            try {
              (void)checked_prediction(model, make_workload(c), shared_view(key), *runner);
            } catch (const std::exception&) {
              continue;  // a quantity is missing, or the model declines
            }
          }
        }
      }
    }
  }
}

}  // namespace

TableLog find_tables_read(const Model& model, std::span<const MachineProfile> machines) {
  TableLog log;
  for (MachineProfile machine : machines) {  // a copy, which refers to the log
    machine.log = &log;
    for (MachineProfile& device : machine.devices) device.log = &log;
    for (const Algorithm* algorithm : all_algorithms()) {
      if (std::ranges::find(model.info().algorithms, algorithm->info().name) != model.info().algorithms.end()) {
        read_all(model, *algorithm, machine);
      }
    }
  }
  return log;
}

}  // namespace sortlab
