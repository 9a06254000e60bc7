// The record of a measurement: what disturbed it is told cause by cause.
#include "harness/record/measurement.hpp"

#include <gtest/gtest.h>

#include <vector>

#include <nlohmann/json.hpp>

namespace sortlab {
namespace {

using nlohmann::ordered_json;

Cell plain_cell(Residency residency) {
  const Algorithm& algorithm = algorithm_named("std_sort");
  return {.subject = {.algorithm = &algorithm,
                      .parameters = resolve("test", algorithm.info().parameters, {}),
                      .n = 1000,
                      .distribution = parse_distribution("uniform"),
                      .residency = residency},
          .protocol = {}};
}

CellResult plain_result(int samples) {
  Sample sample;
  sample.seconds = 1e-3;
  sample.clock_hz = 2e9;
  sample.facts.window_s = 1e-3;
  CellResult result;
  result.status = Status::ok;
  result.stopped = StopReason::samples;
  result.samples.assign(static_cast<std::size_t>(samples), sample);
  result.verification = Verification{};
  return result;
}

/// The record of a cell whose samples were disturbed like this.
ordered_json disturbed_record(Residency residency, const std::vector<Disturbance>& samples) {
  const Cell cell = plain_cell(residency);
  CellResult result = plain_result(0);
  if (residency != Residency::host) {
    DeviceFacts device;
    device.name = "NVIDIA H100";
    device.multiprocessors = 132;
    device.clock_hz = 2e9;
    result.device = device;
  }
  for (const Disturbance& disturbance : samples) {
    Sample sample;
    sample.seconds = 1e-3;
    sample.disturbance = disturbance;
    sample.clock_hz = 2e9;
    sample.facts.window_s = 1e-3;
    result.samples.push_back(sample);
  }
  return measurement_record(cell, result, "run", "machine");
}

/// The record of a cell whose samples had these phases, sorted in batches of `batch`.
ordered_json record_with_phases(Residency residency, int batch, const std::vector<std::vector<PhaseTime>>& phases) {
  const Algorithm& algorithm = algorithm_named("std_sort");
  const Cell cell{.subject = {.algorithm = &algorithm,
                              .parameters = resolve("test", algorithm.info().parameters, {}),
                              .n = 1000,
                              .distribution = parse_distribution("uniform"),
                              .residency = residency},
                  .protocol = {}};
  CellResult result;
  result.status = Status::ok;
  result.stopped = StopReason::samples;
  if (residency != Residency::host) {
    result.device.emplace();
    result.device->name = "NVIDIA H100";
    result.device->multiprocessors = 132;
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    Sample sample;
    sample.process = static_cast<int>(i / 2);
    sample.seconds = 1e-3;
    sample.clock_hz = 2e9;
    sample.facts.window_s = 1e-3;
    sample.facts.batch = batch;
    sample.phases = phases[i];
    result.samples.push_back(sample);
  }
  result.verification = Verification{};
  return measurement_record(cell, result, "run", "machine");
}

TEST(MeasurementRecord, HoldsThePhasesOfAllSamplesWithTheirIntervals) {
  const ordered_json record = record_with_phases(Residency::host, 1,
                                                 {{{"count", 0, 1e-4}, {"move", 0, 3e-4}},
                                                  {{"count", 0, 2e-4}, {"sort rest", 0, 5e-5}, {"move", 0, 4e-4}},
                                                  {{"count", 0, 3e-4}, {"move", 0, 5e-4}, {"move", 1, 0}},
                                                  {{"count", 0, 4e-4}, {"move", 0, 6e-4}}});
  const ordered_json& phases = record.at("phases");
  ASSERT_EQ(phases.size(), 4U);
  const auto name = [&](std::size_t i) { return phases[i].at("name").get<std::string>(); };
  EXPECT_EQ(name(0), "count");
  EXPECT_EQ(name(1), "sort rest") << "a phase that one sample has stands where that sample had it";
  EXPECT_EQ(name(2), "move");
  EXPECT_EQ(phases[3].at("pass"), 1);
  EXPECT_DOUBLE_EQ(phases[0].at("median_s"), 2.5e-4);
  EXPECT_LT(phases[0].at("ci95_s")[0], 1.5e-4) << "two processes whose medians are 0.15 and 0.35 ms";
  EXPECT_GT(phases[0].at("ci95_s")[1], 3.5e-4);
  EXPECT_EQ(phases[0].at("samples"), 4);
  EXPECT_EQ(phases[1].at("samples"), 1);
  EXPECT_EQ(phases[1].at("ci95_s"), ordered_json({5e-5, 5e-5}));
  EXPECT_EQ(phases[3].at("median_s"), 0) << "shorter than the clock's step";
}

TEST(MeasurementRecord, SaysWhichSortsThePhasesAreOf) {
  const std::vector<std::vector<PhaseTime>> phases{{{"count", 0, 1e-4}}, {{"count", 0, 2e-4}}};
  EXPECT_EQ(record_with_phases(Residency::host, 1, phases).at("phases_from"), "timed");
  EXPECT_EQ(record_with_phases(Residency::host, 7, phases).at("phases_from"), "priming");
  EXPECT_EQ(record_with_phases(Residency::end_to_end, 1, phases).at("phases_from"), "timed");
  EXPECT_EQ(record_with_phases(Residency::device, 1, phases).at("phases_from"), "additional");
  EXPECT_FALSE(record_with_phases(Residency::host, 1, {{}, {}}).contains("phases_from"));
  EXPECT_EQ(record_with_phases(Residency::host, 1, phases).at("phase_time"), "occupied");
  EXPECT_FALSE(record_with_phases(Residency::host, 1, {{}, {}}).contains("phase_time"));
}

TEST(MeasurementRecord, NamesTheProcessorsWhereTheyWereShared) {
  const ordered_json record = disturbed_record(Residency::end_to_end, {{.core_share = 0.56, .device_share = 0.98}});
  EXPECT_EQ(record.at("disturbed"), true);
  EXPECT_EQ(record.at("disturbance"), "the processors were not free: one ran at 56 % of its speed");
  EXPECT_EQ(record.at("core_share"), 0.56);
  EXPECT_EQ(record.at("device_share"), 0.98);
}

TEST(MeasurementRecord, NamesTheDeviceWhereItWasThrottled) {
  const ordered_json record = disturbed_record(Residency::device, {{.device_share = 0.5}});
  EXPECT_EQ(record.at("disturbance"), "the device was throttled: it ran at 50 % of its clock");
  EXPECT_EQ(record.at("device_share"), 0.5);
  EXPECT_FALSE(record.contains("core_share"));
}

TEST(MeasurementRecord, NamesEveryCauseThatCountsAndNoOther) {
  const ordered_json quiet = disturbed_record(Residency::host, {{.core_share = 0.95, .waited_share = 0.005}});
  EXPECT_EQ(quiet.at("disturbed"), false);
  EXPECT_FALSE(quiet.contains("disturbance"));
  EXPECT_FALSE(quiet.contains("device_share"));
  EXPECT_EQ(quiet.at("throttled_share"), 0);
  const ordered_json both =
      disturbed_record(Residency::host, {{.waited_share = 0.5, .throttled_share = 0.002}, {.throttled_share = 0.25}});
  EXPECT_EQ(both.at("disturbance"),
            "its threads waited for processors 50 % of the time; a control group's quota of processor time stopped its "
            "threads 25 % of the time");
  EXPECT_EQ(both.at("throttled_share"), 0.25);
}

TEST(MeasurementRecord, SaysThatTheProcessStoodStill) {
  const ordered_json frozen = disturbed_record(Residency::host, {{.stopped_share = 0.5}});
  EXPECT_EQ(frozen.at("stopped_share"), 0.5);
  EXPECT_EQ(
      frozen.at("disturbance"),
      "it stood still for up to 50 % of the time (a control group that was frozen, or a host that paused the machine)");
  EXPECT_EQ(disturbed_record(Residency::host, {{}, {.stopped_share = 0.02}, {}, {}}).at("samples_s").size(), 3U);
}

TEST(MeasurementRecord, SaysThatATracerOrShortMemoryDisturbed) {
  const ordered_json quiet = disturbed_record(Residency::host, {{}, {}});
  EXPECT_EQ(quiet.at("traced"), false);
  EXPECT_EQ(quiet.at("pages_read"), 0);
  const ordered_json traced = disturbed_record(Residency::host, {{.is_traced = true}});
  EXPECT_EQ(traced.at("traced"), true);
  EXPECT_EQ(traced.at("disturbance"), "a tracer, a debugger or a probe (strace, gdb, perf, bpftrace) was attached");
  const ordered_json slow = disturbed_record(Residency::host, {{.clock_share = 0.45}});
  EXPECT_EQ(slow.at("clock_share"), 0.45);
  EXPECT_EQ(slow.at("disturbance"),
            "the processor ran at 45 % of the highest rate of this run (a lower clock, or interrupts)");
  const ordered_json profiled = disturbed_record(Residency::host, {{.interrupts_per_s = 20123.4}});
  EXPECT_EQ(profiled.at("interrupts_per_s"), 20123.4);
  EXPECT_TRUE(quiet.at("interrupts_per_s").is_null()) << "no sample tells of interrupts";
  EXPECT_EQ(disturbed_record(Residency::host, {{.interrupts_per_s = 0}}).at("interrupts_per_s"), 0);
  EXPECT_EQ(profiled.at("disturbance"),
            "one of its processors had 20123 interrupts a second beyond the timer's tick (a sampling profiler, a "
            "network card or other device, timers, or programs that call all processors)");
  EXPECT_EQ(disturbed_record(Residency::host, {{}, {.interrupts_per_s = 5000}, {}, {}}).at("samples_s").size(), 3U);
  const ordered_json small = disturbed_record(Residency::host, {{.huge_page_share = 0.25}, {.huge_page_share = 0.5}});
  EXPECT_EQ(small.at("huge_page_share"), 0.25);
  EXPECT_EQ(small.at("disturbance"),
            "25 % of its arrays or of its scratch memory lay in huge pages, which this system gave when the run began "
            "(memory in pieces, a filter of system calls, or another setting since)");
  const ordered_json changed = disturbed_record(Residency::host, {{.huge_pages_changed = true}});
  EXPECT_EQ(changed.at("huge_pages_changed"), true);
  EXPECT_EQ(changed.at("disturbance"), "the system's setting of huge pages was changed since the run began");
  EXPECT_FALSE(quiet.contains("huge_pages_changed"));
  EXPECT_FALSE(quiet.contains("huge_page_share")) << "no sample tells of them";
  EXPECT_EQ(disturbed_record(Residency::host, {{.clock_share = 0.8, .interrupts_per_s = 1000}}).at("disturbed"), false);
  const ordered_json swapped = disturbed_record(Residency::host, {{.pages_read = 7}, {.pages_read = 900}});
  EXPECT_EQ(swapped.at("pages_read"), 900);
  EXPECT_EQ(swapped.at("disturbance"), "900 pages were read from a disk or from swap, since memory is short");
  EXPECT_EQ(disturbed_record(Residency::host, {{}, {.pages_read = 1}, {}, {}}).at("samples_s").size(), 3U);
}

TEST(MeasurementRecord, SaysWhereASortRanThatTheSystemDidNotBind) {
  const ordered_json held = disturbed_record(Residency::host, {{}, {}});
  EXPECT_EQ(held.at("affinity_held"), true);
  const ordered_json record = disturbed_record(Residency::host, {{.core_share = 0.5, .elsewhere = true}});
  EXPECT_EQ(record.at("affinity_held"), false);
  EXPECT_EQ(record.at("disturbed"), true);
  const std::string why = record.at("disturbance");
  EXPECT_TRUE(why.starts_with("the system did not bind its threads")) << why;
  EXPECT_EQ(why.find("not free"), std::string::npos) << "a cause that it does not have: " << why;
  EXPECT_FALSE(disturbed_record(Residency::device, {{}}).contains("affinity_held"));
}

TEST(MeasurementRecord, LeavesOutSamplesTakenElsewhereAndTheirProcessors) {
  const Cell cell = plain_cell(Residency::host);
  CellResult result = plain_result(3);
  result.affinity = {7};
  EXPECT_EQ(measurement_record(cell, result, "run", "machine").at("case").at("affinity"), ordered_json({7}));
  for (Sample& sample : result.samples) sample.facts.affinity = {0};
  result.samples[1].facts.affinity = {1, 2};
  EXPECT_EQ(measurement_record(cell, result, "run", "machine").at("case").at("affinity"), ordered_json({0, 1, 2}));
  result.samples[1].disturbance.elsewhere = true;
  const ordered_json record = measurement_record(cell, result, "run", "machine");
  EXPECT_EQ(record.at("case").at("affinity"), ordered_json(std::vector<int>{0}));
  EXPECT_EQ(record.at("left_out_s").size(), 1U);
  EXPECT_EQ(record.at("affinity_held"), true);
}

TEST(MeasurementRecord, HasNoDistanceOfCoresThatWasNotMeasured) {
  Cell cell = plain_cell(Residency::host);
  cell.subject.threads = 2;
  CellResult result = plain_result(3);
  EXPECT_FALSE(measurement_record(cell, result, "run", "machine").contains("core_distance_s"));
  result.samples[2].facts.distance_s = 5e-8;
  EXPECT_EQ(measurement_record(cell, result, "run", "machine").at("core_distance_s"), 5e-8);
}

TEST(MeasurementRecord, LeavesOutSamplesThatAQuotaDisturbed) {
  const Disturbance stopped{.throttled_share = 0.3};
  const ordered_json record = disturbed_record(Residency::host, {{}, stopped, {}, {}});
  EXPECT_EQ(record.at("samples_s").size(), 3U);
  EXPECT_EQ(record.at("left_out_s").size(), 1U);
  EXPECT_EQ(record.at("disturbed"), false);
}

}  // namespace
}  // namespace sortlab
