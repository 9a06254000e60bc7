// Checks the paper's formula with the paper's numbers, and the schedule on an invented machine.
#include "algorithms/stehle_heterogeneous/plan.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

Workload pairs(std::uint64_t n, const GivenParameters& given) {
  return {.algorithm = "stehle_heterogeneous",
          .key = KeyType::u64,
          .value = ValueType::u64,
          .n = n,
          .threads = 1,
          .parameters = papers("stehle_heterogeneous", given)};
}

double phase_seconds(const Prediction& prediction, std::string_view phase) {
  double seconds = 0;
  for (const PhasePrediction& one : prediction.phases) {
    if (one.name == phase) seconds += one.seconds;
  }
  return seconds;
}

// Section 6.2: 629 ms for the chunked sort of 6 GB in 16 chunks, 6.7 s and 9.3 s for 64 GB.
TEST(SteM9, GivesThePapersTimesWithinWhatTheFormulaLeavesOut) {
  const MachineProfile titan = machine("titan_x_pascal");
  const Prediction six = predicted("STE-M9", titan, pairs(375000000, {{"chunks", "16"}}));
  expect_phases("stehle_heterogeneous", six);
  EXPECT_NEAR(six.seconds - phase_seconds(six, "merge"), 0.608, 0.001);
  const Prediction large = predicted("STE-M9", titan, pairs(4000000000, {{"chunks", "16"}}));
  EXPECT_NEAR(phase_seconds(large, "merge"), 9.3, 0.001);
  EXPECT_NEAR(large.seconds - 9.3, 6.7, 0.03 * 6.7 + 0.05);
  EXPECT_NEAR(large.seconds, 16, 0.3);
}

TEST(SteM9, DeclinesWhatThePaperDidNotTime) {
  const MachineProfile titan = machine("titan_x_pascal");
  EXPECT_THROW(predicted("STE-M9", titan, pairs(1000, {{"merge", "ours"}})), BadInput);
  Workload keys = pairs(1000, {});
  keys.value = ValueType::none;
  EXPECT_THROW(predicted("STE-M9", titan, keys), BadInput);
}

TEST(Pipeline, DeclinesSortsThatItCannotAsk) {
  MachineProfile host;
  host.devices.emplace_back();
  host.devices[0].tables["link"] = constant({"direction", "pinned", "bytes"}, 1e9);
  EXPECT_THROW(
      predicted("stehle_heterogeneous", host, pairs(1000, {{"merge", "ours"}, {"sort", "satish_split_radix"}})),
      BadInput);
  EXPECT_THROW(predicted("stehle_heterogeneous", MachineProfile{}, pairs(1000, {{"merge", "ours"}})), MissingQuantity);
}

}  // namespace
}  // namespace sortlab
