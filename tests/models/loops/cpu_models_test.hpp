// An invented machine on which the models of sorts on the CPU are tested.
#pragma once

#include <map>
#include <stdexcept>

#include "models/model.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {

inline constexpr double kNano = 1e-9;

/// Memory and threads cost nothing.
inline MachineProfile machine(std::map<std::string, ProfileTable, std::less<>> tables) {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 2;
  tables.insert({{"read", constant({"threads", "bytes"}, 1e18)},
                 {"copy", constant({"threads", "bytes"}, 1e18)},
                 {"copy_nt", constant({"threads", "bytes"}, 1e18)},
                 {"write_nt", constant({"threads", "bytes"}, 1e18)},
                 {"latency", constant({"bytes"}, 0)},
                 {"map", constant({"key"}, kNano)},
                 {"prefix", constant({}, 0)},
                 {"overlap.read", constant({"threads", "key"}, 16)},
                 {"barrier", constant({"threads"}, 0)},
                 {"wake", constant({"threads"}, 0)}});
  profile.tables = std::move(tables);
  return profile;
}

inline Prediction predicted(const Workload& workload, const std::string& distribution, const MachineProfile& on) {
  const DistributionView view{parse_distribution(distribution), workload.key, workload.n, 1};
  for (const Model* model : algorithm_models(workload.algorithm)) {
    if (model->info().name == workload.algorithm) return model->predict(workload, view, on);
  }
  throw std::logic_error("no model");
}

/// Seconds of the phases of one name.
inline double seconds(const Prediction& prediction, std::string_view name) {
  double sum = 0;
  for (const auto& phase : prediction.phases) sum += phase.name == name ? phase.seconds : 0;
  return sum;
}

}  // namespace sortlab
