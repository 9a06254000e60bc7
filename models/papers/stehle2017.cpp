// STE-M10 and STE-M6 as times: the bytes that the hybrid radix sort and CUB's LSD radix sort move, at the bandwidth
// that Stehle and Jacobsen 2017 measured by reading. No time of a sort is in them.
#include "models/papers/stehle2017.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "algorithms/cub_radix_lsd/plan.hpp"
#include "models/cost.hpp"
#include "models/coverage.hpp"
#include "models/model.hpp"
#include "models/papers/ha2010.hpp"

namespace sortlab {
namespace stehle2017 {

namespace {

constexpr double kCounterBytes = 4;

int bits_of(Element element) {
  return static_cast<int>(8 * element.key);
}

}  // namespace

PassBytes lsd_pass(Element element) {
  return {.histogram = element.key, .scatter = 2 * element.both()};
}

double block_histogram_share(Element element, int digit_bits, double block_keys) {
  return kCounterBytes * std::exp2(digit_bits) / (block_keys * element.key);
}

PassBytes counting_pass(Element element, int digit_bits, double block_keys) {
  const PassBytes keys = lsd_pass(element);
  const double counters = block_histogram_share(element, digit_bits, block_keys) * element.key;
  return {.histogram = keys.histogram + counters, .scatter = keys.scatter + counters};
}

double local_sort_bytes(Element element) {
  return 2 * element.both();
}

double lsd_bytes(Element element, int digit_bits) {
  return hybrid_radix::Passes{bits_of(element), digit_bits}.count() * lsd_pass(element).sum();
}

double hybrid_bytes(Element element, int digit_bits, double block_keys, std::span<const double> shares) {
  const double sorted_locally = 1 - shares.back();
  return effective_passes(shares) * counting_pass(element, digit_bits, block_keys).sum() +
         sorted_locally * local_sort_bytes(element);
}

double worst_write_efficiency(double block_bytes, int digit_bits, double transaction_bytes, int partial) {
  const double full = block_bytes / transaction_bytes;
  return full / (full + partial * std::exp2(digit_bits));
}

double expected_write_efficiency(double block_keys, double key_bytes, int digit_bits, double transaction_bytes) {
  return ha2010::write_efficiency(block_keys / std::exp2(digit_bits), key_bytes, transaction_bytes);
}

double required_rate(double bytes_a_second, double key_bytes, int multiprocessors) {
  return bytes_a_second / (key_bytes * multiprocessors);
}

std::vector<double> partitioned_shares(double n, double one, hybrid_radix::Passes passes, double local_keys) {
  std::vector<double> shares(static_cast<std::size_t>(passes.count()));
  int prefix_bits = 0;
  for (int pass = 0; pass < passes.count(); ++pass) {
    double buckets = 1;  // C(prefix_bits, ones)
    for (int ones = 0; ones <= prefix_bits; ++ones) {
      const double size = std::pow(one, ones) * std::pow(1 - one, prefix_bits - ones);
      if (n * size > local_keys) shares[static_cast<std::size_t>(pass)] += buckets * size;
      buckets *= static_cast<double>(prefix_bits - ones) / (ones + 1);
    }
    prefix_bits += passes.bits(pass);
  }
  return shares;
}

std::vector<double> partitioned_shares(double n, std::span<const uint128> sorted, hybrid_radix::Passes passes,
                                       double local_keys) {
  std::vector<double> shares(static_cast<std::size_t>(passes.count()));
  if (sorted.empty()) return shares;
  const auto sample = static_cast<double>(sorted.size());
  const double stands_for = sample > 1 ? (n - 1) / (sample - 1) : 1;
  shares[0] = n > local_keys ? 1 : 0;
  for (int pass = 1; pass < passes.count(); ++pass) {
    const int below = passes.shift(pass - 1);
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      while (end < sorted.size() && sorted[end] >> below == sorted[begin] >> below) ++end;
      const auto keys = static_cast<double>(end - begin);
      if (1 + (keys - 1) * stands_for > local_keys) shares[static_cast<std::size_t>(pass)] += keys / sample;
    }
  }
  return shares;
}

double effective_passes(std::span<const double> shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

std::optional<double> chance_of_one(const DistributionView& view, KeyType key) {
  const NamedDistribution named = parse_distribution(view.name());
  const std::string& name = named.distribution->info().name;
  if (name == "constant" || name == "zero") return 0;
  if (name == "thearling") return std::exp2(-static_cast<double>(named.parameters.integer("ands") + 1));
  for (const char* order : {"uniform", "sorted", "reverse", "nearly_sorted", "runs"}) {
    if (name != order) continue;
    const bool all_bits = named.parameters.is_auto("range_bits") ||
                          named.parameters.integer("range_bits") == static_cast<int>(8 * size_of(key));
    if (all_bits && (!is_float(key) || named.parameters.word("floats") == "raw")) return 0.5;
  }
  return std::nullopt;
}

std::string basis_of_formula(double one) {
  return fmt::format("formula: independent bits, each one with chance {:.6g}", one);
}

}  // namespace stehle2017

namespace {

using namespace stehle2017;

constexpr double kOverlap = HUGE_VAL;

int bits_of(KeyType key) {
  return static_cast<int>(8 * size_of(key));
}

Element element_of(const Workload& workload) {
  return {.key = static_cast<double>(size_of(workload.key)), .value = static_cast<double>(size_of(workload.value))};
}

/// Bytes at the bandwidth that section 4.3 measures by reading, whatever the direction.
PhasePrediction moved(const char* name, int pass, double bytes, const MachineProfile& machine) {
  return phase(name, pass, {{"memory", "bytes.memory", bytes, bytes / machine.at("bandwidth")}}, kOverlap);
}

/// By the formula where there is one, else from the trace of the input, as a sample of it.
std::vector<double> shares_of(const Workload& workload, const DistributionView& view, hybrid_radix::Passes passes,
                              double local_keys, std::optional<double> one) {
  const auto n = static_cast<double>(workload.n);
  if (one) return partitioned_shares(n, *one, passes, local_keys);
  return partitioned_shares(n, view.sorted(), passes, local_keys);
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
    require_parameters(info(), workload,
                       {{"digit_bits", "8"},
                        {"threads", "0"},
                        {"items", "0"},
                        {"block_keys", "0"},
                        {"local_keys", "0"},
                        {"merge_keys", "3000"},
                        {"classes", "all"},
                        {"staging", "reused"},
                        {"look_ahead", "2"},
                        {"thread_reduction", "yes"},
                        {"lists", "device"},
                        {"local_sort", "block_radix"}});
    if (workload.n == 0) return {};
    const hybrid_radix::Settings row = hybrid_radix::table3(size_of(workload.key), size_of(workload.value));
    const hybrid_radix::Passes passes{bits_of(workload.key), row.digit_bits};
    const std::optional<double> one = chance_of_one(view, workload.key);
    const std::vector<double> shares = shares_of(workload, view, passes, row.local_keys, one);
    const Element element = element_of(workload);
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
    for (int pass = 0; pass < passes.count(); ++pass) {
      const double share = shares[static_cast<std::size_t>(pass)];
      if (share == 0) break;
      phases.push_back(moved("histogram", pass, share * counting.histogram * n, machine));
      phases.push_back(moved("scatter", pass, share * counting.scatter * n, machine));
      // The last pass leaves nothing to sort.
      if (pass + 1 < passes.count()) sort_locally(pass, share - shares[static_cast<std::size_t>(pass) + 1]);
    }
    if (apart) phases.push_back(moved("recompose", 0, pairs, machine));
    Prediction prediction = sequence(std::move(phases));
    if (one) prediction.basis = basis_of_formula(*one);
    return prediction;
  }
};

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
    const PassBytes bytes = lsd_pass(element_of(workload));
    const auto n = static_cast<double>(workload.n);
    const cub_lsd::TwoReads plan{bits_of(workload.key), digit_bits};
    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass < plan.passes(); ++pass) {
      phases.push_back(moved("DeviceRadixSortUpsweepKernel", pass, bytes.histogram * n, machine));
      phases.push_back(moved("DeviceRadixSortDownsweepKernel", pass, bytes.scatter * n, machine));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel hybrid{std::make_unique<HybridTraffic>()};
const RegisterModel lsd{std::make_unique<LsdTraffic>()};

}  // namespace
}  // namespace sortlab
