// Predictions of whole kernels for elements of widths that were not measured (element_widths.hpp).
#pragma once

#include <functional>

#include "models/model.hpp"

namespace sortlab {

using PredictWidth = std::function<Prediction(const Workload&, const DistributionView&)>;

/// `predict` for a calibrated width of element; for another the line through its predictions of calibrated ones: the
/// phases of the first, whose seconds are scaled to the estimated total; work is estimated phase by phase.
Prediction predict_by_widths(const Workload&, const DistributionView&, const PredictWidth& predict);

}  // namespace sortlab
