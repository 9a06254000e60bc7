// The machine's identity, the environment and the build, on the machine that runs the tests.
#include "harness/machine/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "core/read_file.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/processor.hpp"
#include "harness/machine/stable_maximum.hpp"

namespace sortlab {
namespace {

TEST(Machine, RecordHoldsWhatTheContractNames) {
  const auto& record = machine_record();
  EXPECT_TRUE(
      std::regex_match(record.at("id").get<std::string>(), std::regex{"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+c-[0-9a-f]{8}"}))
      << record.at("id");
  EXPECT_GE(record.at("cores").get<int>(), 1);
  EXPECT_GE(record.at("threads").get<int>(), record.at("cores").get<int>());
  EXPECT_GE(record.at("memory_bytes").get<std::uint64_t>(), std::uint64_t{1} << 30);
  EXPECT_EQ(record.at("memory_bytes").get<std::uint64_t>() % (std::uint64_t{1} << 30), 0U);
  EXPECT_GE(record.at("cache_bytes").at("L1d").get<std::uint64_t>(), 4096U);
  EXPECT_EQ(machine_id(), record.at("id").get<std::string>());
}

TEST(StableMaximum, RisesOnlyByValuesThatAgree) {
  StableMaximum seen{3.88, 9};
  // Disturbed values, of which two at a time agree by chance.
  for (const double value : {4.7, 4.7, 5.1, 6.0, 6.0, 4.69, 4.7, 4.7, 3.9}) EXPECT_FALSE(seen.see(value));
  EXPECT_EQ(seen.most(), 3.88);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(seen.see(4.0 + 0.002 * i));
  EXPECT_TRUE(seen.see(4.005));
  EXPECT_EQ(seen.most(), 4.005);
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(seen.see(4.01)) << "not a hundredth more";
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(seen.see(9)) << "no core reaches it";
}

TEST(Machine, MemoryRoundsToWhatIsInstalled) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  EXPECT_EQ(installed_memory(23 * gib + 400 * mib), 24 * gib);
  EXPECT_EQ(installed_memory(251 * gib + 500 * mib), 256 * gib);
  EXPECT_EQ(installed_memory(502 * gib), 512 * gib);
  EXPECT_EQ(installed_memory(2 * gib - 60 * mib), 2 * gib);
  // The kernel reserves more memory after an update, but the machine is the same.
  EXPECT_EQ(installed_memory(23 * gib + 400 * mib), installed_memory(23 * gib + 380 * mib));
}

TEST(Processor, NamesMicroarchitectures) {
  EXPECT_EQ(find_microarchitecture("AuthenticAMD", 0x19, 0x01, 1), "Zen 3");
  EXPECT_EQ(find_microarchitecture("AuthenticAMD", 0x19, 0x11, 1), "Zen 4");
  EXPECT_EQ(find_microarchitecture("AuthenticAMD", 0x19, 0xa0, 2), "Zen 4");
  EXPECT_EQ(find_microarchitecture("AuthenticAMD", 0x1a, 0x02, 1), "Zen 5");
  EXPECT_EQ(find_microarchitecture("GenuineIntel", 6, 0x8f, 8), "Sapphire Rapids");
  EXPECT_EQ(find_microarchitecture("GenuineIntel", 6, 0x55, 7), "Cascade Lake");
  EXPECT_EQ(find_microarchitecture("GenuineIntel", 6, 0x55, 4), "Skylake");
  EXPECT_EQ(find_microarchitecture("GenuineIntel", 6, 0xfe, 0), "");
  EXPECT_EQ(find_microarchitecture("", 0, 0, 0), "");
  EXPECT_EQ(find_microarchitecture("Arm", 8, 0xd4f, 0), "Neoverse V2");
  EXPECT_EQ(find_microarchitecture("Ampere", 8, 0xac4, 0), "AmpereOne");
  EXPECT_EQ(find_microarchitecture("Ampere", 8, 0xd4f, 0), "");
  // A Granite Rapids whose hypervisor shows the model of a Rocket Lake.
  EXPECT_EQ(microarchitecture_behind("Rocket Lake", true, 1), "Granite Rapids");
  EXPECT_EQ(microarchitecture_behind("Rocket Lake", true, 0), "");
  EXPECT_EQ(microarchitecture_behind("Rocket Lake", false, 0), "Rocket Lake");
  EXPECT_EQ(microarchitecture_behind("Emerald Rapids", true, 0), "Emerald Rapids");
  EXPECT_EQ(microarchitecture_behind("", true, 2), "");
}

TEST(Processor, SlugsTellModelsOfAVendorApart) {
  EXPECT_EQ(brand_slug("AMD EPYC 7B13 64-Core Processor"), "epyc-7b13");
  EXPECT_EQ(brand_slug("AMD EPYC"), "epyc");
  EXPECT_EQ(brand_slug("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"), "xeon-platinum-8481c");
  EXPECT_EQ(brand_slug("Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz"), "core-i7-8650u");
  EXPECT_EQ(brand_slug(""), "");
}

TEST(Environment, ReadsWhatLinuxAlwaysShows) {
  const auto record = environment_record();
  EXPECT_TRUE(record.at("kernel").get<std::string>().starts_with("Linux "));
  EXPECT_GT(record.at("uptime_s").get<double>(), 0);
  EXPECT_GE(record.at("load_1min").get<double>(), 0);
  EXPECT_GT(record.at("timer_resolution_s").get<double>(), 0);
  EXPECT_LT(record.at("timer_resolution_s").get<double>(), 1e-3);
  EXPECT_GE(record.at("affinity").size(), 1U);
  EXPECT_LE(record.at("affinity").size(), std::max(1U, std::thread::hardware_concurrency()));
  EXPECT_GT(record.at("memory_available_bytes").get<std::uint64_t>(), 0U);
  EXPECT_NE(record.at("counters").is_null(), record.at("counters_reason").is_null()) << "one of them, never both";
}

TEST(Build, VersionIsTheOneInCMakeLists) {
  const std::string text = read_file(checkout_root() / "CMakeLists.txt").value();
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, std::regex{R"(project\(sortlab VERSION ([0-9.]+))"}));
  EXPECT_EQ(version(), found[1]);
  EXPECT_EQ(build_record().at("version"), version());
}

TEST(Build, CommitAndDirtyGoTogether) {
  const auto& record = build_record();
  EXPECT_EQ(record.at("commit").is_null(), record.at("dirty").is_null());
  if (!record.at("commit").is_null()) {
    EXPECT_TRUE(std::regex_match(record.at("commit").get<std::string>(), std::regex{"[0-9a-f]{40}"}));
  }
  EXPECT_FALSE(record.at("compiler").get<std::string>().empty());
  EXPECT_FALSE(record.at("libraries").at("benchmark").get<std::string>().empty());
}

TEST(Checkout, HoldsWhatTheProgramReads) {
  EXPECT_TRUE(std::filesystem::exists(checkout_root() / "results" / "README.md"));
  EXPECT_EQ(local_results("m"), checkout_root() / "results" / "local" / "m");
}

TEST(Processor, EmulatorsOfItsOwnArchitectureAreFoundToo) {
#if defined(__x86_64__)
  const std::string own = "x86_64";
#else
  const std::string own = "aarch64";
#endif
  EXPECT_FALSE(is_emulated(own, ""));
  EXPECT_FALSE(is_emulated(own, "KVMKVMKVM"));
  EXPECT_FALSE(is_emulated("", "KVMKVMKVM")) << "Linux before 6.1 does not tell";
  EXPECT_TRUE(is_emulated(own, "TCGTCGTCGTCG"));
  EXPECT_TRUE(is_emulated("", "TCGTCGTCGTCG"));
  EXPECT_TRUE(is_emulated("riscv64", ""));
}

}  // namespace
}  // namespace sortlab
