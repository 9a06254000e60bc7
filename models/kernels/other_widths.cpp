#include "models/kernels/other_widths.hpp"

#include <fmt/format.h>

#include <vector>

#include "models/element_widths.hpp"

namespace sortlab {
namespace {

KeyType key_of_bytes(KeyType key, double bytes) {
  if (byte_size(key) == bytes) return key;
  return bytes == 8 ? KeyType::u64 : KeyType::u32;
}

ValueType value_of_bytes(double bytes) {
  return bytes == 0 ? ValueType::none : bytes == 4 ? ValueType::u32 : ValueType::u64;
}

/// The amount of work of the same phase, or 0.
double work_in(const Prediction& prediction, const PhasePrediction& phase, const std::string& name) {
  for (const PhasePrediction& other : prediction.phases) {
    if (other.name != phase.name || other.pass != phase.pass) continue;
    if (const auto found = other.work.find(name); found != other.work.end()) return found->second;
  }
  return 0;
}

}  // namespace

Prediction CalibratedWidthsModel::predict(const Workload& workload, const DistributionView& view,
                                          const MachineProfile& device) const {
  const double key = byte_size(workload.key), value = byte_size(workload.value);
  const std::vector<WidthTerm> terms = width_terms(key, value);
  if (terms.size() == 1) return predict_calibrated(workload, view, device);
  std::vector<Prediction> made;
  const double seconds = estimate(terms, [&](double key_bytes, double value_bytes) {
    Workload calibrated = workload;
    calibrated.key = key_of_bytes(workload.key, key_bytes);
    calibrated.value = value_of_bytes(value_bytes);
    DistributionView narrowed = view;
    for (double bytes = key; bytes > key_bytes; bytes /= 2)
      narrowed = narrowed.of_half_width(static_cast<int>(8 * bytes));
    return made.emplace_back(predict_calibrated(calibrated, narrowed, device)).seconds;
  });
  Prediction whole = made.front();
  for (PhasePrediction& phase : whole.phases) {
    if (whole.seconds > 0) phase.seconds *= seconds / whole.seconds;
    for (auto& [name, work] : phase.work) {
      work =
          estimate(terms, [&, i = std::size_t{0}](double, double) mutable { return work_in(made[i++], phase, name); });
    }
  }
  whole.seconds = seconds;
  whole.basis = fmt::format("{}; linear in the bytes of keys and values, from calibrated widths",
                            whole.basis.empty() ? view.basis() : whole.basis);
  return whole;
}

}  // namespace sortlab
