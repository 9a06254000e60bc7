// Limits of control groups, read from trees of files as Linux shows them: both versions, nested, in containers.
#include "harness/machine/control_groups.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// A root folder with these files.
class Tree {
 public:
  explicit Tree(const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) write(name, text);
  }
  void write(const std::string& name, const std::string& text) const {
    const fs::path path = root() / name;
    fs::create_directories(path.parent_path());
    std::ofstream{path} << text;
  }
  fs::path root() const { return folder_.file("root"); }

 private:
  TemporaryFolder folder_;
};

const std::string kV2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(ControlGroups, TheLeastLimitOfAllLevelsHolds) {
  const Tree tree({{"proc/self/mountinfo", "22 28 0:21 / /sys rw - sysfs sysfs rw\n" + kV2},
                   {"proc/self/cgroup", "0::/kubepods/pod7/me\n"},
                   {"sys/fs/cgroup/kubepods/cpu.max", "800000 100000\n"},
                   {"sys/fs/cgroup/kubepods/memory.max", "8000000000\n"},
                   {"sys/fs/cgroup/kubepods/memory.current", "7500000000\n"},
                   {"sys/fs/cgroup/kubepods/memory.stat", "anon 5000000000\ninactive_file 2000000000\n"},
                   {"sys/fs/cgroup/kubepods/pod7/cpu.max", "150000 100000\n"},
                   {"sys/fs/cgroup/kubepods/pod7/memory.max", "max\n"},
                   {"sys/fs/cgroup/kubepods/pod7/memory.high", "4000000000\n"},
                   {"sys/fs/cgroup/kubepods/pod7/memory.current", "1000000000\n"},
                   {"sys/fs/cgroup/kubepods/pod7/me/cpu.max", "max 100000\n"}});
  const ControlGroups groups{tree.root()};
  EXPECT_EQ(groups.cpu_quota(), 1.5);
  EXPECT_EQ(groups.memory_limit(), 4'000'000'000U);
  EXPECT_EQ(groups.memory_left(), 2'500'000'000U) << "of the outer group, whose other processes use 5.5 GB";
}

TEST(ControlGroups, Version1HasAHierarchyForEachController) {
  const Tree tree({{"proc/self/mountinfo",
                    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
                    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
                   {"proc/self/cgroup", "4:memory:/slurm/job_7/step_0\n2:cpu,cpuacct:/slurm/job_7\n0::/\n"},
                   {"sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "-1\n"},
                   {"sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n"},
                   {"sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_quota_us", "50000\n"},
                   {"sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_period_us", "100000\n"},
                   {"sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "1000000000\n"},
                   {"sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "300000000\n"},
                   {"sys/fs/cgroup/memory/slurm/job_7/memory.stat", "inactive_file 1\ntotal_inactive_file 100000000\n"},
                   {"sys/fs/cgroup/memory/slurm/job_7/step_0/memory.limit_in_bytes", "9223372036854771712\n"}});
  const ControlGroups groups{tree.root()};
  EXPECT_EQ(groups.cpu_quota(), 0.5);
  EXPECT_EQ(groups.memory_limit(), 1'000'000'000U);
  EXPECT_EQ(groups.memory_left(), 800'000'000U);
}

TEST(ControlGroups, AContainerSeesOnlyItsOwnGroupOrAPathFromElsewhere) {
  const std::map<std::string, std::string> limits{
      {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"},
      {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
      {"sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "100000\n"},
      {"sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n"},
  };
  Tree tree(limits);
  tree.write("proc/self/mountinfo", "32 31 0:29 /docker/ab\\040c /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  tree.write("proc/self/cgroup", "2:cpu:/docker/ab c\n");
  EXPECT_EQ(ControlGroups{tree.root()}.cpu_quota(), 2.0);
  tree.write("proc/self/cgroup", "2:cpu:/docker/ab c/inner\n");
  EXPECT_EQ(ControlGroups{tree.root()}.cpu_quota(), 1.0);
  tree.write("proc/self/cgroup", "2:cpu:/docker/another\n");
  EXPECT_EQ(ControlGroups{tree.root()}.cpu_quota(), 2.0);
  tree.write("proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  tree.write("proc/self/cgroup", "2:cpu:/../../inner\n");
  EXPECT_EQ(ControlGroups{tree.root()}.cpu_quota(), 1.0);
}

TEST(ControlGroups, WithoutThemThereIsNoLimit) {
  for (const std::string& mounts : {std::string{}, kV2, std::string{"nonsense\n1 2 - cgroup2\n"}}) {
    const Tree tree({{"proc/self/mountinfo", mounts}, {"proc/self/cgroup", "nonsense\n:\n0::/\n"}});
    const ControlGroups groups{tree.root()};
    EXPECT_FALSE(groups.cpu_quota());
    EXPECT_FALSE(groups.memory_limit());
    EXPECT_FALSE(groups.memory_left());
    EXPECT_EQ(Throttling{groups}.seconds(), 0);
  }
}

TEST(ControlGroups, ThrottlingOfEveryLevelCounts) {
  const Tree v2(
      {{"proc/self/mountinfo", kV2},
       {"proc/self/cgroup", "0::/outer/inner\n"},
       {"sys/fs/cgroup/cpu.stat", "usage_usec 9000000\n"},
       {"sys/fs/cgroup/outer/cpu.stat", "usage_usec 7\nnr_throttled 3\nthrottled_usec 1500000\nnr_bursts 0\n"},
       {"sys/fs/cgroup/outer/inner/cpu.stat", "usage_usec 7\nnr_throttled 0\nthrottled_usec 250000\n"}});
  const Throttling throttling{ControlGroups{v2.root()}};
  EXPECT_DOUBLE_EQ(throttling.seconds(), 1.75);
  v2.write("sys/fs/cgroup/outer/cpu.stat", "usage_usec 7\nnr_throttled 4\nthrottled_usec 1600000\n");
  EXPECT_DOUBLE_EQ(throttling.seconds(), 1.85);
  const Tree v1({{"proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"},
                 {"proc/self/cgroup", "2:cpu:/job\n"},
                 {"sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 10\nnr_throttled 3\nthrottled_time 420000000\n"}});
  EXPECT_DOUBLE_EQ(Throttling{ControlGroups{v1.root()}}.seconds(), 0.42);
}

}  // namespace
}  // namespace sortlab
