#include "harness/predict/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "harness/cell/case_text.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/predict/profiles.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMinFactor = 0.01, kMaxFactor = 100;  ///< range of factors for which the rules are made

/// Reads "2x", "0.5x" or "2".
std::optional<double> read_factor(std::string_view text) {
  if (text.ends_with('x')) text.remove_suffix(1);
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc{} || end != text.data() + text.size() || !(factor >= kMinFactor && factor <= kMaxFactor))
    return {};
  return factor;
}

/// The scaled host or device that runs the sort; nameless, for predictions of which no record is kept.
MachineProfile nameless_variant(const MachineProfile& runner, const Factors& factors, bool device) {
  try {
    return scaled(runner, factors, device);
  } catch (const MissingQuantity& error) {
    throw BadInput(fmt::format("machine: {}", error.what()));
  }
}

/// The same under another name, so that no measurement is joined with it.
MachineProfile variant(const MachineProfile& runner, const Factors& factors, bool device) {
  MachineProfile made = nameless_variant(runner, factors, device);
  made.devices.clear();
  std::vector<std::string> said;
  for (const auto& [resource, factor] : factors) said.push_back(fmt::format("{} {:g}x", resource, factor));
  made.name = fmt::format("{} with {}", runner.name, join(said));
  constexpr std::string_view suffix = "-what-if";
  if (!made.id.ends_with(suffix)) made.id += suffix;
  set_hash(made);
  return made;
}

/// The prediction of one model. Throws BadInput with the reason if it cannot predict.
Json record_on(const MachineProfile& machine, const Case& c, const Model* model, const std::shared_ptr<Views>& views) {
  Predictor predictor{machine, std::nullopt, {.only = model}, views};
  std::vector<Predictor::Answer> answers = predictor.of(c);
  if (answers.empty()) throw BadInput(fmt::format("nothing can be predicted: {}", predictor.left_out().front()));
  return std::move(answers.front().record);
}

/// The first model of kind component, else of kind hardware, that predicts the case on this machine and on a scaled
/// one. Throws BadInput with the first reason.
const Model* first_model(const Case& c, const MachineProfile& machine, const std::shared_ptr<Views>& views) {
  const bool device = runs_on_device(c);
  std::optional<std::string> reason;
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    if (model->info().kind != ModelKind::component && model->info().kind != ModelKind::hardware) continue;
    try {
      record_on(machine, c, model, views);
      record_on(nameless_variant(*runs_on(c, machine), {{"memory.bandwidth", 2}}, device), c, model, views);
      return model;
    } catch (const BadInput& error) {
      if (!reason) reason = error.what();
    }
  }
  if (reason) throw BadInput(*reason);
  throw BadInput(
      fmt::format("nothing can be predicted: {}: no model of kind component or hardware predicts it", case_text(c)));
}

double phase_seconds(const Json& record, const Json& phase) {
  double seconds = 0;
  for (const Json& one : record["phases"]) {
    if (one["name"] == phase["name"] && one["pass"] == phase["pass"]) seconds += one["seconds"].get<double>();
  }
  return seconds;
}

/// Predictions of one case by one model, each with what binds its phases: the resource whose doubling shortens the
/// phase most, by the same model.
class Binding {
 public:
  Binding(const Case& c, const Model* model, std::shared_ptr<Views> views)
      : case_(c), model_(model), views_(std::move(views)), device_(runs_on_device(c)) {}

  /// `runner`: the host or device of `machine` that runs the sort.
  Json predict(const MachineProfile& machine, const MachineProfile& runner) const {
    Json record = record_on(machine, case_, model_, views_);
    const std::vector<std::pair<std::string_view, Json>> doubled = all_doubled(runner);
    for (Json& phase : record["phases"]) {
      const double now = phase_seconds(record, phase);
      double most = kLeastGain * now;
      phase["binding"] = "none";
      for (const auto& [resource, better] : doubled) {
        const double gain = now - phase_seconds(better, phase);
        if (gain <= most) continue;
        most = gain;
        phase["binding"] = resource;
      }
    }
    return record;
  }

 private:
  static constexpr double kLeastGain = 1e-3;  ///< share of a phase's time; where no resource gains more, none binds

  std::vector<std::pair<std::string_view, Json>> all_doubled(const MachineProfile& runner) const {
    std::vector<std::pair<std::string_view, Json>> made;
    for (const Resource& resource : scalable_resources(device_)) {
      const double factor = resource.latency ? 0.5 : 2;
      try {
        made.emplace_back(resource.name,
                          record_on(nameless_variant(runner, {{std::string{resource.name}, factor}}, device_), case_,
                                    model_, views_));
      } catch (const BadInput&) {  // the model cannot tell this resource's share
      }
    }
    return made;
  }

  const Case& case_;
  const Model* model_;
  std::shared_ptr<Views> views_;
  bool device_;
};

}  // namespace

bool runs_on_device(const Case& c) {
  return is_on_devices(c.algorithm->info().runs_on);
}

Factors read_factors(const std::vector<std::string>& texts, bool device) {
  std::vector<std::string> names;
  for (const Resource& resource : scalable_resources(device)) names.emplace_back(resource.name);
  Factors factors;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(names, name) == names.end()) {
      throw BadInput(fmt::format("set: unknown resource '{}' of a {}{}; allowed: {}", name, device ? "GPU" : "host",
                                 did_you_mean(name, names), join(names)));
    }
    const auto factor =
        equals == std::string::npos ? std::nullopt : read_factor(std::string_view{text}.substr(equals + 1));
    if (!factor) {
      throw BadInput(fmt::format("set: {}: '{}' is no factor; allowed: from {:g}x to {:g}x, as in {}=2x", name,
                                 equals == std::string::npos ? "" : text.substr(equals + 1), kMinFactor, kMaxFactor,
                                 name));
    }
    if (!factors.emplace(name, *factor).second) {
      throw BadInput(fmt::format("set: {} is set twice; allowed: once", name));
    }
  }
  return factors;
}

WhatIf what_if(const Case& c, const MachineProfile& machine, const WhatIfAsked& asked) {
  const bool device = runs_on_device(c);
  const MachineProfile* const runner = runs_on(c, machine);
  if (runner == nullptr) {
    throw BadInput(fmt::format(
        "machine: the profile of {} has no device; `sortlab calibrate --only device` measures one", machine.name));
  }
  const auto views = std::make_shared<Views>();  // all predictions share the input
  const Model* const model = asked.model != nullptr ? asked.model : first_model(c, machine, views);
  const Binding binding{c, model, views};
  WhatIf found{.now = binding.predict(machine, *runner), .asked = {}, .varied = {}};
  const MachineProfile from = asked.set.empty() ? *runner : variant(*runner, asked.set, device);
  found.asked = asked.set.empty() ? found.now : binding.predict(from, from);
  const Json of = found.asked["profile"]["hash"];
  if (!asked.set.empty()) found.asked["what_if"] = {{"of", of}};
  for (const Resource& resource : scalable_resources(device)) {
    const auto varied = [&](double times_as_good) {
      const double factor = resource.latency ? 1 / times_as_good : times_as_good;
      const MachineProfile made = variant(from, {{std::string{resource.name}, factor}}, device);
      Json record = binding.predict(made, made);
      record["what_if"] = {{"of", of}, {"resource", resource.name}, {"times_as_good", times_as_good}};
      return record;
    };
    try {
      found.varied.push_back({resource, varied(asked.by), varied(1 / asked.by)});
    } catch (const BadInput& error) {
      found.varied.push_back({.resource = resource, .better = {}, .worse = {}, .why_not = error.what()});
    }
  }
  if (std::ranges::none_of(found.varied, [](const auto& one) { return one.why_not.empty(); })) {
    throw BadInput(found.varied.front().why_not);
  }
  return found;
}

}  // namespace sortlab
