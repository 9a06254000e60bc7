#include "harness/count/model_operations.hpp"

#include "core/bad_input.hpp"
#include "harness/predict/workload.hpp"
#include "models/unit_machine.hpp"

namespace sortlab {

std::optional<ModelOperations> count_operations(const Case& c) {
  if (c.algorithm->info().runs_on != Processor::host) return std::nullopt;
  static const MachineProfile units = unit_machine();
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    const ModelKind kind = model->info().kind;
    if (kind != ModelKind::component && kind != ModelKind::hardware) continue;
    try {
      Views views;
      return ModelOperations{.model = model->info().name,
                             .phases = checked_prediction(*model, make_workload(c), views.of(c), units).phases};
    } catch (const MissingQuantity&) {
    } catch (const BadInput&) {
    }
  }
  return std::nullopt;
}

}  // namespace sortlab
