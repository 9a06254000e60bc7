#include <algorithm>
#include <array>

#include "models/coverage.hpp"
#include "models/model.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration, whatever the order of initialisation.
std::vector<std::unique_ptr<Model>>& owned() {
  static std::vector<std::unique_ptr<Model>> models;
  return models;
}

std::vector<const Model*>& by_name() {
  static std::vector<const Model*> models;
  return models;
}

}  // namespace

RegisterModel::RegisterModel(std::unique_ptr<Model> model) {
  by_name().push_back(model.get());
  owned().push_back(std::move(model));
  std::ranges::sort(by_name(), {}, [](const Model* m) { return m->info().name; });
}

const std::vector<const Model*>& all_models() {
  return by_name();
}

std::vector<const Model*> algorithm_models(std::string_view algorithm) {
  std::vector<const Model*> found;
  for (const Model* model : all_models()) {
    if (std::ranges::find(model->info().algorithms, algorithm) != model->info().algorithms.end())
      found.push_back(model);
  }
  const auto place = [](const Model* model) {
    constexpr std::array order{ModelKind::component, ModelKind::hardware, ModelKind::paper, ModelKind::fitted};
    return std::ranges::find(order, model->info().kind) - order.begin();
  };
  std::ranges::stable_sort(found, {}, place);
  return found;
}

Prediction checked_prediction(const Model& model, const Workload& workload, const DistributionView& view,
                              const MachineProfile& machine) {
  if (const auto reason = machine_refusal(model.info(), machine)) throw BadInput(*reason);
  return model.predict(workload, view, machine);
}

}  // namespace sortlab
