// STE-M10 as a time: the bytes that the hybrid radix sort moves, at the bandwidth that Stehle and Jacobsen 2017
// measured by reading. No time of a sort is in it.
#include <optional>

#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/papers/stehle2017.hpp"

namespace sortlab {
namespace {

using namespace stehle2017;

/// Shares of the keys that each pass partitions: by formula if there is one, else from the trace of the input.
std::vector<double> partitioned_shares(const Workload& workload, const DistributionView& view, Digits digits,
                                       double local_keys, std::optional<double> one) {
  const auto n = static_cast<double>(workload.n);
  return one ? stehle2017::partitioned_shares(n, *one, digits, local_keys)
             : stehle2017::partitioned_shares(n, view.sorted(), digits, local_keys);
}

/// The bytes of M6 with the shares of M10 and Table 3's settings, pass by pass. Section 6.1 argues so for equal keys
/// and in words for others; that bytes alone bind is its claim (">97% of the expected theoretical speed-up").
class HybridTraffic final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "STE-M10",
                                .title = "Hybrid radix sort: bytes of the passes that each bucket takes, at bandwidth",
                                .source = "Stehle and Jacobsen 2017, sections 4.1 to 4.6 and 6.1",
                                .algorithms = {"stehle_hybrid_radix"},
                                .kind = ModelKind::paper,
                                .family = "D, hybrid MSD"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& machine) const override {
    require_parameters(info(), workload, {hybrid_radix::kPaper.begin(), hybrid_radix::kPaper.end()});
    if (workload.n == 0) return {};
    const hybrid_radix::Settings row = hybrid_radix::table3(byte_size(workload.key), byte_size(workload.value));
    const Digits digits{static_cast<int>(8 * byte_size(workload.key)), row.digit_bits};
    const std::optional<double> one = view.bit_probability();
    const std::vector<double> shares = partitioned_shares(workload, view, digits, row.local_keys, one);
    const Element element = element_bytes(workload);
    const PassBytes counting = counting_pass(element, row.digit_bits, row.block_keys);
    const auto n = static_cast<double>(workload.n);

    std::vector<PhasePrediction> phases;
    // Pairs are taken apart and put together "at peak memory bandwidth" (section 4.6).
    const bool apart = workload.together && element.value > 0;
    const double pairs = 2 * element.both() * n;
    if (apart) phases.push_back(moved("decompose", 0, pairs, machine));
    const auto sort_locally = [&](int pass, double share) {
      if (share > 0) phases.push_back(moved("local sort", pass, share * local_sort_bytes(element) * n, machine));
    };
    if (shares[0] == 0) sort_locally(0, 1);
    for (int pass = 0; pass < digits.passes(); ++pass) {
      const double share = shares[static_cast<std::size_t>(pass)];
      if (share == 0) break;
      phases.push_back(moved("histogram", pass, share * counting.histogram * n, machine));
      phases.push_back(moved("scatter", pass, share * counting.scatter * n, machine));
      // The last pass leaves nothing to sort.
      if (pass + 1 < digits.passes()) sort_locally(pass, share - shares[static_cast<std::size_t>(pass) + 1]);
    }
    if (apart) phases.push_back(moved("recompose", 0, pairs, machine));
    Prediction prediction = sequence(std::move(phases));
    if (one) prediction.basis = formula_basis(*one);
    return prediction;
  }
};

const RegisterModel registered{std::make_unique<HybridTraffic>()};

}  // namespace
}  // namespace sortlab
