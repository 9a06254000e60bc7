// Family C of the reference (section 4.5) for the sorts of Ha et al.: a tile is ordered by 2-bit splits that count in
// packed words (ha_implicit_radix, two splits a pass) or in four streams (ha_four_way_radix, one). As printed,
// pre-sorted tiles pass through memory; recomputed, a kernel that only counts comes first.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_kernel.hpp"

namespace sortlab {
namespace {

constexpr double kCounterBytes = 4;
constexpr double kOffsetBytes = 8;
constexpr double kThreads = 256;

/// What distinguishes the two sorts.
struct Form {
  int digit_bits;
  const char* tile;   ///< table of ordering a tile
  const char* count;  ///< table of counting its digits alone
  bool can_write_pairs;
};

class ImplicitCounting final : public Model {
 public:
  ImplicitCounting(ModelInfo info, Form form) : info_(std::move(info)), form_(form) {}

  const ModelInfo& info() const override { return info_; }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const Parameters& parameters = workload.parameters;
    const auto n = static_cast<double>(workload.n);
    const bool wide = parameters.word("tile") == "wide";
    const bool stored = parameters.word("presort") == "stored";
    const bool pairs = form_.can_write_pairs && parameters.word("scatter") == "aos" && bytes.value > 0;
    int key_bits = static_cast<int>(8 * bytes.key);
    if (form_.can_write_pairs) {
      if (parameters.word("limit_range") == "yes" || parameters.word("float_bits") == "lossy") {
        throw BadInput("ha_implicit_radix: what is left of keys whose range the sort finds itself is not modelled");
      }
      key_bits = std::min(key_bits, static_cast<int>(parameters.integer("range_bits")));
    }
    const double tile = kThreads * items(wide, bytes);
    const double tiles = blocks_of(n, tile);
    const double arrays = 2 * n * bytes.both();
    const double form = wide ? 1 : 0;

    std::vector<PhasePrediction> phases;
    const int passes = (key_bits + form_.digit_bits - 1) / form_.digit_bits;
    for (int pass = 0; pass < passes; ++pass) {
      const double counters = std::exp2(form_.digit_bits) * tiles;
      const PassDigits digits = pass_digits(view, pass == 0, pass * form_.digit_bits, form_.digit_bits, tile);
      const auto add = [&](const char* phase, const Traffic& traffic, const TileWork& work, int round_trips) {
        phases.push_back(kernel({.phase = phase,
                                 .pass = pass,
                                 .blocks = tiles,
                                 .elements = n,
                                 .round_trips = round_trips,
                                 .traffic = traffic,
                                 .tile = work},
                                device));
      };
      const std::string table = std::string{"tile."} + form_.tile, alone = std::string{"alone."} + form_.tile;
      const TileWork ordering{device.at(table, {form, bytes.key, bytes.value, digits.entropy}),
                              device.at(alone, {form, bytes.key, bytes.value})};
      const bool aos = pairs && pass + 1 < passes;  // the last pass writes keys and values apart
      Traffic runs{.read = n * bytes.both() + counters * 2 * kOffsetBytes,
                   .written = n * bytes.both(),
                   .working_set = arrays,
                   .access = aos ? bytes.both() : bytes.key,
                   .runs = digits.distinct,
                   .run_bytes = tile / digits.distinct * (aos ? bytes.both() : bytes.key)};
      if (stored) {
        add("presort",
            {.read = n * bytes.both(),
             .written = n * bytes.both() + counters * kCounterBytes,
             .working_set = pass == 0 ? 1e12 : arrays,
             .access = pairs && pass > 0 ? bytes.both() : bytes.key},
            ordering, 1);
      } else {
        const std::string count = form_.count;
        add("count",
            {.read = n * bytes.key,
             .written = counters * kCounterBytes,
             .working_set = pass == 0 ? 1e12 : arrays,
             .access = 16},
            {device.at("tile." + count, {bytes.key, bytes.value}),
             device.at("alone." + count, {bytes.key, bytes.value})},
            1);
      }
      phases.push_back({.name = "rank",
                        .pass = pass,
                        .seconds = device.at("tile.counter_scan", {counters + 1}),
                        .binding = "latency",
                        .work = {{"counters", counters}}});
      add("shuffle", runs,
          stored ? TileWork{device.at("tile.implicit_shuffle", {bytes.key, bytes.value}),
                            device.at("alone.implicit_shuffle", {bytes.key, bytes.value})}
                 : ordering,
          2);
    }
    return sequence(std::move(phases));
  }

 private:
  /// Elements of a thread, as make_sorter of each sort has them.
  double items(bool wide, const ElementBytes& bytes) const {
    if (!wide) return 4;
    return form_.can_write_pairs && bytes.key == 4 && bytes.value <= 4 ? 16 : 8;
  }

  ModelInfo info_;
  Form form_;
};

const RegisterModel implicit{std::make_unique<ImplicitCounting>(
    ModelInfo{.name = "ha_implicit_radix",
              .title = "implicit counting on a device, kernel by kernel (family C)",
              .source = "this project, after Ha, Krueger and Silva 2010, section 3",
              .algorithms = {"ha_implicit_radix"},
              .analytical = true,
              .level = "B"},
    Form{.digit_bits = 4, .tile = "implicit", .count = "count_nibbles", .can_write_pairs = true})};

const RegisterModel four_way{std::make_unique<ImplicitCounting>(
    ModelInfo{.name = "ha_four_way_radix",
              .title = "four-way counting on a device, kernel by kernel (family C)",
              .source = "this project, after Ha, Krueger and Silva 2010, section 2",
              .algorithms = {"ha_four_way_radix"},
              .analytical = true,
              .level = "B"},
    Form{.digit_bits = 2, .tile = "four_way", .count = "four_way_count", .can_write_pairs = false})};

}  // namespace
}  // namespace sortlab
