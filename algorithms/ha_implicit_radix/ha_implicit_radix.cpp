// Ha, Krueger and Silva's implicit radix sort: four bits per pass, by two 2-bit splits that count in packed words.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/ha_implicit_radix/plan.hpp"
#include "core/unit_floats.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_ha_implicit_radix(const Problem&, const Parameters&, const Resources&);

namespace {

class HaImplicitRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    if (auto reason = ha::declines(ha::parse_tile_shape(parameters.word("tile"), parameters.word("counter_bits"),
                                                        parameters.word("warp_scan")))) {
      return reason;
    }
    if (problem.value != ValueType::none && parameters.word("scatter") == "aos" &&
        parameters.word("presort") == "recomputed") {
      return "presort=recomputed reads the keys alone, which scatter=aos does not keep apart";
    }
    if (parameters.word("float_bits") == "lossy") {
      if (problem.key != KeyType::f32) return "float_bits=lossy maps f32 keys only";
      if (problem.needs_total_order) return "float_bits=lossy orders neither NaN nor zeros of both signs";
    }
    return std::nullopt;
  }

  Order order(const Parameters& parameters) const override {
    if (parameters.word("float_bits") != "lossy") return {};
    return {.unit_floats = true, .bits = UnitFloats::kBits};
  }
};

/// The sort in the paper's form, in tiles of that many elements.
GivenParameters in_tiles(const std::string& elements, const std::string& counter_bits) {
  return {{"presort", "stored"},
          {"scatter", "aos"},
          {"tile", elements},
          {"counter_bits", counter_bits},
          {"warp_scan", "shared"}};
}

const Register registered{std::make_unique<HaImplicitRadix>(
    Info{.name = "ha_implicit_radix",
         .title = "Implicit radix sort (LSD, 4 bits a pass) of Ha et al.",
         .source = "Ha, Krueger and Silva 2010, sections 3.1 to 3.3",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "ha2010",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = true,
         .parameters =
             {{.name = "presort",
               .meaning = "pre-sorted tiles: stored for the shuffle, or recomputed by it after a counting kernel",
               .standard = std::string{"recomputed"},
               .choices = choice_words(ha::kPresorts)},
              {.name = "scatter",
               .meaning = "layout between passes: pairs (aos), or separate arrays of keys and values (soa)",
               .standard = std::string{"soa"},
               .choices = choice_words(ha::kScatters)},
              {.name = "tile",
               .meaning = "elements per block: 512, 1024 or 2048, four per thread; or wide, of 256 threads: 4096 if "
                          "key and value have 4 bytes each, otherwise 2048",
               .standard = std::string{"wide"},
               .choices = choice_words(ha::kTiles)},
              {.name = "counter_bits",
               .meaning = "width of the word that counts a tile in bits: three counters of 10 or of 21 bits",
               .standard = std::string{"64"},
               .choices = choice_words(ha::kCounterBits)},
              {.name = "warp_scan",
               .meaning = "exchange of prefix sums between the lanes of a warp: through shared memory or by shuffles",
               .standard = std::string{"shuffle"},
               .choices = choice_words(ha::kWarpScans)},
              {.name = "limit_range",
               .meaning = "yes: find the smallest and largest key, and skip the passes above their difference",
               .standard = std::string{"no"},
               .choices = choice_words(kYesOrNo)},
              {.name = "range_bits",
               .meaning = "keys are known to lie in [m, m + 2^range_bits), with m the smallest key if "
                          "limit_range=yes, otherwise 0; the key's width or more: any key",
               .standard = std::int64_t{64},
               .range = {1, 64},
               .promise = true},
              {.name = "float_bits",
               .meaning = "sort f32 keys by all bits, or by the 23 that remain after mapping to [0.5, 1)",
               .standard = std::string{"exact"},
               .choices = choice_words(ha::kFloatBits),
               .promise = true}},
         .presets = {{"paper", in_tiles("1024", "32")},
                     {"paper_512", in_tiles("512", "32")},
                     {"paper_2048", in_tiles("2048", "64")},
                     {"tuned",
                      {{"presort", "recomputed"},
                       {"scatter", "soa"},
                       {"tile", "wide"},
                       {"counter_bits", "64"},
                       {"warp_scan", "shuffle"}}}},
         .roles = {{"ha_radix", in_tiles("1024", "32")},
                   {"ha_radix_512", in_tiles("512", "32")},
                   {"ha_radix_2048", in_tiles("2048", "64")},
                   {"ha_radix_soa",
                    {{"presort", "stored"},
                     {"scatter", "soa"},
                     {"tile", "1024"},
                     {"counter_bits", "32"},
                     {"warp_scan", "shared"}}},
                   {"ha_radix_64",
                    {{"presort", "stored"}, {"scatter", "aos"}, {"counter_bits", "64"}, {"warp_scan", "shuffle"}}}},
         .phases = {"range", "presort", "count", "rank", "shuffle"},
         .limits =
             {{.text = "float_bits=lossy leaves keys that agree in the 23 bits kept in input order, so its result is "
                       "only approximately sorted"},
              {.text =
                   "range_bits below the key's width is a promise: keys outside the range come out in wrong places"}}},
    &make_ha_implicit_radix)};

}  // namespace
}  // namespace sortlab
