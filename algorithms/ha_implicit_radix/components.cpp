// Components that Ha, Krueger and Silva measure separately: the kernels of a pass (Tables 1 to 3), and a copy for
// comparison.
#include "algorithms/component.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Runnable> make_ha_presort(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_ha_global_rank(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_ha_shuffle(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_ha_memcpy(const Problem&, const Parameters&, const Resources&);

namespace {

using Refusal = std::optional<std::string>;

Refusal declines_types(const Problem& problem, const Parameters&) {
  if (problem.n == 0) return "has nothing to do without elements";
  if (problem.key == KeyType::u32 && problem.value == ValueType::u32) return std::nullopt;
  return "is measured with u32 keys and u32 values, as in the paper";
}

Refusal declines(const Problem& problem, const Parameters& parameters) {
  if (auto reason = declines_types(problem, parameters)) return reason;
  if (parameters.word("presort") != "stored") return "is a kernel of presort=stored (preset paper)";
  if (parameters.word("limit_range") == "yes" || parameters.integer("range_bits") < 32) {
    return "is measured on keys of any range: limit_range=no, range_bits from 32 on";
  }
  return std::nullopt;
}

template <bool kPairs>
Refusal declines_shuffle(const Problem& problem, const Parameters& parameters) {
  if (auto reason = declines(problem, parameters)) return reason;
  if ((parameters.word("scatter") == "aos") == kPairs) return std::nullopt;
  return kPairs ? "writes pairs: scatter=aos" : "writes separate arrays of keys and values: scatter=soa";
}

constexpr const char* kAlgorithm = "ha_implicit_radix";
constexpr const char* kSorted = "the whole array is sorted stably by the lowest digit, each value with its key";

const RegisterComponent presort{{.algorithm = kAlgorithm,
                                 .name = "presort",
                                 .title = "Pre-sort of tiles by a 4-bit digit, eight iterations: one per digit",
                                 .source = "Ha, Krueger and Silva 2010, section 4, Table 1 (Table 3: one iteration)",
                                 .postcondition =
                                     "after the last iteration, which takes another digit in each run, each "
                                     "tile is sorted stably by that digit and holds the pairs that it had",
                                 .iterations = 8,
                                 .phases = {"presort"},
                                 .declines = declines,
                                 .prepare = &make_ha_presort}};
const RegisterComponent global_rank{{.algorithm = kAlgorithm,
                                     .name = "global_rank",
                                     .title = "Global rank: scan of the digit counts of all tiles",
                                     .source = "Ha, Krueger and Silva 2010, section 4, Table 3",
                                     .postcondition = std::string{"after a shuffle by the ranks "} + kSorted,
                                     .phases = {"rank"},
                                     .declines = declines,
                                     .prepare = &make_ha_global_rank}};
const RegisterComponent shuffle_aos{
    {.algorithm = kAlgorithm,
     .name = "shuffle_aos",
     .title = "Global shuffle of pre-sorted tiles in one coalesced pass that writes pairs",
     .source = "Ha, Krueger and Silva 2010, section 4, Table 2 (AOS)",
     .postcondition = kSorted,
     .phases = {"shuffle"},
     .declines = declines_shuffle<true>,
     .prepare = &make_ha_shuffle}};
const RegisterComponent shuffle_soa{
    {.algorithm = kAlgorithm,
     .name = "shuffle_soa",
     .title = "Global shuffle of pre-sorted tiles that writes keys and values to separate arrays",
     .source = "Ha, Krueger and Silva 2010, section 4, Table 2 (SOA)",
     .postcondition = kSorted,
     .phases = {"shuffle"},
     .declines = declines_shuffle<false>,
     .prepare = &make_ha_shuffle}};
const RegisterComponent copy{{.algorithm = kAlgorithm,
                              .name = "memcpy",
                              .title = "Copy of keys and values from device to device, in one call",
                              .source = "Ha, Krueger and Silva 2010, section 4, Table 2 (Memcpy)",
                              .postcondition = "the copy is equal to the input",
                              .declines = declines_types,
                              .prepare = &make_ha_memcpy}};

}  // namespace
}  // namespace sortlab
