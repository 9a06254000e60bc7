#include "models/cost.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sortlab {

double overlapped(std::span<const double> seconds, double p) {
  if (!(p >= 1)) throw std::invalid_argument("the overlap exponent must be at least 1");
  const double longest = seconds.empty() ? 0 : std::ranges::max(seconds);
  if (longest <= 0 || std::isinf(p)) return longest;
  double sum = 0;
  for (const double time : seconds) sum += std::pow(time / longest, p);  // scaled, so that nothing underflows
  return longest * std::pow(sum, 1 / p);
}

PhasePrediction phase(std::string name, int pass, const std::vector<Demand>& demands, double p) {
  PhasePrediction prediction{.name = std::move(name), .pass = pass};
  std::vector<double> seconds;
  double longest = -1;
  for (const Demand& demand : demands) {
    seconds.push_back(demand.seconds);
    prediction.work[demand.work] += demand.amount;
    if (demand.seconds > longest) {
      longest = demand.seconds;
      prediction.binding = demand.resource;
    }
  }
  prediction.seconds = overlapped(seconds, p);
  return prediction;
}

Prediction sequence(std::vector<PhasePrediction> phases) {
  Prediction prediction{.seconds = 0, .phases = std::move(phases)};
  for (const PhasePrediction& phase : prediction.phases) prediction.seconds += phase.seconds;
  return prediction;
}

}  // namespace sortlab
