// The model of the sort: each pass of the plan reads the keys once to count, then moves keys and values. It reads the
// machine's bandwidths and the time of the scatter alone (probes.cpp), so its kind is component.
#include <limits>

#include "algorithms/_template/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"

namespace sortlab {
namespace {

constexpr double kOverlap = std::numeric_limits<double>::infinity();  // the slowest resource alone counts

/// The model as CpuModel constructs it: these three members, in this order, and predict().
struct SortTime {
  const Workload& workload;
  const DistributionView& view;
  const Pieces& machine;

  Prediction predict() const {
    const auto n = static_cast<double>(workload.n);
    const auto key = static_cast<double>(byte_size(workload.key));
    const auto value = static_cast<double>(byte_size(workload.value));
    const double working_set = 2 * n * (key + value);  // bytes: the array and its copy
    const double moved = 2 * n * (key + value);        // bytes read and written
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < _template::lsd_digits(byte_size(workload.key)).passes(); ++pass) {
      phases.push_back(phase("histogram", pass,
                             {{"memory", "bytes.read", n * key, n * key / machine.at("read", {1, working_set})}},
                             kOverlap));
      phases.push_back(phase("scatter", pass,
                             {{"scatter", "elements", n, n * machine.at("_template.scatter", {key, value})},
                              {"memory", "bytes.moved", moved, moved / machine.at("copy", {1, working_set})}},
                             kOverlap));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel registered{std::make_unique<CpuModel<SortTime>>(
    "_template", "a plain radix sort, pass by pass", "this project", "digits from the bottom, without buffers")};

}  // namespace
}  // namespace sortlab
