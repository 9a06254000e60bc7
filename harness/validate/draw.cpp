#include "harness/validate/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include "core/affinity.hpp"
#include "core/json_field.hpp"
#include "core/pair_bytes.hpp"
#include "core/visible_files.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/parse.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/plan/work.hpp"
#include "harness/tune/tune.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// Random draws that are the same with every standard library, unlike those of its distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

std::uint64_t drawn_size(Dice& dice, int most_log2, const std::set<std::uint64_t>& apart_from) {
  const int steps = (most_log2 - kLeastLog2) * kSizesPerOctave;
  while (true) {
    const auto step = static_cast<int>(dice.below(static_cast<std::uint64_t>(steps)));
    if (step % kSizesPerOctave == 0) continue;  // powers of two are common in configs
    const double log2 = kLeastLog2 + static_cast<double>(step) / kSizesPerOctave;
    const auto n = static_cast<std::uint64_t>(std::llround(std::exp2(log2)));
    if (!apart_from.contains(n)) return n;
  }
}

/// A random value of a distribution's parameter: a word, a share of the range, or an integer with a log-uniform size.
std::string drawn_value(Dice& dice, const Parameter& parameter) {
  constexpr double largest = 0x1p24;
  if (!parameter.choices.empty()) return dice.of(parameter.choices);
  const auto [smallest, most] = parameter.range;
  if (std::holds_alternative<double>(parameter.standard)) {
    return fmt::format("{:.2f}", smallest + dice.share() * (most - smallest));
  }
  const double low = std::max(smallest, 1.0);
  const double high = std::clamp(most, low, largest);
  return fmt::format("{}", std::llround(low * std::pow(high / low, dice.share())));
}

NamedDistribution drawn_distribution(Dice& dice) {
  constexpr std::uint64_t most_ands = 8;
  if (dice.one_in(2)) {
    const std::uint64_t ands = dice.below(most_ands + 1);
    return parse_distribution(ands == 0 ? "uniform" : fmt::format("thearling:ands={}", ands));
  }
  std::vector<const DistributionInfo*> all;
  for (const Distribution* distribution : all_distributions()) {
    const bool entropies = distribution->info().name == "thearling";  // these make up the other half of the draws
    const bool named_by_user = takes_text(distribution->info().parameters);
    if (!distribution->makes_records() && !entropies && !named_by_user) all.push_back(&distribution->info());
  }
  const DistributionInfo& info = *dice.of(all);
  std::string text = info.name;
  for (const Parameter& parameter : info.parameters) {
    if (dice.one_in(3)) {
      text += fmt::format("{}{}={}", text == info.name ? ':' : ',', parameter.name, drawn_value(dice, parameter));
    }
  }
  return parse_distribution(text);
}

/// Default parameters or a preset. In half of the draws one parameter has another value.
Parameters drawn_parameters(Dice& dice, const Info& info) {
  GivenParameters given;
  if (const std::uint64_t which = dice.below(info.presets.size() + 1); which > 0) {
    given = info.presets[which - 1].second;
  }
  if (!info.parameters.empty() && dice.one_in(2)) {
    const Parameter& other = dice.of(info.parameters);
    if (const std::vector<Value> values = values_to_try(other); !values.empty()) {
      given.insert_or_assign(other.name, to_text(dice.of(values)));
    }
  }
  return resolve(info.name, info.parameters, given);
}

int drawn_threads(Dice& dice, const Info& info, std::uint64_t cpus) {
  if (!info.parallel || info.runs_on == Processor::device) return 1;
  switch (dice.below(3)) {
    case 0: return 1;
    case 1: return static_cast<int>(cpus);
    default: return static_cast<int>(1 + dice.below(cpus));
  }
}

Case drawn_case(Dice& dice, const Algorithm& algorithm, const std::set<std::uint64_t>& apart_from, std::uint64_t cpus) {
  const Info& info = algorithm.info();
  Case c{.algorithm = &algorithm, .parameters = drawn_parameters(dice, info), .distribution = {}};
  c.key = dice.of(info.keys);
  c.value = dice.of(info.values);
  if (c.value != ValueType::none) c.layout = info.layouts.front();
  c.n = drawn_size(dice, info.runs_on == Processor::host ? kMaxLog2Host : kMaxLog2Device, apart_from);
  c.distribution = drawn_distribution(dice);
  c.seed = 1 + dice.below(std::uint64_t{1} << 31);
  c.residency = own_residency(info.runs_on);
  c.threads = drawn_threads(dice, info, cpus);
  return c;
}

/// Gives a case the input of another, and its threads as far as the plug-in runs on several.
void share_input(Case& c, const Case& other) {
  const Info& info = c.algorithm->info();
  c.key = other.key;
  c.value = other.value;
  c.layout = c.value == ValueType::none || info.layouts.empty() ? other.layout : info.layouts.front();
  c.n = other.n;
  c.distribution = other.distribution;
  c.seed = other.seed;
  if (info.parallel && info.runs_on != Processor::device) c.threads = other.threads;
}

/// The models that may predict an algorithm.
std::vector<const Model*> asked_models(const Algorithm& algorithm, const std::optional<ModelKind>& kind) {
  std::vector<const Model*> models;
  for (const Model* model : algorithm_models(algorithm.info().name)) {
    if (is_validated(model->info().kind) && (!kind || *kind == model->info().kind)) models.push_back(model);
  }
  return models;
}

/// True if the cells are drawn for another machine, where they are predicted only.
bool is_elsewhere(const MachineProfile& machine) {
  return machine.id != machine_id();
}

/// The reason a case cannot run in a validation, or nullopt.
std::optional<std::string> reason_against(const Case& c, const MachineProfile& machine) {
  if (c.key == KeyType::string) return "no model predicts sorts of strings";
  if (is_elsewhere(machine)) {
    if (auto reason = refusal_anywhere(c)) return reason;
  } else if (auto reason = reason_to_skip({c, {}})) {
    return reason->text;
  }
  const MachineProfile* const runner = runs_on(c, machine);
  if (runner == nullptr) return "the profile has no device";
  if (c.residency == Residency::device &&
      static_cast<double>(c.n * pair_bytes(c.key, c.value)) > runner->memory_bytes / 5) {
    return "it would not fit in the device's memory beside its copy";
  }
  return std::nullopt;
}

/// The reason each requested kind of model does not predict a case; kinds that predict it have nullopt. A small sample
/// of a smaller input tells. Throws BadInput if the distribution declines.
std::map<ModelKind, std::optional<std::string>> refusals(const Case& c, const DrawOptions& options,
                                                         const MachineProfile& machine) {
  constexpr std::uint64_t small = std::uint64_t{1} << 16;
  constexpr std::uint64_t traced = std::uint64_t{1} << 11;
  Input input = case_input(c);
  input.n = std::min(c.n, small);
  const Distribution& distribution = *c.distribution.distribution;
  const std::uint64_t n = distribution.has_ranges() || distribution.declines(input) ? c.n : input.n;
  const DistributionView view{c.distribution, c.key, n, c.seed, traced};
  std::map<ModelKind, std::optional<std::string>> reasons;
  for (const ModelKind kind : {ModelKind::component, ModelKind::hardware}) {
    if (options.kind && *options.kind != kind) continue;
    std::optional<std::string>& reason = reasons[kind];
    reason = fmt::format("no model of kind {} predicts the sort", to_name(kind));
    for (const Model* model : asked_models(*c.algorithm, kind)) {
      try {
        static_cast<void>(checked_prediction(*model, make_workload(c), view, *runs_on(c, machine)));
        reason.reset();
        break;
      } catch (const std::exception& error) {  // the model declines, or the profile lacks a quantity
        reason = error.what();
      }
    }
  }
  return reasons;
}

/// Plug-ins that a requested model predicts and that run here, or those on another machine. The reasons for others are
/// added to `left_out`.
std::vector<const Algorithm*> candidates(const DrawOptions& options, const MachineProfile& machine,
                                         std::vector<std::string>& left_out) {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : all_algorithms()) {
    const std::string& name = algorithm->info().name;
    const bool wanted = options.algorithms.empty() || std::ranges::count(options.algorithms, name) > 0;
    if (!wanted || (options.energy && algorithm->info().runs_on != Processor::device)) continue;
    if (asked_models(*algorithm, options.kind).empty()) continue;
    if (auto reason = algorithm->unavailable(); reason && !is_elsewhere(machine)) {
      left_out.push_back(fmt::format("{}: {}", name, *reason));
    } else {
      found.push_back(algorithm);
    }
  }
  return found;
}

/// Collects cells while there is time for them.
class Filling {
 public:
  Filling(const DrawOptions& options, const MachineProfile& machine, Drawn& drawn)
      : options_(options), machine_(machine), drawn_(drawn) {}

  bool is_full() const { return filled_s_ >= options_.fill_s || drawn_.cells.size() >= options_.most_cells; }

  /// Adds a cell. Returns the reason it was not added, or nullopt.
  std::optional<std::string> add(Cell cell) {
    constexpr double around_a_cell_s = 0.05;   // a worker's message, waiting for free cores
    constexpr double input_s_per_byte = 3e-9;  // making, restoring and verifying it
    if (auto reason = reason_against(cell.subject, machine_)) return reason;
    const auto bytes = static_cast<double>(cell.subject.n * pair_bytes(cell.subject.key, cell.subject.value));
    const double made_s = cell.subject.residency == Residency::device ? 0 : bytes * input_s_per_byte;
    const double estimate_s = estimate_seconds({cell}, &machine_).front() + made_s + around_a_cell_s;
    const double metered_s = cell.protocol.energy ? kMeteringEstimate_s : 0;
    if (estimate_s - metered_s > std::max(1.0, options_.largest_share * options_.fill_s)) return "it takes too long";
    if (!seen_.insert(cell_id(cell.subject)).second) return "it is there already";
    if (auto reason = reason_unpredicted(cell.subject)) return reason;
    filled_s_ += estimate_s;
    drawn_.cells.push_back(std::move(cell));
    return std::nullopt;
  }

 private:
  /// Counts the case as predicted or not by each kind. Returns the last reason if no kind predicts it, or nullopt.
  std::optional<std::string> reason_unpredicted(const Case& c) {
    std::optional<std::string> last;
    bool predicted = false;
    for (const auto& [kind, reason] : refusals(c, options_, machine_)) {
      Coverage& coverage = drawn_.coverage[{kind, c.algorithm->info().name, c.threads}];
      ++coverage.drawn;
      if (reason) ++coverage.refused[*reason];
      predicted = predicted || !reason;
      if (reason) last = reason;
    }
    return predicted ? std::nullopt : last;
  }

  const DrawOptions& options_;
  const MachineProfile& machine_;
  Drawn& drawn_;
  std::set<std::string> seen_;
  double filled_s_ = 0;
};

void draw_anything(const DrawOptions& options, const MachineProfile& machine, Dice& dice, Drawn& drawn) {
  constexpr int most_tries = 250;  // draws after which a plug-in is given up
  const std::set<std::uint64_t> apart_from = sizes_of_configs();
  std::vector<const Algorithm*> turn = candidates(options, machine, drawn.left_out);
  const auto cpus = static_cast<std::uint64_t>(is_elsewhere(machine) ? machine.cores : allowed_cpus().size());
  Filling filling{options, machine, drawn};
  std::set<std::string> of;
  const std::vector<Cell>& cells = drawn.cells;
  while (!turn.empty() && !filling.is_full()) {
    dice.shuffle(turn);
    std::erase_if(turn, [&](const Algorithm* algorithm) {
      if (filling.is_full()) return false;
      std::optional<std::string> why;
      for (int tries = 0; tries < most_tries; ++tries) {
        try {
          Case c = drawn_case(dice, *algorithm, apart_from, cpus);
          if (tries == 0 && dice.one_in(2) && !cells.empty()) share_input(c, cells.back().subject);
          resolve_automatic(c, &machine);
          why = filling.add({std::move(c), validation_protocol(options.energy)});
        } catch (const BadInput& error) {  // a value that conflicts with other parameters
          why = error.what();
        }
        if (!why) {
          of.insert(algorithm->info().name);
          return false;
        }
      }
      if (!of.contains(algorithm->info().name)) {
        drawn.left_out.push_back(fmt::format("{}: {}", algorithm->info().name, *why));
      }
      return true;
    });
  }
  drawn.algorithms.assign(of.begin(), of.end());
}

void draw_among(const DrawOptions& options, const MachineProfile& machine, Dice& dice, Drawn& drawn) {
  std::vector<Cell> cells = options.among;
  dice.shuffle(cells);
  Filling filling{options, machine, drawn};
  std::set<std::string> of;
  std::map<std::string, std::string> reasons;
  for (Cell& cell : cells) {
    if (filling.is_full()) break;
    const std::string& name = cell.subject.algorithm->info().name;
    if (!options.algorithms.empty() && std::ranges::count(options.algorithms, name) == 0) continue;
    if (options.energy && cell.subject.residency != Residency::device) continue;
    const Protocol protocol = protocol_for(cell.subject, validation_protocol(options.energy));
    if (const auto why = filling.add({std::move(cell.subject), protocol})) {
      reasons.emplace(name, *why);
    } else {
      of.insert(name);
    }
  }
  for (const auto& [name, why] : reasons) {
    if (!of.contains(name)) drawn.left_out.push_back(fmt::format("{}: {}", name, why));
  }
  drawn.algorithms.assign(of.begin(), of.end());
}

}  // namespace

std::size_t Coverage::unpredicted() const {
  std::size_t all = 0;
  for (const auto& [reason, cells] : refused) all += cells;
  return all;
}

std::set<std::uint64_t> sizes_of_configs() {
  std::set<std::uint64_t> sizes;
  fs::path root;
  try {
    root = checkout_root();
  } catch (const BadInput&) {
    return sizes;
  }
  for (const char* folder : {"configs", "algorithms"}) {
    for (const fs::path& file : visible_files(root / folder, ".json", FolderDepth::with_subfolders)) {
      if (file.parent_path().filename() == "schemas") continue;
      const nlohmann::ordered_json json = read_json_file(file);
      const JsonField config{json, file.string()};
      const auto sweeps = config.find("sweeps");
      for (const JsonField& sweep : sweeps ? sweeps->list() : std::vector<JsonField>{}) {
        const auto n = sweep.find("n");
        for (const JsonField& one : n ? n->list() : std::vector<JsonField>{}) sizes.insert(parse_count(one.scalar()));
      }
    }
  }
  return sizes;
}

Protocol protocol_for(const Case& c, Protocol protocol) {
  protocol.same_input = c.distribution.distribution->has_one_input(case_input(c));
  return protocol;
}

Protocol validation_protocol(bool energy) {
  Protocol protocol;
  protocol.energy = energy;
  protocol.budget_s = 0.4;
  protocol.interval_share = 0.04;
  protocol.max_samples = 21;
  return protocol;
}

void check(const DrawOptions& options) {
  for (const std::string& name : options.algorithms) {
    if (!asked_models(algorithm_named(name), options.kind).empty()) continue;
    throw BadInput(
        fmt::format("algorithm: no model of kind {} predicts {}; `sortlab list models` shows which there are",
                    options.kind ? to_name(*options.kind) : "component or hardware", name));
  }
}

Drawn draw(const DrawOptions& options, const MachineProfile& machine) {
  Dice dice{options.seed};
  Drawn drawn;
  if (options.among.empty()) {
    draw_anything(options, machine, dice, drawn);
  } else {
    draw_among(options, machine, dice, drawn);
  }
  if (drawn.cells.empty()) {
    throw BadInput(fmt::format("nothing can be drawn: {}", drawn.left_out.empty()
                                                               ? "no plug-in has a model of this kind"
                                                               : drawn.left_out.front()));
  }
  return drawn;
}

}  // namespace sortlab
