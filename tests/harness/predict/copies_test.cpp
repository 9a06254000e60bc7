#include "harness/predict/copies.hpp"

#include <gtest/gtest.h>

#include "harness/cell/case.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {
namespace {

Case there_and_back(Layout layout, HostMemory memory) {
  Case c;
  c.key = KeyType::u64;
  c.value = ValueType::u32;
  c.layout = layout;
  c.n = 1'000'000;
  c.residency = Residency::end_to_end;
  c.host_memory = memory;
  return c;
}

ProfileTable link(std::vector<ProfileTable::Point> points) {
  return {.unit = "B/s", .source = "", .arguments = {"direction", "pinned", "bytes"}, .points = std::move(points)};
}

/// Rates in B/s: 1e9 to the device and 2e9 back in pinned memory, a tenth of that in pageable memory.
MachineProfile linked_device() {
  MachineProfile device;
  device.tables["link"] =
      link({{{0, 1, 1e6}, 1e9, {}}, {{1, 1, 1e6}, 2e9, {}}, {{0, 0, 1e6}, 1e8, {}}, {{1, 0, 1e6}, 2e8, {}}});
  return device;
}

TEST(Copies, EachArrayGoesThereAndBackAroundTheSort) {
  const Prediction sort{.seconds = 1e-3, .phases = {{.name = "sort", .seconds = 1e-3}}};
  const Prediction whole = with_copies(sort, there_and_back(Layout::separate, HostMemory::pinned), linked_device());
  EXPECT_NEAR(whole.seconds, 12e6 / 1e9 + 1e-3 + 12e6 / 2e9, 1e-12);
  ASSERT_EQ(whole.phases.size(), 3U);
  EXPECT_EQ(whole.phases.front().name, "copy_in");
  EXPECT_NEAR(whole.phases.front().seconds, 12e-3, 1e-12);
  EXPECT_EQ(whole.phases.back().name, "copy_out");
  EXPECT_EQ(whole.phases.back().binding, "link");
  const Prediction pageable =
      with_copies(sort, there_and_back(Layout::separate, HostMemory::pageable), linked_device());
  EXPECT_NEAR(pageable.seconds, 12e6 / 1e8 + 1e-3 + 12e6 / 2e8, 1e-12);
}

TEST(Copies, AreOfTheSizesOfTheArrays) {
  MachineProfile device;
  device.tables["link"] = link({{{0, 1, 4e6}, 1e9, {}},
                                {{0, 1, 8e6}, 2e9, {}},
                                {{0, 1, 16e6}, 3e9, {}},
                                {{1, 1, 4e6}, 1e9, {}},
                                {{1, 1, 8e6}, 2e9, {}},
                                {{1, 1, 16e6}, 3e9, {}}});
  const Prediction apart = with_copies({}, there_and_back(Layout::separate, HostMemory::pinned), device);
  EXPECT_NEAR(apart.seconds, 2 * (8e6 / 2e9 + 4e6 / 1e9), 1e-12);
  const Prediction together = with_copies({}, there_and_back(Layout::together, HostMemory::pinned), device);
  EXPECT_NEAR(together.seconds, 2 * 16e6 / 3e9, 1e-12);  // such a pair has 16 bytes
}

TEST(Copies, NeedTheTableOfTheLink) {
  EXPECT_THROW(with_copies({}, there_and_back(Layout::separate, HostMemory::pinned), MachineProfile{}),
               MissingQuantity);
}

}  // namespace
}  // namespace sortlab
