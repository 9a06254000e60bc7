// Ha, Krueger and Silva's four-way radix sort: two bits per pass, four simultaneous prefix sums.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/ha_four_way_radix/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_ha_four_way_radix(const Problem&, const Parameters&, const Resources&);

namespace {

const Register registered{std::make_unique<DeviceAlgorithm>(
    Info{.name = "ha_four_way_radix",
         .title = "Four-way radix sort (LSD, 2 bits a pass) of Ha et al.",
         .source =
             "Ha, Krueger and Silva 2009 (Computer Graphics Forum), as described in their chapter of 2010, section 2",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "ha2010",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = true,
         .parameters = {{.name = "presort",
                         .meaning =
                             "pre-sorted tiles: stored for the shuffle, or recomputed by it after a counting kernel",
                         .standard = std::string{"recomputed"},
                         .choices = choice_words(ha::kPresorts)},
                        {.name = "tile",
                         .meaning = "elements per block of 256 threads: 1024, scanned through shared memory; or wide: "
                                    "2048, scanned by shuffles",
                         .standard = std::string{"wide"},
                         .choices = choice_words(ha::four_way::kTiles)}},
         .presets = {{"paper", {{"presort", "stored"}, {"tile", "1024"}}},
                     {"tuned", {{"presort", "recomputed"}, {"tile", "wide"}}}},
         .phases = {"presort", "count", "rank", "shuffle"}},
    &make_ha_four_way_radix)};

}  // namespace
}  // namespace sortlab
