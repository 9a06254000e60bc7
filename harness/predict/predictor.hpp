// Predictions of cases on one machine by the models.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/predict/workload.hpp"
#include "models/table_log.hpp"

namespace sortlab {

/// Selects the models that predict; by default all.
struct ModelChoice {
  const Model* only = nullptr;
  std::optional<ModelKind> kind{};

  bool has(const Model& model) const { return (!only || only == &model) && (!kind || *kind == model.info().kind); }
};

class Predictor {
 public:
  /// `fits`: coefficients of the fitted models, if any. `views`: views of inputs, shared with other predictors.
  Predictor(MachineProfile machine, std::optional<MachineProfile> fits, ModelChoice choice,
            std::shared_ptr<Views> views = std::make_shared<Views>());
  Predictor(const Predictor&) = delete;  // the profiles refer to the log
  Predictor& operator=(const Predictor&) = delete;

  struct Answer {
    const Model* model = nullptr;
    nlohmann::ordered_json record;
  };
  /// The answer of each model that predicts the case. Without any, left_out() has the reason.
  std::vector<Answer> of(const Case&);

  const MachineProfile& machine() const { return machine_; }
  /// The reasons models refuse this machine, one line each, then the reasons cases have no prediction, one line each.
  std::vector<std::string> left_out() const;
  /// True if some selected models refuse this machine and none has predicted anything.
  bool refused_alone() const { return !refused_.empty() && !any_; }

 private:
  const MachineProfile* find_basis(const Case&, const Model&) const;

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
