#include "harness/machine/gpu.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sortlab {
namespace {

using namespace std::chrono_literals;

Gpus find(const char* mode, std::chrono::milliseconds limit = 5s) {
  setenv("FAKE_CUDA", mode, 1);
  return find_gpus(FAKE_CUDA_DRIVER, limit);
}

TEST(Gpu, DriverNamesItsDevices) {
  const Gpus gpus = find("work");
  EXPECT_EQ(gpus.names, (std::vector<std::string>{"GeForce GTX 280", "Tesla C1060"}));
  EXPECT_EQ(gpus.cuda, "12.4");
  EXPECT_EQ(gpus.reason, "");
}

TEST(Gpu, EveryWayOfHavingNoneHasItsReason) {
  EXPECT_EQ(find("none").reason, "the driver shows no GPU");
  EXPECT_EQ(find("refuse").reason, "the driver does not start (CUDA error 999)");
  EXPECT_EQ(find("crash").reason, "the driver fails: ended by signal 6 (Aborted)");
  EXPECT_EQ(find("hang", 200ms).reason, "the driver fails: no answer within 0.2 s");
  EXPECT_EQ(find_gpus("libno_such_driver.so").reason, "no driver (libno_such_driver.so)");
  EXPECT_TRUE(find("none").names.empty());
}

}  // namespace
}  // namespace sortlab
