// Runs on a GPU through supervisor and workers, with planted sorts that misbehave there. Each costs its cell, and the
// next worker finds a working device. This program is its own worker (tests/support/main.cpp).
#include <gtest/gtest.h>

#include <map>

#include "harness/machine/gpu.hpp"
#include "tests/harness/run/planted_device_sorts.hpp"
#include "tests/support/measured_sorts.hpp"

namespace sortlab {
namespace {

const Plant well{"planted_well", make_planted_library_sort<Misbehaviour::none>};
const Plant address{"planted_illegal_address", make_planted_library_sort<Misbehaviour::illegal_address>};
const Plant endless{"planted_endless_loop", make_planted_library_sort<Misbehaviour::endless_loop>};
const Plant launch{"planted_launch_failure", make_planted_library_sort<Misbehaviour::launch_failure>};
const Plant memory{"planted_out_of_memory", make_planted_library_sort<Misbehaviour::out_of_memory>};
const Plant disorder{"planted_disorder", make_planted_library_sort<Misbehaviour::disorder>};
const Plant doubled{"planted_doubled_key", make_planted_library_sort<Misbehaviour::doubled_key>};

class DeviceRun : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus_here().names.empty()) GTEST_SKIP() << "no GPU: " << gpus_here().reason;
  }

  static std::map<std::string, CellResult> measure(const std::vector<std::string>& names, Sweep sweep = {}) {
    sweep.n = {100000};
    sweep.protocol.samples = 9;
    sweep.protocol.timeout_s = 5;
    return results_by_algorithm(uniform_sweep(names, sweep));
  }
};

TEST_F(DeviceRun, ASortIsTimedVerifiedAndSaysWhatItRanOn) {
  const CellResult result = measure({"planted_well"}).at("planted_well");
  ASSERT_EQ(to_name(result.status), "ok") << result.reason;
  EXPECT_GE(result.samples.size(), 9U);
  EXPECT_EQ(result.device->name, gpus_here().names.front());
  EXPECT_GT(result.scratch_bytes, 400000U);
  for (const Sample& sample : result.samples) {
    EXPECT_GT(sample.seconds, 1e-6);
    EXPECT_LT(sample.seconds, 1e-2);
    EXPECT_GT(sample.clock_hz, 1e8);
    EXPECT_LE(sample.clock_hz, 1.05 * result.device->clock_hz);
  }
}

TEST_F(DeviceRun, ASortEndToEndIsTimedWithItsCopiesAndVerifiedOnTheHost) {
  const std::string library = library_sort().info().name;
  const double on_device = measure({library}).at(library).samples.at(0).seconds;
  for (const HostMemory kind : {HostMemory::pinned, HostMemory::pageable}) {
    Sweep sweep;
    sweep.residency = {Residency::end_to_end};
    sweep.host_memory = {kind};
    sweep.values = {ValueType::u32};
    const CellResult result = measure({library}, sweep).at(library);
    ASSERT_EQ(to_name(result.status), "ok") << result.reason;
    EXPECT_EQ(result.verification->pairing, true);
    EXPECT_EQ(result.verification->stability, true);
    EXPECT_EQ(result.device->name, gpus_here().names.front());
    EXPECT_GT(result.scratch_bytes, 2 * 800000U);  // the arrays on the device, and the sort's own
    for (const Sample& sample : result.samples) EXPECT_GT(sample.seconds, on_device);
  }
}

TEST_F(DeviceRun, WrongSortsAreCaughtEndToEnd) {
  Sweep sweep;
  sweep.residency = {Residency::end_to_end};
  const auto results = measure({"planted_disorder", "planted_doubled_key", "planted_illegal_address"}, sweep);
  EXPECT_EQ(to_name(results.at("planted_disorder").status), "wrong");
  EXPECT_EQ(to_name(results.at("planted_doubled_key").status), "wrong");
  EXPECT_EQ(to_name(results.at("planted_illegal_address").status), "failed");
}

TEST_F(DeviceRun, AFaultCostsItsCellOnly) {
  const std::string library = library_sort().info().name;
  const auto results =
      measure({"planted_illegal_address", "planted_endless_loop", "planted_launch_failure", "planted_out_of_memory",
               "planted_disorder", "planted_doubled_key", "planted_well", library});
  const std::map<std::string, std::pair<std::string, std::string>> expected{
      {"planted_illegal_address", {"failed", "illegal memory access"}},
      {"planted_endless_loop", {"timeout", "in a timed sort"}},
      {"planted_launch_failure", {"failed", "cudaErrorInvalid"}},
      {"planted_out_of_memory", {"failed", "out of memory in a timed sort"}},
      {"planted_disorder", {"wrong", "out of order"}},
      {"planted_doubled_key", {"wrong", "the keys are not those of the input"}},
      {"planted_well", {"ok", ""}},
      {library, {"ok", ""}}};
  ASSERT_EQ(results.size(), expected.size());
  for (const auto& [name, outcome] : expected) {
    const CellResult& result = results.at(name);
    EXPECT_EQ(to_name(result.status), outcome.first) << name << ": " << result.reason;
    EXPECT_NE(result.reason.find(outcome.second), std::string::npos) << name << ": " << result.reason;
  }
}

}  // namespace
}  // namespace sortlab
