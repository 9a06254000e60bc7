#include "harness/run/messages.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/whole_records.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The message as it arrives at the other end of the socket.
template <class Kind>
Kind sent(const Kind& event) {
  return std::get<Kind>(event_from_json(ordered_json::parse(to_json(WorkerEvent{event}).dump())));
}

Verification verified() {
  Verification v;
  v.order = true;
  v.multiset = true;
  v.pairing = true;
  v.ordered_by = "bits 0 to 3";
  v.digest = "0123456789abcdef";
  return v;
}

TEST(Messages, ASampleArrivesAsItWasTaken) {
  event::SampleTaken taken;
  taken.cell = 3;
  taken.sample.seconds = 0.1;
  taken.sample.disturbance = {.core_share = 0.97,
                              .device_share = 0.96,
                              .waited_share = 0.02,
                              .throttled_share = 0.3,
                              .elsewhere = true,
                              .pages_read = 5,
                              .stopped_share = 0.7,
                              .is_traced = true,
                              .clock_share = 0.6,
                              .interrupts_per_s = 3000,
                              .huge_page_share = 0.5,
                              .huge_pages_changed = true};
  taken.sample.facts.affinity = {1, 4095};
  taken.sample.clock_hz = 2.7e9 / 3;
  taken.sample.phases = {{.name = "scatter", .pass = 2, .seconds = 2.5e-3}};
  taken.sample.counters = {{"cycles", 1e9}};
  taken.verification = verified();
  taken.spent_s = 1.0 / 3;
  const event::SampleTaken arrived = sent(taken);
  EXPECT_EQ(arrived.cell, 3U);
  EXPECT_EQ(arrived.sample.seconds, 0.1);
  EXPECT_EQ(arrived.sample.disturbance, taken.sample.disturbance);
  taken.sample.disturbance.interrupts_per_s = std::nullopt;
  EXPECT_EQ(sent(taken).sample.disturbance, taken.sample.disturbance);
  EXPECT_EQ(arrived.sample.facts.affinity, taken.sample.facts.affinity);
  EXPECT_EQ(arrived.sample.clock_hz, 2.7e9 / 3);
  ASSERT_EQ(arrived.sample.phases.size(), 1U);
  EXPECT_EQ(arrived.sample.phases[0].name, "scatter");
  EXPECT_EQ(arrived.sample.phases[0].pass, 2);
  EXPECT_EQ(arrived.sample.phases[0].seconds, 2.5e-3);
  EXPECT_EQ(arrived.sample.counters, taken.sample.counters);
  EXPECT_EQ(arrived.spent_s, 1.0 / 3);
  EXPECT_EQ(to_json(arrived.verification), to_json(verified()));
  EXPECT_EQ(arrived.verification.pairing, true);
  EXPECT_EQ(arrived.verification.stability, std::nullopt);
}

TEST(Messages, TheInputArrivesWithItsDeviceOrNone) {
  const DeviceFacts device{.name = "NVIDIA H200",
                           .compute_capability = "9.0",
                           .multiprocessors = 132,
                           .clock_hz = 1.98e9,
                           .memory_bytes = std::uint64_t{139} << 30,
                           .l2_bytes = 60 << 20,
                           .driver = "13.0",
                           .runtime = "13.0"};
  const event::InputMade on_device = sent(event::InputMade{.entropy_bits = 31.5, .device = device});
  ASSERT_TRUE(on_device.device);
  EXPECT_EQ(to_json(*on_device.device), to_json(device));
  EXPECT_EQ(on_device.entropy_bits, 31.5);
  const event::InputMade on_host = sent(event::InputMade{});
  EXPECT_FALSE(on_host.device);
  EXPECT_FALSE(on_host.entropy_bits);
}

TEST(Messages, WhatEndsACellArrives) {
  EXPECT_EQ(sent(event::TurnOver{.cell = 1, .called_s = {0.5, 2}}).called_s, (std::vector{0.5, 2.0}));
  EXPECT_EQ(sent(event::TurnOver{.cell = 7}).cell, 7U);
  const event::Lost failed = sent(event::Lost{
      .cell = 2, .status = Status::failed, .code = ReasonCode::own_time, .reason = "threw", .verification = {}});
  EXPECT_EQ(failed.cell, 2U);
  EXPECT_EQ(to_name(failed.status), "failed");
  EXPECT_EQ(failed.reason, "threw");
  EXPECT_EQ(to_name(failed.code), "own_time");
  EXPECT_FALSE(failed.verification);
  EXPECT_EQ(failed.limit, "");
  const event::Lost known = sent(event::Lost{.cell = 2,
                                             .status = Status::failed,
                                             .code = ReasonCode::known_limit,
                                             .reason = "r",
                                             .verification = {},
                                             .limit = "dominant_value"});
  EXPECT_EQ(known.limit, "dominant_value");
  const event::Lost with_output = sent(event::Lost{
      .cell = 2, .status = Status::wrong, .code = ReasonCode::wrong_output, .reason = "r", .verification = verified()});
  ASSERT_TRUE(with_output.verification);
  EXPECT_EQ(with_output.verification->ordered_by, "bits 0 to 3");
}

TEST(Messages, EnergyArrivesOrTheReasonForNone) {
  const CellEnergy energy = metered({0.5, 0.51, 0.53});
  const event::EnergyTaken arrived = sent(event::EnergyTaken{.cell = 5, .energy = energy});
  EXPECT_EQ(arrived.cell, 5U);
  EXPECT_EQ(arrived.energy.reason, "");
  EXPECT_EQ(to_json(arrived.energy), to_json(energy));
  EXPECT_EQ(sent(event::EnergyTaken{.cell = 0, .energy = {.reason = "no counter"}}).energy.reason, "no counter");
}

TEST(Messages, WhatTheWorkerSaysOfItselfArrives) {
  EXPECT_EQ(sent(event::Ready{.counters_reason = "none here"}).counters_reason, "none here");
  EXPECT_EQ(sent(event::Ready{.counters_reason = ""}).counters_reason, "");
  EXPECT_EQ(sent(event::NoInput{.reason = "too large"}).reason, "too large");
  const event::Prepared prepared = sent(event::Prepared{.cell = 4, .scratch_bytes = 1 << 20, .affinity = {0, 2}});
  EXPECT_EQ(prepared.cell, 4U);
  EXPECT_EQ(prepared.scratch_bytes, 1U << 20);
  EXPECT_EQ(prepared.affinity, (std::vector{0, 2}));
  sent(event::Leaving{});
  sent(event::BlockDone{});
}

TEST(Messages, WhatIsNoEventIsRefused) {
  EXPECT_THROW(event_from_json({{"event", "a party"}}), std::runtime_error);
  EXPECT_THROW(event_from_json({{"cell", 1}}), nlohmann::json::exception);
  EXPECT_THROW(event_from_json({{"event", "turn over"}, {"called_s", {1}}}), nlohmann::json::exception);
}

}  // namespace
}  // namespace sortlab
