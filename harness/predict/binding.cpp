#include "harness/predict/binding.hpp"

#include "models/scaling.hpp"

namespace sortlab {
namespace {

constexpr double kLeastGain = 1e-3;  ///< share of a phase's time; where no resource gains more, none binds

/// Seconds of the phases that share their name and pass with `phase`.
double phase_seconds(const Prediction& prediction, const PhasePrediction& phase) {
  double seconds = 0;
  for (const PhasePrediction& one : prediction.phases) {
    if (one.name == phase.name && one.pass == phase.pass) seconds += one.seconds;
  }
  return seconds;
}

}  // namespace

Binding::Binding(const MachineProfile& runner, bool device) {
  for (const Resource& resource : scalable_resources(device)) {
    try {
      const double factor = resource.latency ? 0.5 : 2;
      doubled_.emplace_back(resource.name, scaled(runner, {{std::string{resource.name}, factor}}, device));
    } catch (const MissingQuantity&) {  // a rule needs what the profile does not hold
    }
  }
}

std::vector<std::string> Binding::of(const Prediction& now,
                                     const std::function<Prediction(const MachineProfile&)>& predict) const {
  std::vector<std::pair<std::string_view, Prediction>> better;
  for (const auto& [resource, machine] : doubled_) {
    try {
      better.emplace_back(resource, predict(machine));
    } catch (const MissingQuantity&) {  // no rule scales a table of the model
    } catch (const BadInput&) {         // or the model cannot tell this resource's share
    }
  }
  std::vector<std::string> names;
  if (better.empty()) return names;
  for (const PhasePrediction& phase : now.phases) {
    const double before = phase_seconds(now, phase);
    double most = kLeastGain * before;
    std::string& name = names.emplace_back("none");
    for (const auto& [resource, prediction] : better) {
      const double gain = before - phase_seconds(prediction, phase);
      if (gain <= most) continue;
      most = gain;
      name = resource;
    }
  }
  return names;
}

}  // namespace sortlab
