#include "harness/plan/automatic.hpp"

#include <algorithm>
#include <limits>

#include "harness/cell/problem.hpp"

namespace sortlab {
namespace {

/// Ratio of predicted times above which two choices count as equally fast: calibration is not more exact than 5 %.
constexpr double kIndistinguishable = 0.95;

/// A parameter that is `auto`, and its candidates in order of preference.
struct Open {
  std::string name;
  std::vector<Value> candidates;
};

/// Visits all combinations of candidates of the parameters `open`, in order of preference.
void each_choice(const std::vector<Open>& open, std::size_t next, Case& c, const auto& visit) {
  if (next == open.size()) {
    visit();
    return;
  }
  for (const Value& candidate : open[next].candidates) {
    c.parameters.set(open[next].name, candidate);
    each_choice(open, next + 1, c, visit);
  }
}

/// The first model that predicts this machine, and not a paper's, without sort times.
const Model* predicting_model(const Case& c) {
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    const ModelKind kind = model->info().kind;
    if (kind == ModelKind::component || kind == ModelKind::hardware) return model;
  }
  return nullptr;
}

}  // namespace

void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings) {
  use_tuning_where_auto(c, tunings);
  std::vector<Open> open;
  const Problem problem = case_problem(c);
  for (const Parameter& parameter : c.algorithm->info().parameters) {
    if (!c.parameters.is_auto(parameter.name)) continue;
    const Resources resources{.threads = c.threads, .cpus = {}};
    Open one{parameter.name, list_candidates(*c.algorithm, parameter, problem, c.parameters, resources)};
    if (one.candidates.size() == 1) {
      c.parameters.set(one.name, one.candidates.front());
    } else {
      open.push_back(std::move(one));
    }
  }
  if (open.empty()) return;

  for (const Open& one : open) c.parameters.set(one.name, one.candidates.at(0));
  const Model* model = predicting_model(c);
  const MachineProfile* const runner = machine == nullptr ? nullptr : runs_on(c, *machine);
  if (model == nullptr || runner == nullptr || refusal(c)) return;
  // A smaller sample than for a prediction, since whole plans wait for it. Candidates differ by more than its error.
  constexpr std::uint64_t traced = std::uint64_t{1} << 14;
  const std::uint64_t n = c.distribution.distribution->has_ranges() ? c.n : std::min(c.n, 16 * traced);
  const DistributionView view{c.distribution, c.key, n, c.seed, traced};
  Parameters best = c.parameters;
  double shortest = std::numeric_limits<double>::infinity();
  each_choice(open, 0, c, [&] {
    try {
      const double seconds = checked_prediction(*model, make_workload(c), view, *runner).seconds;
      if (seconds < kIndistinguishable * shortest) {
        shortest = seconds;
        best = c.parameters;
      }
    } catch (const MissingQuantity&) {
      // An older profile: take the first candidates.
    } catch (const BadInput&) {
      // The model refuses the profile: take the first candidates.
    }
  });
  c.parameters = best;
}

}  // namespace sortlab
