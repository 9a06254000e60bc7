// The GPU merge sort of Satish et al. 2010 as the paper bounds it.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"
#include "models/papers/satish2010_gpu.hpp"

namespace sortlab {
namespace {

using namespace satish2010;

/// SAT-M5: log2 n levels of 1.4 instructions an element, a bound: the paper counts the exchanges of a bitonic network
/// and not the index computations and reversals around it, which leave 176 M/s of 268 at n = 2^26. The levels inside a
/// tile cost as much as those that merge tiles.
class MergeLevels final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{
        .name = "SAT-M5",
        .title = "GPU merge sort: 1.4 instructions per element and level, the merge network alone",
        .source = "Satish et al. 2010, section 3.1",
        .algorithms = {"satish_gpu_merge"},
        .kind = ModelKind::paper,
        .family = "F, merging on a device"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    require_key_bytes(info(), workload, kKeyBytes);
    require_parameters(info(), workload, {{"merge", "bitonic"}, {"tile", "256"}});
    const Step level{.operations = 1.4 * kWarp,  // "about 1.4 instructions per element in the bitonic merge network"
                     .bytes = 2.0 * kKeyBytes};
    const Elements all{workload, machine};
    const auto instructions = [&](double levels) {
      return all.ask("issue", "warp_instructions", levels * level.instructions(),
                     levels * issue_cycles(level, machine));
    };
    const auto bytes = [&](double levels) {
      return all.ask("memory", "bytes.memory", levels * level.bytes, levels * memory_cycles(level, machine));
    };
    const double levels = workload.n < 2 ? 0 : std::log2(static_cast<double>(workload.n));
    const double in_tile = std::min(levels, std::log2(static_cast<double>(workload.parameters.integer("tile"))));
    std::vector<PhasePrediction> phases{phase("sort tiles", 0, {instructions(in_tile), bytes(1)}, kOverlap)};
    int number = 0;
    for (double left = levels - in_tile; left > 0; --left) {
      const double part = std::min(left, 1.0);
      phases.push_back(phase("merge", number++, {instructions(part), bytes(part)}, kOverlap));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel merge{std::make_unique<MergeLevels>()};

}  // namespace
}  // namespace sortlab
