// Kills, full disks, and two runs on one file: the file of records stays valid. This program is also the `sortlab` that
// is killed (see main below).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/planted_sorts.hpp"
#include "tests/support/processes.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

class Kill : public ::testing::Test {
 protected:
  Kill() {
    std::ofstream{config_} << R"({"name":"t","protocol":{"samples":3},"sweeps":[{"algorithms":["planted_sort"],
        "keys":["u32","u64","f32"],"values":["none","u32"],"n":[100,1000,10000],"distributions":["uniform"],
        "threads":[1,2]}]})";  // the cells of two threads are skipped: they are records too
  }
  static constexpr std::size_t kCells = 36;

  /// Starts `sortlab run CONFIG --out OUT` silently. `file_bytes`: maximum size of a file that it may write. `ignored`:
  /// a signal that it is started to ignore, as by nohup.
  pid_t start(rlim_t file_bytes = RLIM_INFINITY, int ignored = SIGXFSZ) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const rlimit limit{.rlim_cur = file_bytes, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);  // a full disk must be a write error, not a signal
    signal(ignored, SIG_IGN);
    const int errors = open((folder_ / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(errors, STDERR_FILENO);
    execl("/proc/self/exe", "sortlab", "run", config_.c_str(), "--out", out_.c_str(), nullptr);
    _exit(127);
  }
  static int exit_status(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  int run() const { return WEXITSTATUS(exit_status(start())); }
  std::string errors() const { return read_file(folder_ / "errors").value_or(""); }

  /// True if the process has ended: it is gone, or a zombie that its new parent has not reaped.
  static bool has_ended(pid_t process) {
    std::ifstream stat{"/proc/" + std::to_string(process) + "/stat"};
    std::string pid;
    std::string name;
    std::string state;
    return !(stat >> pid >> name >> state) || state == "Z" || state == "X";
  }
  static bool ends_soon(pid_t process) {
    const auto end = Clock::now() + std::chrono::seconds{10};
    while (Clock::now() < end) {
      if (has_ended(process)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    return false;
  }

  /// Cells by status; every complete line must parse, or read_records throws.
  std::multiset<std::string> cells(const std::string& status) const {
    std::multiset<std::string> found;
    if (!std::filesystem::exists(out_)) return found;
    for (const auto& record : read_records(out_).records) {
      if (record["kind"] == "measurement" && record["status"] == status)
        found.insert(record["cell"].get<std::string>());
    }
    return found;
  }
  std::size_t lines() const {
    std::ifstream file{out_};
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  const TemporaryFolder folder_;
  const std::string out_ = folder_.file("records.jsonl");
  const std::string config_ = folder_.file("config.json");
  std::mt19937_64 random_{20261121};
};

TEST_F(Kill, SupervisorAtManyMoments) {
  // The shorter of two runs: the first has cold caches, and kills after the end have no effect.
  double whole = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 2; ++turn) {
    std::filesystem::remove(out_);
    const auto begin = Clock::now();
    ASSERT_EQ(run(), 0) << errors();
    whole = std::min(whole, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  const auto expected_ok = cells("ok");
  const auto expected_skipped = cells("skipped");
  ASSERT_EQ(expected_ok.size() + expected_skipped.size(), kCells);

  constexpr int moments = 25;
  int killed = 0;
  for (int moment = 0; moment < moments; ++moment) {
    std::filesystem::remove(out_);
    int kills = 0;
    while (true) {  // killed again and again until it gets through
      const pid_t child = start();
      std::this_thread::sleep_for(
          std::chrono::duration<double>(whole * std::uniform_real_distribution(0.0, 1.1)(random_)));
      const pid_t worker = find_worker(child);
      kill(child, SIGKILL);
      const int status = exit_status(child);
      if (worker != 0) {
        EXPECT_TRUE(ends_soon(worker)) << "a worker outlived its supervisor";
      }
      const auto ok = cells("ok");
      EXPECT_TRUE(std::ranges::includes(expected_ok, ok));  // no duplicates, none unexpected
      if (WIFEXITED(status)) break;
      ++killed;
      if (++kills == 3) {
        EXPECT_EQ(run(), 0) << errors();
        break;
      }
    }
    EXPECT_EQ(cells("ok"), expected_ok);
    EXPECT_EQ(cells("skipped"), expected_skipped);
  }
  RecordProperty("killed", killed);
  EXPECT_GT(killed, moments / 2);
}

TEST_F(Kill, WorkerAtManyMoments) {
  const auto begin = Clock::now();
  ASSERT_EQ(run(), 0) << errors();
  const double whole = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto expected = cells("ok");
  constexpr int moments = 20;
  int killed = 0;
  for (int moment = 0; moment < moments; ++moment) {
    std::filesystem::remove(out_);
    const pid_t child = start();
    // Counted from the start of a worker, since the time for planning depends on the load of the machine.
    while (find_worker(child) == 0 && !has_ended(child)) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    std::this_thread::sleep_for(
        std::chrono::duration<double>(whole * std::uniform_real_distribution(0.0, 0.3)(random_)));
    const pid_t worker = find_worker(child);
    if (worker > 0 && kill(worker, SIGKILL) == 0) ++killed;
    const int status = WEXITSTATUS(exit_status(child));
    const auto crashed = cells("crashed");
    EXPECT_LE(crashed.size(), 1U);  // the cell in progress and no other
    EXPECT_EQ(status, crashed.empty() ? 0 : 1) << errors();
    EXPECT_EQ(cells("ok").size() + crashed.size(), expected.size());
    EXPECT_EQ(run(), 0) << errors();  // takes the cell again
    EXPECT_EQ(cells("ok"), expected);
  }
  RecordProperty("killed", killed);
  EXPECT_GT(killed, moments / 4);
}

TEST_F(Kill, SignalsSayWhatIsKeptAndHowToGoOn) {
  const auto begin = Clock::now();
  ASSERT_EQ(run(), 0) << errors();
  const double whole = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto expected = cells("ok");
  const std::string command = "`sortlab run " + config_ + " --out " + out_ + "` resumes\n";
  int amid = 0;
  for (int moment = 0; moment < 20; ++moment) {
    const auto [number, name] = std::vector<std::pair<int, std::string>>{
        {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}, {SIGQUIT, "SIGQUIT"}}[moment % 4];
    std::filesystem::remove(out_);
    const pid_t child = start();
    // Early, since the first run may have waited for free processors, and later runs may be much shorter. Not before
    // main() has begun, since it cannot handle signals before.
    while (find_worker(child) == 0 && !has_ended(child)) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    std::this_thread::sleep_for(
        std::chrono::duration<double>(whole * std::uniform_real_distribution(0.0, 0.25)(random_)));
    kill(child, number);
    const int status = exit_status(child);
    if (!WIFEXITED(status)) {  // the run was over, and its handlers were gone
      ASSERT_EQ(cells("ok"), expected) << WTERMSIG(status);
      continue;
    }
    const std::string told = errors();
    const std::size_t kept = cells("ok").size();
    if (WEXITSTATUS(status) != 0) {
      ++amid;
      EXPECT_EQ(WEXITSTATUS(status), 128 + number) << told;
      const auto words = told.find("sortlab: stopped by " + name + ": " + std::to_string(kept) +
                                   " cells measured and 0 done before are kept in " + out_ + ", ");
      ASSERT_NE(words, std::string::npos) << told;
      EXPECT_EQ(told.find('\n', words), told.size() - 1) << told;  // the last line, and one
      EXPECT_TRUE(told.ends_with(" are left; " + command)) << told;
    }
    EXPECT_EQ(run(), 0) << errors();
    EXPECT_EQ(cells("ok"), expected);
  }
  EXPECT_GT(amid, 5);
}

TEST_F(Kill, ASignalThatItWasStartedToIgnoreStopsNothing) {
  const pid_t child = start(RLIM_INFINITY, SIGHUP);
  while (find_worker(child) == 0 && !has_ended(child)) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  kill(child, SIGHUP);
  EXPECT_EQ(WEXITSTATUS(exit_status(child)), 0) << errors();
  EXPECT_EQ(cells("ok").size() + cells("skipped").size(), kCells);
}

TEST_F(Kill, ADiskWithoutRoomIsOneErrorAndNoTornRecord) {
  ASSERT_EQ(run(), 0) << errors();
  const auto expected = cells("ok");
  const auto whole = std::filesystem::file_size(out_);
  std::filesystem::remove(out_);
  for (const std::uintmax_t room : {whole / 7, whole / 3, whole / 2, whole - 10}) {
    const int status = WEXITSTATUS(exit_status(start(room)));
    EXPECT_EQ(status, 1);
    const std::string told = errors();
    const auto complaint = told.find("sortlab: out: cannot append to");
    ASSERT_NE(complaint, std::string::npos) << told;
    EXPECT_EQ(told.find('\n', complaint), told.size() - 1) << told;  // the last line, and one
    EXPECT_FALSE(read_records(out_).torn);
    std::ifstream file{out_};
    file.seekg(-1, std::ios::end);
    EXPECT_EQ(file.get(), '\n');
  }
  EXPECT_EQ(run(), 0) << errors();
  EXPECT_EQ(cells("ok"), expected);
}

TEST_F(Kill, TwoRunsOnOneFileDoNotMix) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::filesystem::remove(out_);
    const pid_t first = start();
    const pid_t second = start();
    const std::multiset<int> statuses{WEXITSTATUS(exit_status(first)), WEXITSTATUS(exit_status(second))};
    // One run writes; the other is refused, or starts after the end of the first.
    EXPECT_TRUE(statuses == (std::multiset<int>{0, 2}) || statuses == (std::multiset<int>{0, 0}));
    EXPECT_EQ(cells("ok").size() + cells("skipped").size(), kCells);
    const auto ok = cells("ok");
    EXPECT_EQ(std::set<std::string>(ok.begin(), ok.end()).size(), ok.size());
    EXPECT_EQ(lines(), 1 + all_algorithms().size() + kCells);  // the run, the algorithms and the cells
  }
}

}  // namespace
}  // namespace sortlab
