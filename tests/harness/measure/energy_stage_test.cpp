// The stage that meters a sort's energy, with a fake NVML, and a testbed whose sorts do nothing but take time.
#include "harness/measure/energy_stage.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

namespace sortlab {
namespace {

const DeviceIdentity kDevice{"0000:17:00.0", "GPU-00000000-0000-0000-0000-000000000017"};

/// A tenth of the true times, and as many steps of a counter that moves every 5 ms.
constexpr EnergyTimes kTimes{.budget_s = 2,
                             .window_s = 0.3,
                             .steps = 50,
                             .cooling_before_s = 0.04,
                             .idle_before_s = 0.1,
                             .cooling_after_s = 0.02,
                             .idle_after_s = 0.1,
                             .restoring_s = 0.1,
                             .settling_s = 0.02,
                             .least_settling_s = 0.01};

EnergyMeters fake_meters(const std::string& mode) {
  setenv("FAKE_NVML", mode.c_str(), 1);
  return {.device = open_device_meter(kDevice, FAKE_NVML_LIBRARY)};
}

class NoWork final : public Runnable {
 public:
  Buffers run(const Buffers& buffers, PhaseTimer&) override { return buffers; }
  std::uint64_t scratch_bytes() const override { return 0; }
  Postcondition postcondition() const override { return {}; }
};

/// Sorts take 2 ms, and restoring an input takes 1.
class SlowTestbed final : public Testbed {
 public:
  std::optional<double> entropy_bits() const override { return std::nullopt; }
  Resources resources(const Case&) const override { return {}; }
  PhaseTimer phase_timer(const Case&) override { return PhaseTimer(1); }
  std::unique_ptr<Runnable> prepare(const Case&) override { return std::make_unique<NoWork>(); }
  void make_inputs(const std::vector<std::uint64_t>&) override {}
  std::uint64_t seed() const override { return 1; }
  InputDigest digest() const override { return {}; }
  TimedSort warm_up(const Case&, Runnable&, PhaseTimer&, const Doing&) override { return {}; }
  TimedSort sort(const Case&, Runnable&, PhaseTimer&, const SampleSetting&, const Doing&) override { return {}; }
  SortedInput repeat(const Case&, Runnable&, int times, bool sorts) override {
    (sorts ? sorted_ : restored_) += times;
    std::this_thread::sleep_for(std::chrono::milliseconds{(sorts ? 3 : 1) * times});
    return {};
  }
  Verification verify(const Case&, Runnable&, const SortedInput&) override { return {}; }
  Buffers input(const Case&) override { return {}; }

  int sorted_ = 0;
  int restored_ = 0;
};

std::optional<CellEnergy> stage(const std::string& mode, bool is_right = true) {
  SlowTestbed testbed;
  NoWork sort;
  const Case c{};
  return measure_energy(
      c, testbed, sort, [&] { return fake_meters(mode); }, [](Step) {}, [&](const SortedInput&) { return is_right; },
      kTimes);
}

TEST(EnergyStage, JoulesOfASortAreItsTimeAtThatPowerWithoutRestoring) {
  const auto energy = stage("power=300 step=5");
  ASSERT_TRUE(energy.has_value());
  ASSERT_EQ(energy->reason, "");
  EXPECT_EQ(energy->windows.size(), 3U);
  EXPECT_GE(energy->counter_steps, 50U);
  EXPECT_NEAR(energy->counter_step_s, 0.005, 0.002);
  // Sleeping takes a little longer than asked for, in sorts and in restoring alike.
  EXPECT_GT(energy->seconds_per_sort(), 0.0018);
  EXPECT_LT(energy->seconds_per_sort(), 0.004);
  EXPECT_NEAR(energy->gross().value, 300 * energy->seconds_per_sort(), 0.1 * energy->gross().value);
  EXPECT_NEAR(energy->net().value, 0, 0.1 * energy->gross().value) << "this device draws as much when idle";
  EXPECT_NEAR(energy->idle_before_w, 300, 30);
  EXPECT_NEAR(energy->mean_power_w(), 300, 30);
  EXPECT_NEAR(energy->integrated_over_counter.value_or(0), 1, 0.05);
  ASSERT_TRUE(energy->device.has_value());
  EXPECT_EQ(energy->device->power_limit_w, 700);
  EXPECT_TRUE(energy->device->throttled_shares.empty());
  double sum = 0;
  for (const EnergyWindow& w : energy->windows) {
    EXPECT_GE(w.seconds, kTimes.window_s);
    EXPECT_GT(w.restoring_joules, 0);
    sum += (w.joules - w.restoring_joules) / w.sorts;
  }
  EXPECT_NEAR(energy->gross().value, sum / 3, 1e-12);
  EXPECT_NEAR(energy->joules_by_domain.at("device"), energy->gross().value, 1e-9 * energy->gross().value);
  const nlohmann::ordered_json json = to_json(*energy);
  EXPECT_EQ(to_json(energy_from_json(json)), json);
}

TEST(EnergyStage, PowerCapsAndPowerThatDisagreesAreTold) {
  const auto energy = stage("power=300 step=5 shown=80 capped");
  ASSERT_TRUE(energy.has_value());
  EXPECT_NEAR(energy->integrated_over_counter.value_or(0), 0.8, 0.05);
  ASSERT_TRUE(energy->device.has_value());
  EXPECT_NEAR(energy->device->throttled_shares.at("power cap"), 1, 1e-9);
}

TEST(EnergyStage, ACounterThatCannotBeBelievedGivesAReason) {
  const auto reason = [](const std::string& mode) {
    const auto energy = stage(mode);
    return energy ? energy->reason : "no answer";
  };
  EXPECT_TRUE(reason("step=5 jumps").starts_with("the GPU's counter of energy jumped back, from 1"));
  EXPECT_EQ(reason("step=5 shared"), "the GPU is shared: 2 processes have a context on it");
  EXPECT_EQ(reason("step=5 busy"), "the GPU is shared: it worked 90 % of the time while this process was idle");
  EXPECT_EQ(reason("mig"), "the GPU is partitioned (MIG): its counter is that of all partitions");
  EXPECT_EQ(reason("step=5 stands"), "the counter of energy did not move twice in a window");
}

TEST(EnergyStage, AWrongOutputEndsIt) {
  EXPECT_EQ(stage("step=5", false), std::nullopt);
}

TEST(EnergyPlan, FitsIntoItsBudget) {
  const EnergyTimes times;
  for (const double step_s : {0.001, 0.02, 0.1}) {
    for (const double sort_s : {20e-6, 1e-3, 0.05, 0.3}) {
      const EnergyPlan plan = plan_energy(step_s, sort_s);
      EXPECT_LE(plan.total_s(times), 20) << step_s << ' ' << sort_s;
      EXPECT_GE(plan.window_s, std::max(3.0, 50 * step_s));
      EXPECT_EQ(plan.rounds, 3) << step_s << ' ' << sort_s;
    }
  }
  EXPECT_DOUBLE_EQ(plan_energy(0.02, 1e-3).restoring_s, 1);
  EXPECT_DOUBLE_EQ(plan_energy(0.02, 1e-3).settling_s, 0.5);
  EXPECT_DOUBLE_EQ(plan_energy(0.1, 1e-3).settling_s, 0.1);
  EXPECT_DOUBLE_EQ(plan_energy(0.02, 0.3).settling_s, 0);
  EXPECT_DOUBLE_EQ(plan_energy(0.1, 1e-3).restoring_s, 0.5);
  EXPECT_EQ(plan_energy(0.02, 4).rounds, 2);
  EXPECT_THROW(plan_energy(0.2, 1e-3), EnergyUnavailable);
  EXPECT_THROW(plan_energy(0.02, 9), EnergyUnavailable);
}

TEST(EnergySeries, SpansGoFromAChangeToAChange) {
  EnergySeries series;
  for (int ms = 0; ms <= 1000; ms += 10) series.take(1e-3 * ms, {std::floor(ms / 100.0) * 30});
  EXPECT_NEAR(series.step_s(), 0.1, 1e-9);
  const auto span = series.span(0.15, 0.85);
  ASSERT_TRUE(span.has_value());
  EXPECT_NEAR(span->begin_s, 0.2, 1e-9);
  EXPECT_NEAR(span->end_s, 0.8, 1e-9);
  EXPECT_EQ(span->steps, 6U);
  EXPECT_NEAR(span->watts(), 300, 1e-6);
  EXPECT_EQ(series.changes(0.15, 0.85), 7U);
  EXPECT_EQ(series.span(0.15, 0.25), std::nullopt);
}

TEST(EnergySeries, JumpsAndStandingStillAreRefused) {
  EnergySeries stands;
  stands.take(0, {5});
  stands.take(1.4, {5});
  EXPECT_THROW(stands.take(1.6, {5}), EnergyUnavailable);
  EnergySeries jumps;
  jumps.take(0, {5});
  jumps.take(0.1, {35});
  jumps.take(0.2, {65});
  EXPECT_THROW(jumps.take(0.3, {64}), EnergyUnavailable);
  EXPECT_THROW(jumps.take(0.3, {9000}), EnergyUnavailable);
}

TEST(EnergySeries, PowerIsIntegratedBetweenItsReadings) {
  std::vector<DeviceStateAt> states;
  for (int i = 0; i <= 10; ++i) states.push_back({0.1 * i, {.power_w = 100.0 + 10 * i}});
  EXPECT_NEAR(integrate_power(states, 0, 1).value_or(0), 150, 1e-9);
  EXPECT_EQ(integrate_power(states, 2, 3), std::nullopt);
}

TEST(EnergyInputs, SmallInputsAreManyOnTheHost) {
  Cell cell;
  cell.subject.n = 1 << 10;
  EXPECT_EQ(energy_inputs(cell).size(), 1023U);
  cell.subject.n = 1 << 24;
  EXPECT_EQ(energy_inputs(cell).size(), 1U);
  cell.subject.n = 1 << 10;
  cell.subject.residency = Residency::device;
  EXPECT_EQ(energy_inputs(cell).size(), 1U);
  cell.protocol.same_input = true;
  EXPECT_EQ(energy_inputs(cell), std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace sortlab
