#include "harness/predict/what_if_energy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/bad_input.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"
#include "models/scaling.hpp"

namespace sortlab {
namespace {

constexpr double kMinClockShare = 0.3;  ///< lowest clock, as a share, for which the rules are made

/// The energy of operations at a share of the clock, and with other traffic: the profile with other constants.
MachineProfile metered_at(const MachineProfile& device, double clock, double dram_traffic) {
  MachineProfile changed = device;
  changed.log = nullptr;
  const auto scale = [&](const std::string& table, double factor) {
    for (ProfileTable::Point& point : changed.tables.at(table).points) point.value *= factor;
  };
  scale("energy.static", clock);
  for (const char* const operation : {"instructions", "shared_accesses", "bytes.l2"}) {
    scale(std::string{"energy."} + operation, clock * clock);
  }
  scale("energy.bytes.dram", dram_traffic);
  return changed;
}

class EnergyVariants {
 public:
  EnergyVariants(const Case& c, const MachineProfile& device) : case_(c), device_(device) {}

  EnergyState at(const Model& model, double clock, double dram_traffic) {
    Factors factors;
    if (clock != 1) factors["clock"] = clock;
    // Half the traffic takes as long as twice the bandwidth lets the present one take.
    if (dram_traffic != 1) factors["memory.bandwidth"] = 1 / dram_traffic;
    const MachineProfile runner = factors.empty() ? device_ : scaled(device_, factors, true);
    const Prediction prediction = checked_prediction(model, make_workload(case_), views_.of(case_), runner);
    return {prediction.seconds, clock, *predict_energy(prediction, metered_at(device_, clock, dram_traffic))};
  }

 private:
  const Case& case_;
  const MachineProfile& device_;
  Views views_{};
};

/// The first model of kind hardware that predicts the case here. Throws BadInput.
const Model& hardware_model(const Case& c, EnergyVariants& variants) {
  std::string reason = "no model of kind hardware predicts it";
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    if (model->info().kind != ModelKind::hardware) continue;
    try {
      variants.at(*model, 1, 1);
      return *model;
    } catch (const MissingQuantity& error) {
      reason = error.what();
    } catch (const BadInput& error) {
      reason = error.what();
    }
  }
  throw BadInput(fmt::format("nothing can be predicted: {}: {}", case_text(c), reason));
}

}  // namespace

EnergyAnswer what_if_energy(const Case& c, const MachineProfile& machine, const EnergyQuestion& question) {
  if (c.residency != Residency::device) {
    throw BadInput(
        fmt::format("algorithm: {} does not sort in a GPU's memory; allowed: sorts that do", c.algorithm->info().name));
  }
  const MachineProfile* const device = runs_on(c, machine);
  if (device == nullptr || !device->has("energy.static")) {
    throw BadInput(fmt::format(
        "machine: the profile of {} has no energy of a GPU; `sortlab calibrate --only device --energy` measures it",
        machine.name));
  }
  EnergyVariants variants(c, *device);
  const Model& model = hardware_model(c, variants);
  EnergyAnswer answer{.model = &model, .now = variants.at(model, 1, 1), .asked = {}};
  answer.asked = variants.at(model, 1, question.dram_traffic);
  if (!question.power_cap_w || answer.asked.watts() <= *question.power_cap_w) return answer;
  const EnergyState least = variants.at(model, kMinClockShare, question.dram_traffic);
  if (least.watts() > *question.power_cap_w) {
    throw BadInput(
        fmt::format("power-cap: {:g} W: at {:.0f} % of its clock the sort draws {:.0f} W; allowed: from that",
                    *question.power_cap_w, 100 * kMinClockShare, std::ceil(least.watts())));
  }
  double low = kMinClockShare;
  double high = 1;
  constexpr int halvings = 20;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (variants.at(model, middle, question.dram_traffic).watts() <= *question.power_cap_w ? low : high) = middle;
  }
  answer.asked = variants.at(model, low, question.dram_traffic);
  return answer;
}

}  // namespace sortlab
