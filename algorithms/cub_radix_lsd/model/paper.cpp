// STE-M6 as a time: the bytes that CUB's LSD radix sort moves, at the bandwidth that Stehle and Jacobsen 2017 measured
// by reading. No time of a sort is in it.
#include <fmt/format.h>

#include "algorithms/cub_radix_lsd/plan.hpp"
#include "models/cost.hpp"
#include "models/papers/stehle2017.hpp"

namespace sortlab {
namespace {

using namespace stehle2017;

/// The bytes of M6 for the CUB radix sorts of the time: 1.5.1 with digits of 5 bits, 1.6.4 with 7. A library reports no
/// phases: they go by the names of its kernels, as in counts.
class LsdTraffic final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{
        .name = "STE-M6",
        .title = "LSD radix sort of CUB 1.5.1 and 1.6.4: two reads and a write a pass, at bandwidth",
        .source = "Stehle and Jacobsen 2017, sections 1 and 6.1, appendix A",
        .algorithms = {"cub_radix_lsd"},
        .kind = ModelKind::paper,
        .family = "B, two reads a pass"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    if (workload.parameters.word("form") != "two_read" || (digit_bits != 5 && digit_bits != 7)) {
      throw BadInput(
          fmt::format("model {}: digit_bits: the paper's CUB has form=two_read with digit_bits=5 (preset cub_1_5_1) or "
                      "7 (cub_1_6_4)",
                      info().name));
    }
    const PassBytes bytes = lsd_pass(element_bytes(workload));
    const auto n = static_cast<double>(workload.n);
    const cub_lsd::TwoReads plan{static_cast<int>(8 * byte_size(workload.key)), digit_bits};
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < plan.passes(); ++pass) {
      phases.push_back(moved("DeviceRadixSortUpsweepKernel", pass, bytes.histogram * n, machine));
      phases.push_back(moved("DeviceRadixSortDownsweepKernel", pass, bytes.scatter * n, machine));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel registered{std::make_unique<LsdTraffic>()};

}  // namespace
}  // namespace sortlab
