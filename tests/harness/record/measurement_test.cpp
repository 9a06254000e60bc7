// The record of a measurement: what disturbed it is told cause by cause.
#include "harness/record/measurement.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The record of a cell whose samples were disturbed like this.
ordered_json disturbed_record(Residency residency, const std::vector<Disturbance>& samples) {
  const Algorithm& algorithm = algorithm_named("std_sort");
  Cell cell{.subject = {.algorithm = &algorithm,
                        .parameters = resolve("test", algorithm.info().parameters, {}),
                        .n = 1000,
                        .distribution = parse_distribution("uniform"),
                        .residency = residency}};
  CellResult result;
  result.status = Status::ok;
  result.stopped = StopReason::samples;
  if (residency != Residency::host) {
    result.device = DeviceFacts{.name = "NVIDIA H100", .multiprocessors = 132, .clock_hz = 2e9};
  }
  for (const Disturbance& disturbance : samples) {
    Sample sample;
    sample.seconds = 1e-3;
    sample.disturbance = disturbance;
    sample.clock_hz = 2e9;
    sample.facts.window_s = 1e-3;
    result.samples.push_back(sample);
  }
  result.verification = Verification{};
  return measurement_record(cell, result, "run", "machine");
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

TEST(MeasurementRecord, LeavesOutSamplesThatAQuotaDisturbed) {
  const Disturbance stopped{.throttled_share = 0.3};
  const ordered_json record = disturbed_record(Residency::host, {{}, stopped, {}, {}});
  EXPECT_EQ(record.at("samples_s").size(), 3U);
  EXPECT_EQ(record.at("left_out_s").size(), 1U);
  EXPECT_EQ(record.at("disturbed"), false);
}

}  // namespace
}  // namespace sortlab
