// Family C for ha_implicit_radix: two 2-bit splits a pass, counted in packed words.
#include <algorithm>

#include "algorithms/ha_implicit_radix/plan.hpp"
#include "models/kernels/counting_passes.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

class HaImplicitRadix final : public DeviceModel {
 public:
  explicit HaImplicitRadix(Level level)
      : DeviceModel(level, {.name = "ha_implicit_radix",
                            .title = "implicit counting on a device, kernel by kernel",
                            .source = "this project, after Ha, Krueger and Silva 2010, section 3",
                            .algorithms = {"ha_implicit_radix"},
                            .kind = ModelKind::hardware,
                            .family = "C, implicit counting"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    const ElementBytes bytes = element_bytes(workload);
    const Parameters& parameters = workload.parameters;
    const std::string& presort = parameters.word("presort");
    const ha::Tile tile = chosen("tile", parameters.word("tile"), ha::kTiles);
    if (tile == ha::Tile::of_512 || tile == ha::Tile::of_2048) {
      throw BadInput("ha_implicit_radix: tiles of 512 and of 2048 elements are not modelled: nothing calibrates them");
    }
    const bool pairs =
        bytes.value > 0 && chosen("scatter", parameters.word("scatter"), ha::kScatters) == ha::Scatter::aos;
    const CountingPasses sort{
        .digits = ha::lsd_digits(key_bits(parameters, bytes), ha::kDigitBits),
        .tile = static_cast<double>(ha::tile_size(tile, byte_size(workload.key), byte_size(workload.value)).elements()),
        .wide = tile == ha::Tile::wide,
        .stored = chosen("presort", presort, ha::kPresorts) == ha::Presort::stored,
        .pairs = pairs,
        .counter_bytes = ha::kCounterBytes,
        .offset_bytes = ha::kOffsetBytes,
        .ordering = "implicit",
        // The same kernel writes pairs or arrays. Its operations were counted where it writes pairs.
        .shuffle = std::string{"implicit_shuffle"} + (bytes.value > 0 && !pairs ? "_soa" : ""),
        .count = "count_nibbles"};
    return counting_passes(workload, sort, view, {profile, level(), workload.algorithm, "presort=" + presort, bytes});
  }

 private:
  /// Bits of a key that the passes sort by.
  static int key_bits(const Parameters& parameters, const ElementBytes& bytes) {
    if (parameters.word("limit_range") == "yes" || parameters.word("float_bits") == "lossy") {
      throw BadInput(
          "ha_implicit_radix: limit_range=yes and float_bits=lossy are not modelled: the passes depend on the keys");
    }
    return std::min(static_cast<int>(8 * bytes.key), static_cast<int>(parameters.integer("range_bits")));
  }
};

const RegisterLevels<HaImplicitRadix> registered;

}  // namespace
}  // namespace sortlab
