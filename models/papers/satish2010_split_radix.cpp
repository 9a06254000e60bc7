// The GPU radix sort of Satish et al. 2010 as the paper predicts it (SAT-M3), measures its parts, and extrapolates it
// (SAT-M7, SAT-M8).
#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"
#include "models/papers/satish2010_gpu.hpp"

namespace sortlab {
namespace {

using namespace satish2010;

constexpr int kDigitBits = 4;
constexpr int kPasses = 8 * kKeyBytes / kDigitBits;

void require_papers_block(const ModelInfo& model, const Workload& workload) {
  require_parameters(model, workload, {{"split", "vertical"}, {"items", "13"}, {"warps", "4"}});
}

void require_papers_sort(const ModelInfo& model, const Workload& workload) {
  require_keys_only(model, workload);
  require_papers_block(model, workload);
  require_parameters(model, workload, {{"digit_bits", "4"}});
}

/// One step of a pass, whose instructions and memory accesses overlap: the longer of the two binds.
PhasePrediction step_phase(std::string name, int pass, const Elements& all, const Step& step,
                           const MachineProfile& machine) {
  return phase(std::move(name), pass,
               {all.ask("issue", "warp_instructions", step.instructions(), issue_cycles(step, machine)),
                all.ask("memory", "bytes.memory", step.bytes, memory_cycles(step, machine))},
               kOverlap);
}

/// SAT-M3 as the paper states it: a pass takes 1.4 cycles for step 1, which memory binds, and 2.2 instructions of 4
/// cycles for step 3. The sum of step 2 is negligible and has no phase.
class StatedPasses final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M3",
                                .title = "GPU split radix sort: 1.4 + 8.8 cycles per element and pass, as stated",
                                .source = "Satish et al. 2010, section 2.1.2",
                                .algorithms = {"satish_split_radix"},
                                .kind = ModelKind::paper,
                                .family = "B, two reads a pass"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers_sort(info(), workload);
    require_key_bytes(info(), workload, kKeyBytes);
    constexpr double histogram_instructions = 0.3;  // "less than 0.3 SIMD ops/element"
    constexpr double histogram_bytes = 4.25;        // "a total of ~4.25 bytes per element"
    constexpr double scatter_instructions = 2.2;    // "70 ops for the 4-bit split (or 2.2 SIMD ops per element)"
    const Step scatter{.operations = scatter_instructions * kWarp, .bytes = 2.0 * kKeyBytes};
    const Elements all{workload, machine};
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < kPasses; ++pass) {
      phases.push_back(
          phase("histogram", pass,
                {all.ask("issue", "warp_instructions", histogram_instructions,
                         histogram_instructions * machine.at("warp_instruction")),
                 all.ask("memory", "bytes.memory", histogram_bytes, machine.at("satish2010.histogram_pass"))},
                kOverlap));
      phases.push_back(step_phase("scatter", pass, all, scatter, machine));
    }
    return sequence(std::move(phases));
  }
};

/// SAT-M3 from the counts themselves (SAT-M1 and SAT-M2), which the stated numbers round, for digits of any width. For
/// wider digits than four bits it counts neither the histograms that no longer fit in shared memory nor the writes
/// that no longer coalesce, for which the paper took four.
class CountedPasses final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M3-counts",
                                .title = "GPU split radix sort: the paper's operations and bytes, added up again",
                                .source = "Satish et al. 2010, section 2.1.2",
                                .algorithms = {"satish_split_radix"},
                                .kind = ModelKind::paper,
                                .family = "B, two reads a pass"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_keys_only(info(), workload);
    require_key_bytes(info(), workload, kKeyBytes);
    require_papers_block(info(), workload);
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    const Elements all{workload, machine};
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass * digit_bits < 8 * kKeyBytes; ++pass) {
      phases.push_back(step_phase("histogram", pass, all, histogram(digit_bits, kKeyBytes), machine));
      phases.push_back(step_phase("scatter", pass, all, sort_and_scatter(digit_bits, kKeyBytes), machine));
    }
    return sequence(std::move(phases));
  }
};

/// SAT-M3 with the times that the paper measured for the parts of a pass. Step 3's accesses to memory add to the
/// splits, where the prediction had them hidden. Sections 3.1 and 3.2 disagree, and neither adds up to its own total
/// (inconsistency X3), so there are two.
class MeasuredParts final : public Model {
 public:
  struct Parts {
    double split;      ///< cycles an element, for 1 bit
    double write_out;  ///< cycles per element and pass
  };
  MeasuredParts(std::string name, std::string title, std::string section, Parts (*parts)(const MachineProfile&))
      : info_{.name = std::move(name),
              .title = std::move(title),
              .source = "Satish et al. 2010, section " + section,
              .algorithms = {"satish_split_radix"},
              .kind = ModelKind::paper,
              .family = "B, two reads a pass",
              .papers_times = true},
        parts_(parts) {}
  const ModelInfo& info() const override { return info_; }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers_sort(info_, workload);
    require_key_bytes(info_, workload, kKeyBytes);
    const Elements all{workload, machine};
    const Parts parts = parts_(machine);
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < kPasses; ++pass) {
      phases.push_back(phase("histogram", pass,
                             {all.ask("memory", "bytes.memory", histogram(kDigitBits, kKeyBytes).bytes,
                                      machine.at("satish2010.histogram_pass_measured"))},
                             kOverlap));
      phases.push_back(phase("scatter", pass,
                             {all.ask("issue", "splits", kDigitBits, kDigitBits * parts.split),
                              all.ask("memory", "bytes.memory", 2 * kKeyBytes, parts.write_out)},
                             kTakeTurns));
    }
    return sequence(std::move(phases));
  }

 private:
  ModelInfo info_;
  Parts (*parts_)(const MachineProfile&);
};

MeasuredParts::Parts parts_of_section_3_1(const MachineProfile& machine) {
  return {.split = machine.at("satish2010.split_cycles"), .write_out = machine.at("satish2010.write_out_3_1")};
}

MeasuredParts::Parts parts_of_section_3_2(const MachineProfile& machine) {
  return {.split = machine.at("satish2010.split_instructions") * machine.at("warp_instruction"),
          .write_out = machine.at("satish2010.write_out_3_2")};
}

/// SAT-M7 on the GPU: with a key of w bytes there are w / 4 times as many passes; histograms and scans, a share s of a
/// pass, cost what they did, and whatever moves keys costs w / 4 times as much. T(w) / T(4) = s (w/4) + (1 - s) (w/4)².
/// s follows from the paper's 64-bit keys, so that those are no prediction; the 128-bit ones are.
class KeyWidth final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M7-GPU",
                                .title = "GPU split radix sort by key width: a part linear in it, a part quadratic",
                                .source = "Satish et al. 2010, section 4",
                                .algorithms = {"satish_split_radix"},
                                .kind = ModelKind::paper,
                                .family = "B, two reads a pass",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers_sort(info(), workload);
    const double pass_cycles = machine.at("satish2010.radix_sort") / kPasses;
    const double linear = (4 - machine.at("satish2010.relative_time_64_bit")) / 2;  // 2 s + 4 (1 - s) is that time
    const double width = byte_size(workload.key);
    const double wider = width / kKeyBytes;
    const Elements all{workload, machine};
    std::vector<PhasePrediction> passes;
    for (int pass = 0; pass < kPasses * static_cast<int>(wider); ++pass) {
      passes.push_back(phase("pass", pass,
                             {all.ask("issue", "elements", 1, linear * pass_cycles),
                              all.ask("memory", "bytes.memory", 3 * width, (1 - linear) * wider * pass_cycles)},
                             kTakeTurns));
    }
    return sequence(std::move(passes));
  }
};

/// SAT-M8: what the GPU radix sort would take if hardware split twice as fast (Amdahl): T · (1 - s + s/2).
class FasterSplit final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "SAT-M8",
                                .title = "GPU split radix sort, were a split twice as fast (Amdahl)",
                                .source = "Satish et al. 2010, section 2.1.2",
                                .algorithms = {"satish_split_radix"},
                                .kind = ModelKind::paper,
                                .family = "B, two reads a pass"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_papers_sort(info(), workload);
    require_key_bytes(info(), workload, kKeyBytes);
    const double total = machine.at("satish2010.radix_sort");
    const double share = machine.at("satish2010.split_share");
    const Elements all{workload, machine};
    return sequence(
        {phase("split", 0, {all.ask("issue", "elements", 1, total * share / 2)}, kOverlap),
         phase("histogram and write-out", 0, {all.ask("memory", "elements", 1, total * (1 - share))}, kOverlap)});
  }
};

const RegisterModel stated{std::make_unique<StatedPasses>()};
const RegisterModel counted{std::make_unique<CountedPasses>()};
const RegisterModel parts_3_1{std::make_unique<MeasuredParts>(
    "SAT-M3-parts-3.1", "GPU split radix sort: 2 + 4 x 2.3 + 3 cycles per element and pass, as measured", "3.1",
    parts_of_section_3_1)};
const RegisterModel parts_3_2{std::make_unique<MeasuredParts>(
    "SAT-M3-parts-3.2", "GPU split radix sort: 2 + 4 x 0.52 x 4 + 4 cycles per element and pass, as measured", "3.2",
    parts_of_section_3_2)};
const RegisterModel key_width{std::make_unique<KeyWidth>()};
const RegisterModel faster_split{std::make_unique<FasterSplit>()};

}  // namespace
}  // namespace sortlab
