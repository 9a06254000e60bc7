#include "harness/predict/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <variant>

#include "harness/cell/case_text.hpp"
#include "harness/cell/problem.hpp"
#include "harness/predict/copies.hpp"
#include "harness/predict/prediction_record.hpp"
#include "harness/predict/profiles.hpp"
#include "models/coverage.hpp"

namespace sortlab {
namespace {

/// The reason no model predicts such a case, or nullopt.
std::optional<std::string> outside_of_all(const Case& c) {
  if (auto reason = refusal_of_input(c)) return reason;
  if (c.key == KeyType::string) return "no model predicts sorts of strings";
  if (c.residency == Residency::end_to_end && !is_copied_around(c) && c.host_memory != HostMemory::pinned) {
    return "the model of a sort that copies by itself knows pinned memory alone";
  }
  return std::nullopt;
}

/// The message for a parameter that is still `auto` in a record that does not hold the resolved value. Called while an
/// exception is handled, which it rethrows if no parameter is `auto`.
std::string unresolved(const Parameters& parameters) {
  for (const auto& [name, value] : parameters.all()) {
    if (parameters.is_auto(name)) return fmt::format("parameters: {} is auto; allowed: the value that ran", name);
  }
  throw;
}

/// The reason to tell why no model predicts a case: that of the kind which a calibrated machine most needs. What a
/// paper's model lacks, no calibration measures.
class NotPredicted {
 public:
  void add(const Model& model, std::string text) {
    constexpr std::array order{ModelKind::component, ModelKind::hardware, ModelKind::fitted, ModelKind::paper};
    const auto rank = std::ranges::find(order, model.info().kind) - order.begin();
    if (rank >= rank_) return;
    rank_ = rank;
    text_ = std::move(text);
  }
  /// The text; `otherwise` where no model gave a reason.
  std::string text_or(const std::string& otherwise) const { return text_.empty() ? otherwise : text_; }

 private:
  std::ptrdiff_t rank_ = std::numeric_limits<std::ptrdiff_t>::max();
  std::string text_{};
};

/// Throws BadInput for an impossible time, which may follow from values that are allowed each by itself.
void check_time(const Prediction& prediction, const MachineProfile& basis) {
  const auto possible = [](double seconds) { return std::isfinite(seconds) && seconds >= 0; };
  if (possible(prediction.seconds)) return;
  throw BadInput(fmt::format("from the profile of {} follows a time of {:g} s; allowed: finite, from 0", basis.name,
                             prediction.seconds));
}

/// Throws BadInput for a model of kind hardware that read the time of a sort's own code.
void check_kind(const ModelInfo& model, const TableLog& log) {
  if (model.kind != ModelKind::hardware) return;
  for (const auto& [name, read] : log.reads()) {
    if (read.kind == ModelKind::hardware) continue;
    throw BadInput(fmt::format("model {}: reads the table '{}' of kind {}; allowed for its kind: hardware", model.name,
                               name, to_name(read.kind)));
  }
}

}  // namespace

Predictor::Predictor(MachineProfile machine, std::optional<MachineProfile> fits, ModelChoice choice,
                     std::shared_ptr<Views> views)
    : machine_(std::move(machine)), fits_(std::move(fits)), choice_(choice), views_(std::move(views)) {
  machine_.log = &log_;
  for (MachineProfile& device : machine_.devices) device.log = &log_;
  if (fits_) fits_->log = &log_;
}

const MachineProfile* Predictor::find_basis(const Case& c, const Model& model) const {
  if (model.info().kind == ModelKind::fitted) return &*fits_;
  return runs_on(c, machine_);
}

std::vector<Predictor::Answer> Predictor::of(const Case& c) {
  std::vector<Answer> answers;
  if (const auto reason = outside_of_all(c)) {
    left_out_.push_back(fmt::format("{}: {}", case_text(c), *reason));
    return answers;
  }
  NotPredicted reason;
  bool refused = false;
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    if (!choice_.has(*model) || (model->info().kind == ModelKind::fitted && !fits_)) continue;
    const MachineProfile* const basis = find_basis(c, *model);
    if (basis == nullptr) {
      reason.add(*model, fmt::format("the profile of {} has no device; `sortlab calibrate --only device` measures one",
                                     machine_.name));
      continue;
    }
    if (auto refusal = machine_refusal(model->info(), *basis)) {
      refused_.insert(std::move(*refusal));
      refused = true;
      continue;
    }
    try {
      const DistributionView& view = views_->of(c);
      log_.clear();
      Prediction prediction = checked_prediction(*model, make_workload(c), view, *basis);
      if (is_copied_around(c)) prediction = with_copies(std::move(prediction), c, *runs_on(c, machine_));
      check_time(prediction, *basis);
      check_kind(model->info(), log_);
      std::optional<EnergyPrediction> energy;
      if (model->info().kind == ModelKind::hardware && c.residency == Residency::device) {
        energy = predict_energy(prediction, *basis);
      }
      const std::string& known = prediction.basis.empty() ? view.basis() : prediction.basis;
      answers.push_back({model, prediction_record({c, *model, prediction, *basis, log_, known, energy}, machine_)});
    } catch (const MissingQuantity& error) {
      reason.add(*model, error.what());
    } catch (const BadInput& error) {
      reason.add(*model, error.what());
    } catch (const std::bad_variant_access&) {  // a word where a number is expected
      reason.add(*model, unresolved(c.parameters));
    } catch (const std::invalid_argument&) {  // or the opposite
      reason.add(*model, unresolved(c.parameters));
    }
  }
  any_ = any_ || !answers.empty();
  // A refusal is reported once for all cases.
  if (answers.empty() && !refused) {
    left_out_.push_back(fmt::format("{}: {}", case_text(c),
                                    reason.text_or(fmt::format("no model predicts {}", c.algorithm->info().name))));
  }
  return answers;
}

std::vector<std::string> Predictor::left_out() const {
  std::vector<std::string> all(refused_.begin(), refused_.end());
  all.insert(all.end(), left_out_.begin(), left_out_.end());
  return all;
}

}  // namespace sortlab
