// Runs that SIGSTOP suspends for a while, as Ctrl-Z does. No cell may be charged for it, and no sample may include it.
// This program is also the `sortlab` that is stopped (see main).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/child_process.hpp"
#include "core/temporary_folder.hpp"
#include "harness/measure/suspension.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/planted_sorts.hpp"
#include "tests/support/processes.hpp"

namespace sortlab {
namespace {

using std::chrono::milliseconds;

/// Takes at least 200 ms, so that a stop is likely to hit it.
struct SlowSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    for (int i = 0; i < 40; ++i) std::this_thread::sleep_for(milliseconds{5});
    std::sort(elements.begin(), elements.end(), less);
  }
};
const PlantedAlgorithm slow_sort{std::make_unique<SimpleSort<SlowSort>>(planted_info("planted_slow_sort"))};

class Suspend : public ::testing::Test {
 protected:
  enum class Who { all, supervisor, worker };

  /// Runs one cell of five samples, stops `who` for `still` twice during it, and returns its record.
  nlohmann::ordered_json cell_stopped(Who who, milliseconds still, double timeout_s) {
    const std::string config = (folder_ / "config.json").string();
    const std::string out = (folder_ / "records.jsonl").string();
    std::filesystem::remove(out);
    std::ofstream{config}
        << R"({"name":"t","protocol":{"warmup":0,"samples":5,"timeout_s":)" << timeout_s
        << R"(},"sweeps":[{"algorithms":["planted_slow_sort"],"n":[1000],"distributions":["uniform"]}]})";
    const int errors = open((folder_ / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ChildProcess run{{.words = {"/proc/self/exe", "run", config, "--out", out},
                      .descriptors = {{errors, STDERR_FILENO}},
                      .own_group = true}};
    close(errors);
    pid_t worker = 0;
    while ((worker = find_worker(run.pid())) == 0) std::this_thread::sleep_for(milliseconds{5});
    std::this_thread::sleep_for(milliseconds{300});
    for (int time = 0; time < 2; ++time) {
      const pid_t target = who == Who::all ? -run.pid() : who == Who::supervisor ? run.pid() : worker;
      kill(target, SIGSTOP);
      std::this_thread::sleep_for(still);
      kill(target, SIGCONT);
      std::this_thread::sleep_for(milliseconds{150});
    }
    run.wait();
    nlohmann::ordered_json found;
    for (const auto& record : read_records(out).records) {
      if (record["kind"] == "measurement") found = record;
    }
    return found;
  }

  const TemporaryFolder folder_;
};

TEST_F(Suspend, ACellDoesNotTimeOut) {
  for (const Who who : {Who::all, Who::worker, Who::supervisor}) {
    const auto record = cell_stopped(who, milliseconds{2500}, 1.5);
    EXPECT_EQ(record["status"], "ok") << static_cast<int>(who) << " " << record["reason"];
  }
}

TEST_F(Suspend, ASampleHeldUpIsTakenAgain) {
  for (const Who who : {Who::all, Who::worker}) {
    const auto record = cell_stopped(who, milliseconds{2000}, 60);
    ASSERT_EQ(record["status"], "ok") << record["reason"];
    EXPECT_EQ(record["samples_s"].size(), 5U);
    for (const char* member : {"samples_s", "left_out_s"}) {  // left_out_s: samples on cores that were not free
      for (const double seconds : record.value(member, std::vector<double>{})) EXPECT_LT(seconds, 1.9) << member;
    }
  }
}

TEST_F(Suspend, StopsAndTheMachinesSleepCount) {
  const Wakefulness before{.continued = 3, .asleep_ns = 7'000'000'000};
  EXPECT_FALSE(stood_still(before, before));
  EXPECT_FALSE(stood_still(before, {.continued = 3, .asleep_ns = 7'000'001'000}));
  EXPECT_TRUE(stood_still(before, {.continued = 4, .asleep_ns = 7'000'000'000}));
  EXPECT_TRUE(stood_still(before, {.continued = 3, .asleep_ns = 8'000'000'000}));
  NowDoing doing;
  const Wakefulness now = Wakefulness::now(doing);
  std::this_thread::sleep_for(milliseconds{50});
  EXPECT_FALSE(stood_still(now, Wakefulness::now(doing)));
}

}  // namespace
}  // namespace sortlab
