// The models' predictions of cases on one machine.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/predict/workload.hpp"
#include "models/table_log.hpp"

namespace sortlab {

/// Selects the models that predict: all, without either.
struct ModelChoice {
  const Model* only = nullptr;
  std::optional<ModelKind> kind{};

  bool has(const Model& model) const { return (!only || only == &model) && (!kind || *kind == model.info().kind); }
};

class Predictor {
 public:
  /// `fits`: coefficients of the fitted models, if there are any. `views`: of inputs, shared with others.
  Predictor(MachineProfile machine, std::optional<MachineProfile> fits, ModelChoice choice,
            std::shared_ptr<Views> views = std::make_shared<Views>());
  Predictor(const Predictor&) = delete;  // the profiles name the log beside them
  Predictor& operator=(const Predictor&) = delete;

  /// A record of each model that predicts the case. Without any, left_out() has the reason.
  std::vector<nlohmann::ordered_json> of(const Case&);

  const MachineProfile& machine() const { return machine_; }
  /// Why cases have no prediction, one per line, after the reasons why models refuse this machine, one per model.
  std::vector<std::string> left_out() const;
  /// Some selected models refuse this machine, and none has predicted anything.
  bool refused_alone() const { return !refused_.empty() && !any_; }

 private:
  const MachineProfile* basis_of(const Case&, const Model&) const;

  MachineProfile machine_;
  std::optional<MachineProfile> fits_;
  ModelChoice choice_;
  TableLog log_;
  std::shared_ptr<Views> views_;
  std::set<std::string> refused_;
  std::vector<std::string> left_out_;
  bool any_ = false;
};

}  // namespace sortlab
