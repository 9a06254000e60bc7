// Family C of the reference (section 4.5) for the sorts of Ha et al.: a tile is ordered by 2-bit splits that count in
// packed words (ha_implicit_radix, two splits a pass) or in four streams (ha_four_way_radix, one). As printed,
// pre-sorted tiles pass through memory; recomputed, a kernel that only counts comes first.
#include <algorithm>
#include <cmath>

#include "algorithms/ha_four_way_radix/plan.hpp"
#include "algorithms/ha_implicit_radix/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

using ha::kCounterBytes;
using ha::kOffsetBytes;

/// Differences between the two sorts.
struct Form {
  const char* algorithm;
  const char* title;
  const char* section;
  int digit_bits;
  const char* tile;     ///< table of ordering a tile
  const char* shuffle;  ///< table of shuffling pre-sorted tiles, as the preset paper does
  const char* count;    ///< table of counting its digits alone
  bool is_implicit;     ///< ha_implicit_radix, with parameters that the other lacks
};

constexpr Form kImplicit{.algorithm = "ha_implicit_radix",
                         .title = "implicit counting on a device, kernel by kernel",
                         .section = "section 3",
                         .digit_bits = ha::kDigitBits,
                         .tile = "implicit",
                         .shuffle = "implicit_shuffle",
                         .count = "count_nibbles",
                         .is_implicit = true};
constexpr Form kFourWay{.algorithm = "ha_four_way_radix",
                        .title = "four-way counting on a device, kernel by kernel",
                        .section = "section 2",
                        .digit_bits = ha::four_way::kDigitBits,
                        .tile = "four_way",
                        .shuffle = "four_way_shuffle",
                        .count = "four_way_count",
                        .is_implicit = false};

class ImplicitCounting final : public DeviceModel {
 public:
  ImplicitCounting(Level level, const Form& form)
      : DeviceModel(level, {.name = form.algorithm,
                            .title = form.title,
                            .source = std::string{"this project, after Ha, Krueger and Silva 2010, "} + form.section,
                            .algorithms = {form.algorithm},
                            .kind = ModelKind::hardware,
                            .family = "C, implicit counting"}),
        form_(form) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const Parameters& parameters = workload.parameters;
    const auto n = static_cast<double>(workload.n);
    const bool wide = chosen("tile", parameters.word("tile"), ha::kTiles);
    const std::string& presort = parameters.word("presort");
    const bool stored = chosen("presort", presort, ha::kPresorts) == ha::Presort::stored;
    const DeviceCosts device{profile, level(), workload.algorithm, "presort=" + presort, bytes};
    const bool pairs = form_.is_implicit && bytes.value > 0 &&
                       chosen("scatter", parameters.word("scatter"), ha::kScatters) == ha::Scatter::aos;
    // The same kernel writes pairs or arrays. Its operations were counted where it writes pairs.
    const std::string shuffle =
        std::string{form_.shuffle} + (form_.is_implicit && bytes.value > 0 && !pairs ? "_soa" : "");
    const double tile = ha::kTileThreads * items(wide, workload);
    const double tiles = count_blocks(n, tile);
    const double arrays = 2 * n * bytes.both();

    std::vector<PhasePrediction> phases;
    const LsdDigits plan = ha::lsd_digits(key_bits(parameters, bytes), form_.digit_bits);
    const int passes = plan.passes();
    for (int pass = 0; pass < passes; ++pass) {
      const double counters = std::exp2(form_.digit_bits) * tiles;
      const PassDigits digits = pass_digits(view, pass == 0, plan.shift(pass), form_.digit_bits, tile);
      const bool aos = pairs && pass + 1 < passes;  // the last pass writes keys and values apart
      const double working_set = pass == 0 ? kBeyondCaches : arrays;
      const auto add = [&](const char* phase, int round_trips, const Traffic& traffic, const TileWork& work) {
        phases.push_back(device.kernel({.phase = phase,
                                        .pass = pass,
                                        .tiles = tiles,
                                        .elements = n,
                                        .round_trips = round_trips,
                                        .traffic = traffic,
                                        .tile = work}));
      };
      const auto ordering = [&](const char* phase) {
        return device.tile(phase, form_.tile, {wide ? 1.0 : 0.0, bytes.key, bytes.value}, digits.entropy);
      };
      if (stored) {
        add("presort", 1,
            {.read = n * bytes.both(),
             .written = n * bytes.both() + counters * kCounterBytes,
             .working_set = working_set,
             .access = pairs && pass > 0 ? bytes.both() : bytes.key},
            ordering("presort"));
      } else {
        add("count", 1,
            {.read = n * bytes.key, .written = counters * kCounterBytes, .working_set = working_set, .access = 16},
            device.tile("count", form_.count, {bytes.key, bytes.value}));
      }
      phases.push_back(device.scan("rank", pass, counters));
      add("shuffle", 2,
          {.read = n * bytes.both() + counters * 2 * kOffsetBytes,
           .written = n * bytes.both(),
           .working_set = arrays,
           .access = aos ? bytes.both() : bytes.key,
           .runs = digits.distinct,
           .run_bytes = tile / digits.distinct * (aos ? bytes.both() : bytes.key)},
          stored ? device.tile("shuffle", shuffle, {bytes.key, bytes.value}) : ordering("shuffle"));
    }
    return sequence(std::move(phases));
  }

 private:
  /// Bits of a key that the passes sort by.
  int key_bits(const Parameters& parameters, const ElementBytes& bytes) const {
    const int all = static_cast<int>(8 * bytes.key);
    if (!form_.is_implicit) return all;
    if (parameters.word("limit_range") == "yes" || parameters.word("float_bits") == "lossy") {
      throw BadInput(
          "ha_implicit_radix: limit_range=yes and float_bits=lossy are not modelled: the passes depend on the keys");
    }
    return std::min(all, static_cast<int>(parameters.integer("range_bits")));
  }

  /// Elements of a thread.
  int items(bool wide, const Workload& workload) const {
    return form_.is_implicit ? ha::tile_items(wide, byte_size(workload.key), byte_size(workload.value))
                             : ha::four_way::tile_items(wide);
  }

  Form form_;
};

const RegisterLevels<ImplicitCounting> implicit{kImplicit};
const RegisterLevels<ImplicitCounting> four_way{kFourWay};

}  // namespace
}  // namespace sortlab
