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

double throughput(int customers, std::span<const double> seconds, double delay) {
  if (customers < 1) throw std::invalid_argument("a network needs a customer");
  std::vector<double> waiting(seconds.size());  // jobs at each resource
  double rate = 0;
  for (int there = 1; there <= customers; ++there) {
    double turn = delay;
    for (std::size_t i = 0; i < seconds.size(); ++i) turn += seconds[i] * (1 + waiting[i]);
    rate = there / turn;
    for (std::size_t i = 0; i < seconds.size(); ++i) waiting[i] = rate * seconds[i] * (1 + waiting[i]);
  }
  return rate;
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
