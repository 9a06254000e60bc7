// Predictions of whole kernels for elements of widths that were not measured (element_widths.hpp).
#pragma once

#include "models/kernels/device_model.hpp"

namespace sortlab {

/// A device sort's model whose kernels are calibrated for some widths of element. Its prediction for another width is
/// the line through those for calibrated ones: the phases of the first, whose seconds are scaled to the estimated
/// total; work is estimated phase by phase.
class CalibratedWidthsModel : public DeviceModel {
 public:
  using DeviceModel::DeviceModel;
  Prediction predict(const Workload&, const DistributionView&, const MachineProfile&) const final;

 private:
  /// The prediction for a calibrated width.
  virtual Prediction predict_calibrated(const Workload&, const DistributionView&, const MachineProfile&) const = 0;
};

}  // namespace sortlab
