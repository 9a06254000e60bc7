// Interrupts of each processor, read from texts as Linux shows them on several kinds of machine.
#include "harness/machine/interrupts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

// Processor 1 is offline. A performance counter's interrupt is counted in both NMI and PMI.
constexpr char kIntel[] = R"(           CPU0       CPU2
  0:        100          0  IR-IO-APIC    2-edge      timer
 24:          1       2000  PCI-MSIX-0000:3b:00.0   3-edge      mlx5_comp0@pci:0000:3b:00.0
NMI:          7         60   Non-maskable interrupts
LOC:      10000      20000   Local timer interrupts
PMI:          5         60   Performance monitoring interrupts
IWI:          3          4   IRQ work interrupts
RES:      99999      99999   Rescheduling interrupts
CAL:      99999      99999   Function call interrupts
TLB:      99999      99999   TLB shootdowns
ERR:          0
)";

constexpr char kArm[] = R"(           CPU0       CPU1
 11:       3000       4000     GICv3  27 Level     arch_timer
 12:          5          6     GICv3  23 Level     arm-pmu
IPI0:     50000      50000       Rescheduling interrupts
IPI1:       800        900       Function call interrupts
Err:          0
)";

TEST(Interrupts, DevicesAndCountersAreToldFromTheTickAndFromWhatThreadsCause) {
  const auto intel = parse_interrupts(kIntel);
  ASSERT_EQ(intel.size(), 2U);
  EXPECT_EQ(intel.at(0).timer, 10100);
  EXPECT_EQ(intel.at(0).others, 1 + 3 + 7);
  EXPECT_EQ(intel.at(2).timer, 20000);
  EXPECT_EQ(intel.at(2).others, 2000 + 4 + 60);
  EXPECT_EQ(intel.at(2).calls, 2 * 99999);
  const auto arm = parse_interrupts(kArm);
  ASSERT_EQ(arm.size(), 2U);
  EXPECT_EQ(arm.at(1).timer, 4000);
  EXPECT_EQ(arm.at(1).others, 6);
  EXPECT_EQ(arm.at(1).calls, 900);
  EXPECT_TRUE(parse_interrupts("").empty());
  EXPECT_TRUE(parse_interrupts("  CPU0 CPU1\n").empty());
  EXPECT_TRUE(parse_interrupts("  CPU0 CPU1\nLOC: 0 0 Local timer interrupts\nRES: 7 7\n").empty());
}

TEST(Interrupts, ARateIsThatOfTheWorstProcessorBeyondTheTick) {
  const TemporaryFolder folder;
  const auto write = [&](int ticks, int of_card) {
    std::ofstream{folder / "interrupts"} << "  CPU0 CPU1 CPU2\n 30: 0 " << of_card << " 0 PCI eth0\nLOC: " << 9 + ticks
                                         << " 9 9 Local timer interrupts\n";
  };
  write(0, 0);
  InterruptRates rates{folder / "interrupts"};
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  write(20, 0);
  EXPECT_EQ(rates.end({0, 1, 2}), 0) << "20 ticks in 50 ms or more are a tick's";
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  rates.begin();
  write(20, 1'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  EXPECT_EQ(rates.end({0, 2}), 0);
  EXPECT_GT(rates.end({2, 1}), InterruptRates::kMaxPerSecond);
  EXPECT_EQ(rates.end({7}), std::nullopt) << "a processor that the file does not name";
  EXPECT_TRUE(are_interrupts_shown(folder / "interrupts"));
}

TEST(Interrupts, CallsCountForASortOnOneProcessorAlone) {
  const TemporaryFolder folder;
  const auto write = [&](int calls) {
    std::ofstream{folder / "interrupts"} << "  CPU0 CPU1\nLOC: 9 9 Local timer interrupts\nCAL: 9 " << calls
                                         << " Function call interrupts\n";
  };
  write(0);
  InterruptRates rates{folder / "interrupts"};
  write(1'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  EXPECT_GT(rates.end({1}), InterruptRates::kMaxPerSecond);
  EXPECT_EQ(rates.end({0, 1}), 0);
}

TEST(Interrupts, AFileThatTellsNothingGivesNoRate) {
  const TemporaryFolder folder;
  EXPECT_EQ(InterruptRates{folder / "none"}.end({0}), std::nullopt);
  EXPECT_FALSE(are_interrupts_shown(folder / "none"));
  std::ofstream{folder / "interrupts"} << "  CPU0 CPU1\n";
  InterruptRates rates{folder / "interrupts"};
  rates.begin();
  EXPECT_EQ(rates.end({0, 1}), std::nullopt);
}

}  // namespace
}  // namespace sortlab
