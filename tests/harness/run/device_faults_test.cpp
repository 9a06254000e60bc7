// Device sorts with one fault each, measured beside an honest one: none gets a time that it did not take, and the
// honest sort loses nothing. This program is its own worker (tests/support/main.cpp).
#include <gtest/gtest.h>

#include <map>

#include "harness/machine/gpu.hpp"
#include "tests/harness/run/faulty_device_sorts.hpp"
#include "tests/support/measured_sorts.hpp"

namespace sortlab {
namespace {

const Plant honest{"faulty_not", make_planted_library_sort<Misbehaviour::none>};
const Plant old_output{"faulty_old_output", make_faulty_library_sort<DeviceFault::old_output>};
const Plant own_stream{"faulty_own_stream", make_faulty_library_sort<DeviceFault::own_stream>};
const Plant legacy_stream{"faulty_legacy_stream", make_faulty_library_sort<DeviceFault::legacy_stream>};
const Plant lost_launches{"faulty_lost_launches", make_faulty_library_sort<DeviceFault::lost_launches>};
const Plant wrong_warm_up{"faulty_wrong_warm_up", make_faulty_library_sort<DeviceFault::wrong_warm_up>};
const Plant one_past{"faulty_one_past", make_faulty_library_sort<DeviceFault::one_past>};
const Plant one_before{"faulty_one_before", make_faulty_library_sort<DeviceFault::one_before>};
const Plant unread_error{"faulty_unread_error", make_faulty_library_sort<DeviceFault::unread_error>};
const Plant goes_on{"faulty_goes_on", make_faulty_library_sort<DeviceFault::goes_on>};
const Plant allocates{"faulty_allocates", make_faulty_library_sort<DeviceFault::allocates>};
const Plant waits{"faulty_waits", make_faulty_library_sort<DeviceFault::waits>};
const Plant leaks{"faulty_leaks", make_faulty_library_sort<DeviceFault::leaks>};

class DeviceFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus_here().names.empty()) GTEST_SKIP() << "no GPU: " << gpus_here().reason;
  }

  /// The results of these sorts, in one block for each size; of several sizes the last.
  static std::map<std::string, CellResult> measure(const std::vector<std::string>& names,
                                                   const std::vector<std::uint64_t>& n,
                                                   Residency residency = Residency::device) {
    Sweep sweep = uniform_sweep(names);
    sweep.n = n;
    sweep.residency = {residency};
    sweep.protocol.samples = 9;
    sweep.protocol.timeout_s = 10;
    std::map<std::string, CellResult> results;
    for (auto& [name, result] : measured_cells(sweep)) results.insert_or_assign(name, result);
    return results;
  }

  /// Expects that each sort has no time and a reason that holds these words, at small and large sizes.
  static void expect_found(const std::vector<std::pair<std::string, std::string>>& sorts) {
    for (const std::uint64_t n : {std::uint64_t{1000}, std::uint64_t{1} << 18, std::uint64_t{1} << 24}) {
      std::vector<std::string> names{"faulty_not"};
      for (const auto& [name, reason] : sorts) names.push_back(name);
      const auto results = measure(names, {n});
      for (const auto& [name, reason] : sorts) {
        const CellResult& result = results.at(name);
        EXPECT_NE(result.status, Status::ok) << name << " n=" << n;
        EXPECT_NE(result.reason.find(reason), std::string::npos) << name << " n=" << n << ": " << result.reason;
      }
      EXPECT_EQ(results.at("faulty_not").status, Status::ok) << n << ": " << results.at("faulty_not").reason;
    }
  }
};

TEST_F(DeviceFaults, OutputsThatAreNotOfTheInputAreWrong) {
  expect_found({{"faulty_old_output", ""}, {"faulty_wrong_warm_up", ""}, {"faulty_lost_launches", ""}});
}

TEST_F(DeviceFaults, WorkOnAnotherStreamHasNoTime) {
  expect_found({{"faulty_own_stream", ""}, {"faulty_legacy_stream", ""}});
}

TEST_F(DeviceFaults, WritingOutsideTheArraysCostsTheSortThatDidIt) {
  expect_found({{"faulty_one_past", "after its array"}, {"faulty_one_before", "before its array"}});
}

TEST_F(DeviceFaults, AnErrorLeftUnreadCostsTheSortThatLeftIt) {
  expect_found({{"faulty_unread_error", "left a CUDA error unread"}});
}

TEST_F(DeviceFaults, WorkThatGoesOnAfterTheStreamHasNoTime) {
  expect_found({{"faulty_goes_on", "after the end of the sort's stream"}});
}

TEST_F(DeviceFaults, EndToEndTheyAreFoundToo) {
  const auto results = measure({"faulty_not", "faulty_old_output", "faulty_wrong_warm_up", "faulty_goes_on"},
                               {std::uint64_t{1} << 18}, Residency::end_to_end);
  EXPECT_EQ(results.at("faulty_not").status, Status::ok) << results.at("faulty_not").reason;
  for (const char* const name : {"faulty_old_output", "faulty_wrong_warm_up", "faulty_goes_on"}) {
    EXPECT_NE(results.at(name).status, Status::ok) << name;
  }
}

TEST_F(DeviceFaults, ASortThatWaitsWithoutSayingSoIsTimedUnheld) {
  const auto results = measure({"faulty_waits", "faulty_not"}, {100'000});
  ASSERT_EQ(results.at("faulty_waits").status, Status::ok) << results.at("faulty_waits").reason;
  for (const Sample& sample : results.at("faulty_waits").samples) EXPECT_FALSE(sample.facts.held);
  for (const Sample& sample : results.at("faulty_not").samples) EXPECT_TRUE(sample.facts.held);
}

TEST_F(DeviceFaults, MemoryThatASortAllocatesInsideIsRecorded) {
  const auto results = measure({"faulty_allocates", "faulty_not"}, {100'000});
  for (const auto& [name, least] : {std::pair{"faulty_allocates", kAllocatedInside}, {"faulty_not", std::size_t{0}}}) {
    const CellResult& result = results.at(name);
    ASSERT_EQ(result.status, Status::ok) << name << ": " << result.reason;
    for (const Sample& sample : result.samples) {
      EXPECT_GE(sample.facts.allocated_bytes, least) << name;
      if (least == 0) {
        EXPECT_EQ(sample.facts.allocated_bytes, 0U) << name;
      }
    }
  }
}

TEST_F(DeviceFaults, MemoryThatASortKeepsIsFreeForTheNextBlock) {
  const auto results = measure({"faulty_leaks"}, {1000});
  EXPECT_EQ(results.at("faulty_leaks").status, Status::ok) << results.at("faulty_leaks").reason;
  // One run: the block of the sort that leaks, and one that needs more than was left.
  const auto after = measure({"faulty_leaks", "faulty_not"}, {1000, std::uint64_t{1} << 29});
  EXPECT_EQ(after.at("faulty_not").status, Status::ok) << after.at("faulty_not").reason;
}

}  // namespace
}  // namespace sortlab
