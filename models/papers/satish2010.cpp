// The CPU's models of Satish et al. 2010 (fast sort on CPUs, GPUs and Intel MIC), as the paper states them, in cycles
// an element: T = cpe · n / (cores · f). The constants stand in the papers' machines (models/machines/), each with its
// section.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"

namespace sortlab {
namespace {

constexpr double kInfinity = HUGE_VAL;

/// Seconds for `cpe` cycles per element on the cores in use.
double seconds(const Workload& workload, const MachineProfile& machine, double cpe) {
  const int cores = std::min(workload.threads, machine.cores);
  return cpe * static_cast<double>(workload.n) / (cores * machine.clock_hz);
}

int digit_bits(const Workload& workload) {
  const auto found = workload.parameters.all().find("digit_bits");
  const auto* bits = found == workload.parameters.all().end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return bits == nullptr ? 8 : static_cast<int>(*bits);  // the paper's digits have 8 bits
}

/// SAT-M4, radix: 13 cycles a pass and element, whatever the key; 52 for four passes of 8 bits.
class RadixPasses final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M4",
                                .title = "CPU buffer radix sort: 13 cycles per element and pass",
                                .source = "Satish et al. 2010, section 3.1",
                                .algorithms = {"satish_cpu_radix"},
                                .kind = ModelKind::paper,
                                .family = "H, buffers on a CPU"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    if (byte_size(workload.key) != 4 || digit_bits(workload) != 8) {
      throw BadInput("model SAT-M4: the paper's 13 cycles a pass are of 4-byte keys and 8-bit digits");
    }
    const double pass = seconds(workload, machine, machine.at("satish2010.radix_pass"));
    const auto n = static_cast<double>(workload.n);
    std::vector<PhasePrediction> passes;
    for (int p = 0; p < 4; ++p) passes.push_back(phase("pass", p, {{"issue", "elements", n, pass}}, kInfinity));
    return sequence(std::move(passes));
  }
};

/// SAT-M4, merge: c · log2 n. The paper states 2.5; its own table follows 3.23 (inconsistency X6): both are offered,
/// and the second says that it is made from the times themselves.
class MergePasses final : public Model {
 public:
  MergePasses(std::string name, std::string title, bool papers_times, std::string quantity)
      : info_{.name = std::move(name),
              .title = std::move(title),
              .source = "Satish et al. 2010, section 3.1",
              .algorithms = {"satish_cpu_merge"},
              .kind = ModelKind::paper,
              .family = "G, merging on a CPU",
              .papers_times = papers_times},
        quantity_(std::move(quantity)) {}
  const ModelInfo& info() const override { return info_; }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    const auto n = static_cast<double>(workload.n);
    const double levels = workload.n < 2 ? 0 : std::log2(n);
    const double time = seconds(workload, machine, machine.at(quantity_) * levels);
    return sequence({phase("merge", 0, {{"issue", "elements", n * levels, time}}, kInfinity)});
  }

 private:
  ModelInfo info_;
  std::string quantity_;
};

/// SAT-M7: w passes of constant cost for a key of w bytes, until bandwidth, which grows as w², binds: T(w) = max(13 w,
/// a w²) cycles an element; the crossover, 6 bytes in section 4, gives a.
class KeyWidth final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M7",
                                .title = "CPU buffer radix sort by key width: max(13 w, a w^2) cycles an element",
                                .source = "Satish et al. 2010, section 4",
                                .algorithms = {"satish_cpu_radix"},
                                .kind = ModelKind::paper,
                                .family = "H, buffers on a CPU"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    if (digit_bits(workload) != 8) throw BadInput("model SAT-M7: the paper's passes take 8 bits each");
    const double pass = machine.at("satish2010.radix_pass");
    const double crossover = machine.at("satish2010.bandwidth_bound_from");
    const double width = byte_size(workload.key);
    const auto n = static_cast<double>(workload.n);
    std::vector<PhasePrediction> passes;
    for (int p = 0; p < static_cast<int>(width); ++p) {
      passes.push_back(
          phase("pass", p,
                {{"issue", "elements", n, seconds(workload, machine, pass)},
                 {"memory", "bytes.memory", 2 * width * n, seconds(workload, machine, pass / crossover * width)}},
                kInfinity));
    }
    return sequence(std::move(passes));
  }
};

/// SAT-M6, Knights Ferry: passes of 6, 6, 6, 6 and 8 bits, one 1-bit split per bit. The paper states the rate of the
/// whole sort, from which the time per bit follows, so this only spreads the time over the passes.
class KnfSplits final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M6",
                                .title = "Knights Ferry's split radix sort: passes of 6, 6, 6, 6 and 8 bits",
                                .source = "Satish et al. 2010, sections 2.2 and 3.1",
                                .algorithms = {"knf_split_radix"},
                                .kind = ModelKind::paper,
                                .family = "I, splits in a CPU's cache",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    require_key_bytes(info(), workload, 4);
    require_parameters(info(), workload, {{"passes", "paper"}});
    constexpr std::array bits{6, 6, 6, 6, 8};
    const auto n = static_cast<double>(workload.n);
    const double of_bit = machine.cores * machine.clock_hz / machine.at("satish2010.radix_rate") /
                          std::accumulate(bits.begin(), bits.end(), 0);
    std::vector<PhasePrediction> passes;
    for (std::size_t p = 0; p < bits.size(); ++p) {
      passes.push_back(phase("pass", static_cast<int>(p),
                             {{"issue", "splits", n * bits[p], seconds(workload, machine, bits[p] * of_bit)}},
                             kInfinity));
    }
    return sequence(std::move(passes));
  }
};

const RegisterModel radix{std::make_unique<RadixPasses>()};
const RegisterModel merge{std::make_unique<MergePasses>(
    "SAT-M4-merge", "CPU merge sort: 2.5 cycles per element and level, as stated", false, "satish2010.merge_pass")};
const RegisterModel merge_fitted{std::make_unique<MergePasses>(
    "SAT-M4-merge-table", "CPU merge sort: 3.23 cycles per element and level, from the paper's table (X6)", true,
    "satish2010.merge_pass_table")};
const RegisterModel knf{std::make_unique<KnfSplits>()};
const RegisterModel key_width{std::make_unique<KeyWidth>()};

}  // namespace
}  // namespace sortlab
