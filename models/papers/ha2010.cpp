// HA-M2: T = P · (T_presort + T_rank + T_shuffle), with the times of one pass from Table 3 of Ha, Krueger and Silva
// 2010 and the passes from the range of the keys; for the chapter's sort, and for CUDPP's beside it.
#include "models/papers/ha2010.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"

namespace sortlab {
namespace ha2010 {

int prefix_field_bits(std::uint64_t block) {
  return static_cast<int>(std::bit_width(block - 1));
}

int total_field_bits(std::uint64_t block) {
  return static_cast<int>(std::bit_width(block));
}

double write_efficiency(double run_elements, double element_bytes, double segment_bytes) {
  const double run = run_elements * element_bytes;
  return run / (run + segment_bytes - element_bytes);
}

int range_bits(std::uint64_t smallest, std::uint64_t largest) {
  return std::max(static_cast<int>(std::bit_width(largest - smallest)), 1);
}

int passes(int bits) {
  constexpr int digit_bits = 4;  // radix 16: two 2-bit splits
  return (bits + digit_bits - 1) / digit_bits;
}

}  // namespace ha2010

namespace {

constexpr double kOverlap = HUGE_VAL;
constexpr double kTablePairs = 16 << 20;  // pairs of Table 3: "16M", M = 2^20 (inconsistency X15)
constexpr double kDigits = 16;
constexpr double kBlock = 1024;
constexpr int kWordBytes = 4;
constexpr int kPairBytes = 2 * kWordBytes;

/// A row of Table 3, and the plug-in's phases that its columns are of.
struct Sort {
  const char* presort;
  const char* rank;
  const char* shuffle;
  const char* row;       ///< as the profile names it
  double scans;          ///< scans of a block in the pre-sort: one a 2-bit split, or one a bit (section 3.1)
  double presort_bytes;  ///< a pair, read and written
};

constexpr Sort kImplicit{.presort = "presort",
                         .rank = "rank",
                         .shuffle = "shuffle",
                         .row = "implicit",
                         .scans = 2,
                         .presort_bytes = 2 * kPairBytes};

/// Its kernel that finds the digits' offsets reads all keys. The table's 0.15 ms are too short for that, so that it
/// must be part of the pre-sort.
constexpr Sort kCudpp{.presort = "sort tiles",
                      .rank = "scan",
                      .shuffle = "scatter",
                      .row = "split",
                      .scans = 4,
                      .presort_bytes = 2 * kPairBytes + kWordBytes};

/// One pass over n pairs. The steps take Table 3's times, scaled by n / 16 M. Beside them stands the time of memory
/// alone at the speed of a copy, so that `binding` says whether it could explain the time. `shuffle_bytes`: memory
/// traffic per pair in this sort, and in the one that was measured.
void append_pass(std::vector<PhasePrediction>& phases, int pass, const Sort& sort, double n, double shuffle_bytes,
                 double measured_bytes, const MachineProfile& machine) {
  const auto seconds = [&](const char* step) {
    return machine.at(fmt::format("ha2010.{}_{}", sort.row, step)) * n / kTablePairs;
  };
  const auto copied = [&](double bytes) { return Demand{"memory", "bytes.memory", bytes, bytes / machine.at("copy")}; };
  const double counters = kDigits * n / kBlock;
  phases.push_back(
      phase(sort.presort, pass,
            {{"issue", "block_scans", sort.scans * n / kBlock, seconds("presort")}, copied(sort.presort_bytes * n)},
            kOverlap));
  // Far longer than its bytes take: the overhead of a scan of so little data.
  phases.push_back(phase(sort.rank, pass,
                         {{"latency", "counters", counters, seconds("rank")}, copied(2 * kWordBytes * counters)},
                         kOverlap));
  phases.push_back(phase(
      sort.shuffle, pass,
      {{"memory", "bytes.memory", shuffle_bytes * n, seconds("shuffle") * shuffle_bytes / measured_bytes}}, kOverlap));
}

void require_pairs(const ModelInfo& model, const Workload& workload) {
  require_key_bytes(model, workload, kWordBytes);
  if (workload.value != ValueType::u32) {
    throw BadInput(fmt::format("model {}: value: the paper measures pairs, keys with u32 values", model.name));
  }
}

/// Bytes that memory moves to shuffle a pair: read in order, written in runs of a digit by elements of that many bytes
/// (HA-M3).
double shuffle_bytes(int element_bytes, const MachineProfile& machine) {
  return kPairBytes * (1 + 1 / ha2010::write_efficiency(kBlock / kDigits, element_bytes, machine.at("memory_segment")));
}

/// HA-M2 of the chapter's sort. Table 3 shuffles pairs; keys and values apart (`scatter=soa`) move more by HA-M3.
class ImplicitRadix final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "HA-M2",
                                .title = "Implicit radix sort: passes times the steps of Table 3",
                                .source = "Ha, Krueger and Silva 2010, sections 3.2, 3.3 and 4",
                                .algorithms = {"ha_implicit_radix"},
                                .kind = ModelKind::paper,
                                .family = "C, implicit counting",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_pairs(info(), workload);
    require_parameters(info(), workload,
                       {{"presort", "stored"}, {"tile", "1024"}, {"counter_bits", "32"}, {"warp_scan", "shared"}});
    const bool lossy = workload.parameters.word("float_bits") == "lossy";
    const bool limited = workload.parameters.word("limit_range") == "yes";
    const auto bits = static_cast<int>(workload.parameters.integer("range_bits"));
    constexpr int key_bits = 8 * kWordBytes;
    if (limited && !lossy && bits >= key_bits) {
      throw BadInput("model HA-M2: range_bits: must say how far limit_range=yes narrows the keys: 1 to 31");
    }
    const auto n = static_cast<double>(workload.n);
    std::vector<PhasePrediction> phases;
    if (lossy || limited) {
      // "as fast as a memory copy device operation" (3.3), of the keys
      phases.push_back(phase(
          "range", 0, {{"memory", "bytes.memory", kWordBytes * n, 2 * kWordBytes * n / machine.at("copy")}}, kOverlap));
    }
    const double measured = shuffle_bytes(kPairBytes, machine);
    const double moved = workload.parameters.word("scatter") == "aos" ? measured : shuffle_bytes(kWordBytes, machine);
    const int passes = ha2010::passes(lossy ? ha2010::kLossyFloatBits : std::min(bits, key_bits));
    for (int pass = 0; pass < passes; ++pass) append_pass(phases, pass, kImplicit, n, moved, measured, machine);
    return sequence(std::move(phases));
  }
};

/// HA-M2 of CUDPP 1.1's radix sort, which Table 3 has beside it.
class SplitRadix final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "HA-M2-CUDPP",
                                .title = "CUDPP's radix sort: passes times the steps of Table 3",
                                .source = "Ha, Krueger and Silva 2010, section 4",
                                .algorithms = {"satish_split_radix_2009"},
                                .kind = ModelKind::paper,
                                .family = "B, two reads a pass",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_pairs(info(), workload);
    require_parameters(info(), workload, {{"digit_bits", "4"}, {"threads", "256"}, {"items", "4"}});
    const double moved = shuffle_bytes(kWordBytes, machine);
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < ha2010::passes(8 * kWordBytes); ++pass) {
      append_pass(phases, pass, kCudpp, static_cast<double>(workload.n), moved, moved, machine);
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel implicit_radix{std::make_unique<ImplicitRadix>()};
const RegisterModel split_radix{std::make_unique<SplitRadix>()};

}  // namespace
}  // namespace sortlab
