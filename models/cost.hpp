// The cost algebra: a phase puts work on several resources, each has its rate, and the times combine by the machine's
// overlap exponent p, which micro-benchmark MB12 measures.
//
//   T = ‖t‖_p = (Σ t_i^p)^(1/p),  t_i = work_i / rate_i;   p = 1: the resources take turns; p = ∞: they overlap fully.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.hpp"

namespace sortlab {

/// A phase's work on one resource.
struct Demand {
  std::string resource;  ///< "memory", "issue", "scatter" …: what `binding` may name
  std::string work;      ///< unit of the work: "bytes.memory", "elements", "barriers"
  double amount = 0;     ///< amount of that work, in total over all threads
  double seconds = 0;    ///< time of the resource alone
};

/// ‖seconds‖_p; p may be infinity. Throws std::invalid_argument for p < 1.
double overlapped(std::span<const double> seconds, double p);

/// Throughput (jobs per second) of a closed queueing network: `customers` jobs, each with `delay` seconds of its own
/// and seconds[i] at resource i, which serves one at a time (exact mean value analysis; Reiser and Lavenberg, J. ACM
/// 27, 1980). One customer: the times add up; very many: the slowest resource alone counts.
double throughput(int customers, std::span<const double> seconds, double delay);

/// A phase whose resources overlap with exponent p. It is bound by the resource that would take longest alone.
PhasePrediction phase(std::string name, int pass, const std::vector<Demand>& demands, double p);

/// The phases one after another.
Prediction sequence(std::vector<PhasePrediction> phases);

}  // namespace sortlab
