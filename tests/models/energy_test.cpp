// Joules of a sort from its predicted phases and the energy an operation.
#include "models/energy.hpp"

#include <gtest/gtest.h>

namespace sortlab {
namespace {

MachineProfile metered_device() {
  MachineProfile device;
  const auto add = [&](const std::string& table, double value) {
    device.tables[table] = {
        .unit = "J", .source = "", .arguments = {}, .points = {{{}, value, {}}}, .kind = "hardware"};
  };
  add("energy.static", 150);
  add("energy.instructions", 1e-9);
  add("energy.shared_accesses", 2e-9);
  add("energy.bytes.l2", 10e-12);
  add("energy.bytes.dram", 40e-12);
  return device;
}

TEST(Energy, OfAPhaseIsStaticPowerAndItsOperations) {
  const Prediction prediction{
      .seconds = 3e-3,
      .phases = {{.name = "histogram", .seconds = 1e-3, .work = {{"instructions", 1e8}, {"bytes.l2", 1e9}}},
                 {.name = "scatter",
                  .pass = 1,
                  .seconds = 2e-3,
                  .work = {{"bytes.dram", 2e9}, {"shared_accesses", 5e7}, {"elements", 1e9}}}}};
  const auto energy = predict_energy(prediction, metered_device());
  ASSERT_TRUE(energy.has_value());
  ASSERT_EQ(energy->phases.size(), 2U);
  EXPECT_DOUBLE_EQ(energy->phases[0].static_joules, 0.15);
  EXPECT_DOUBLE_EQ(energy->phases[0].dynamic_joules, 0.1 + 0.01);
  EXPECT_DOUBLE_EQ(energy->phases[1].static_joules, 0.3);
  EXPECT_DOUBLE_EQ(energy->phases[1].dynamic_joules, 0.08 + 0.1);
  EXPECT_EQ(energy->phases[1].name, "scatter");
  EXPECT_EQ(energy->phases[1].pass, 1);
  double sum = 0;
  for (const PhaseEnergy& phase : energy->phases) sum += phase.static_joules + phase.dynamic_joules;
  EXPECT_DOUBLE_EQ(energy->joules, sum);
}

TEST(Energy, IsNotPredictedForADeviceThatWasNotMetered) {
  EXPECT_EQ(predict_energy({}, MachineProfile{}), std::nullopt);
}

TEST(Energy, OnlyOperationsThatCostAreKept) {
  Operations operations{{"bytes.l2", 1}};
  add_metered(operations, {{"bytes.l2", 2}, {"instructions", 3}, {"elements", 4}});
  EXPECT_EQ(operations, (Operations{{"bytes.l2", 3}, {"instructions", 3}}));
}

}  // namespace
}  // namespace sortlab
