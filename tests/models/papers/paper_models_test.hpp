// The papers' models on the papers' machines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "algorithms/plugin.hpp"
#include "models/model.hpp"

namespace sortlab {

inline constexpr double kM = 1 << 20;

inline const Model& model_named(std::string_view name) {
  for (const Model* model : all_models()) {
    if (model->info().name == name) return *model;
  }
  throw std::out_of_range{std::string{name}};
}

inline MachineProfile machine(const std::string& name) {
  return read_profile(std::string{SORTLAB_SOURCE_DIR "/models/machines/"} + name + ".json");
}

inline Prediction predicted(std::string_view model, const MachineProfile& on, const Workload& workload) {
  static const DistributionView view{parse_distribution("uniform"), KeyType::u32, 1024, 1};
  return model_named(model).predict(workload, view, on);
}

/// Parameters of a plug-in's preset of the paper, and those given on top.
inline Parameters papers(std::string_view algorithm, const GivenParameters& given = {},
                         std::string_view preset = "paper") {
  const Info& info = algorithm_named(algorithm).info();
  GivenParameters all = given;
  for (const auto& [name, values] : info.presets) {
    if (name == preset) all.insert(values.begin(), values.end());
  }
  return resolve(algorithm, info.parameters, all);
}

/// The phases of a prediction are ones that the plug-in reports, so that measured and predicted ones meet.
inline void expect_phases(std::string_view algorithm, const Prediction& prediction) {
  const std::vector<std::string>& reported = algorithm_named(algorithm).info().phases;
  for (const PhasePrediction& phase : prediction.phases) {
    EXPECT_NE(std::ranges::find(reported, phase.name), reported.end()) << algorithm << ": " << phase.name;
  }
}

inline double cycles_an_element(double seconds, const MachineProfile& on, double n) {
  return on.cores * on.clock_hz * seconds / n;
}

}  // namespace sortlab
