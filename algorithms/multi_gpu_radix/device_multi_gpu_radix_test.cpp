// The conformance of multi_gpu_radix: each pair of type, setting, n, input, devices and shard sizes, sorted and
// verified by the harness's own testbed. The shards lie on device 0, and on two devices where there are so many.
#include <fmt/format.h>

#include <map>

#include "algorithms/multi_gpu_radix/plan.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/measure/testbed.hpp"
#include "tests/conformance/covering_array.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

using DeviceMultiGpuRadix = DeviceTest;

Case make_case(const std::map<std::string, std::string>& given) {
  CaseOptions options;
  options.algorithms = {"multi_gpu_radix"};
  options.keys = {given.at("key")};
  options.values = {given.at("value")};
  options.n = {given.at("n")};
  options.distributions = {given.at("input")};
  options.devices = {given.at("devices")};
  options.shard_sizes = {given.at("sizes")};
  options.parameters = {given.at("setting")};
  return expand_sweeps(make_sweeps(options, {})).at(0).subject;
}

void expect_sorts(const Case& c) {
  SCOPED_TRACE(case_text(c));
  const auto testbed = make_shards_testbed(c);
  const auto sorter = testbed->prepare(c);
  PhaseTimer phases = testbed->phase_timer(c);
  for (std::uint64_t input = 0; input < 2; ++input) {
    testbed->make_inputs({input});
    const TimedSort sorted = testbed->sort(c, *sorter, phases, {}, [](Step) {});
    ASSERT_EQ(testbed->verify(c, *sorter, sorted.outputs.at(0)).reason, "");
    ASSERT_EQ(testbed->damage(), std::nullopt);
    EXPECT_GT(sorted.time.seconds, 0);
    const std::vector<std::uint64_t> cuts = multi_gpu::even_cuts(c.n, c.devices.shards);
    const std::span<const Buffers> shards = sorted.outputs.at(0).output.shards;
    for (std::size_t l = 0; l < shards.size(); ++l) EXPECT_EQ(shards[l].keys.count, cuts[l + 1] - cuts[l]);
  }
}

std::vector<std::string> devices_here(const std::vector<std::string>& on_one) {
  std::vector<std::string> all = on_one;
  int devices = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices >= 2) all.insert(all.end(), {"1", "2"});
  if (devices >= 4) all.push_back("4");
  return all;
}

TEST_F(DeviceMultiGpuRadix, SortsShardsOfEachTypeSizeAndInput) {
  const std::map<std::string, std::vector<std::string>> levels{
      {"key", {"u32", "u64", "i32", "i64", "f32", "f64", "u128"}},
      {"value", {"none", "u32", "u64"}},
      {"setting", {"stable=no", "stable=yes", "transport=copy"}},
      {"n", {"1", "2", "17", "5000", "100003", "2500009"}},
      {"input", {"uniform", "thearling:ands=4", "zipf:theta=1", "few_distinct", "constant", "sorted", "staggered"}},
      {"devices", devices_here({"1@0", "2@0", "3@0", "8@0"})},
      {"sizes", {"even", "uneven", "gaps", "one"}}};
  std::vector<int> counts;
  for (const auto& [name, words] : levels) counts.push_back(static_cast<int>(words.size()));
  for (const std::vector<int>& row : covering_array(counts)) {
    std::map<std::string, std::string> given;
    std::size_t factor = 0;
    for (const auto& [name, words] : levels) given[name] = words[static_cast<std::size_t>(row[factor++])];
    expect_sorts(make_case(given));
    if (HasFatalFailure()) return;
  }
}

/// Large enough for each size class of the local sort, and for splitters that take several passes.
TEST_F(DeviceMultiGpuRadix, SortsManyElements) {
  if (!has_memory(std::uint64_t{6} << 30)) GTEST_SKIP() << "too little memory on the device";
  for (const std::string& devices : devices_here({"2@0"})) {
    if (devices == "1") continue;
    for (const char* const input : {"uniform", "thearling:ands=3", "zipf:theta=1", "constant"}) {
      for (const auto& [key, value, setting] : {std::array{"u32", "none", "stable=no"},
                                                {"u64", "none", "stable=no"},
                                                {"u32", "u32", "stable=no"},
                                                {"u64", "u32", "stable=yes"}}) {
        expect_sorts(make_case({{"key", key},
                                {"value", value},
                                {"setting", setting},
                                {"n", "50000017"},
                                {"input", input},
                                {"devices", devices},
                                {"sizes", "even"}}));
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace sortlab
