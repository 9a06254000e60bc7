// A model of a sort on the CPU, whose class takes a workload, a view of the input and a machine, and predicts.
#pragma once

#include <utility>

#include "models/model.hpp"

namespace sortlab {

/// Of kind component: it reads what pieces of the sort take. Nothing to sort takes no time.
template <class Sort>
class CpuModel final : public Model {
 public:
  CpuModel(std::string algorithm, std::string title, std::string source, std::string family)
      : info_{.name = algorithm,
              .title = std::move(title),
              .source = std::move(source),
              .algorithms = {algorithm},
              .kind = ModelKind::component,
              .family = std::move(family)} {}
  const ModelInfo& info() const override { return info_; }
  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& machine) const override {
    return workload.n == 0 ? Prediction{} : Sort{workload, view, machine}.predict();
  }

 private:
  ModelInfo info_;
};

}  // namespace sortlab
