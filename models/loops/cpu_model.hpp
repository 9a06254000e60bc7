// A model of a CPU sort, as a class that takes a workload, a view of the input and a machine, and predicts.
#pragma once

#include <memory>
#include <utility>

#include "models/loops/pieces.hpp"
#include "models/model.hpp"

namespace sortlab {

/// Model of kind component if it reads measured costs of the sort's pieces, of kind hardware if these are derived. An
/// empty input takes no time.
///
/// Sort: a struct that is constructed as Sort{workload, view, pieces}, from a const Workload&, a const
/// DistributionView& and a const Pieces&, and has `Prediction predict() const`.
template <class Sort>
class CpuModel final : public Model {
 public:
  CpuModel(std::string algorithm, std::string title, std::string source, std::string family,
           DerivedPieces derived = nullptr, ModelKind kind = ModelKind::component)
      : info_{.name = kind == ModelKind::component ? algorithm : algorithm + "-loops",
              .title = kind == ModelKind::component ? std::move(title) : std::move(title) + ", its loops analysed",
              .source = std::move(source),
              .algorithms = {algorithm},
              .kind = kind,
              .family = std::move(family)},
        derived_(derived) {}
  const ModelInfo& info() const override { return info_; }
  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& machine) const override {
    return workload.n == 0 ? Prediction{} : Sort{workload, view, pieces(workload, machine)}.predict();
  }

 private:
  Pieces pieces(const Workload& workload, const MachineProfile& machine) const {
    return {machine, workload, derived_, info_.kind == ModelKind::component};
  }

  ModelInfo info_;
  DerivedPieces derived_;
};

/// Registers both models of a sort.
template <class Sort>
struct RegisterCpuModels {
  RegisterCpuModels(const std::string& algorithm, const std::string& title, const std::string& source,
                    const std::string& family, DerivedPieces derived)
      : component{std::make_unique<CpuModel<Sort>>(algorithm, title, source, family, derived, ModelKind::component)},
        hardware{std::make_unique<CpuModel<Sort>>(algorithm, title, source, family, derived, ModelKind::hardware)} {}
  RegisterModel component;
  RegisterModel hardware;
};

}  // namespace sortlab
