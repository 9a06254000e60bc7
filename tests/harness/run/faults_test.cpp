// Sorts that cheat, or that harm others: none of them gets a time, and none costs another sort of its block anything.
// Like run_test.cpp, this program is its own worker.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "core/affinity.hpp"
#include "core/build_digest.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/measure/impossible_time.hpp"
#include "tests/support/command_line_answer.hpp"
#include "tests/support/faulty_sorts.hpp"
#include "tests/support/measured_sorts.hpp"

namespace {
constexpr std::size_t kOnlyProcessor = 1000;
bool cpuset_is_narrow = false;  // a cpuset leaves this process kOnlyProcessor alone
}  // namespace

// In place of the C library's.
extern "C" int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) noexcept {
  std::memset(set, 0, bytes);
  if (!cpuset_is_narrow) return syscall(SYS_sched_getaffinity, process, bytes, set) < 0 ? -1 : 0;
  CPU_SET_S(kOnlyProcessor, bytes, set);
  return 0;
}

extern "C" int sched_setaffinity(pid_t process, std::size_t bytes, const cpu_set_t* set) noexcept {
  if (!cpuset_is_narrow) return syscall(SYS_sched_setaffinity, process, bytes, set) < 0 ? -1 : 0;
  if (CPU_ISSET_S(kOnlyProcessor, bytes, set)) return 0;
  errno = EINVAL;
  return -1;
}

namespace sortlab {
namespace {

/// Exists once something outside has changed a sort's priority; each worker is a new process.
std::filesystem::path reniced_file() {
  return std::filesystem::temp_directory_path() / "sortlab_faults_test_reniced";
}

const PlantedFault honest{"fault_none", [](FaultKeys keys, int, PhaseTimer&) { sort_honestly(keys); }};

const PlantedFault returns_old_output{"fault_old_output", [](FaultKeys keys, int calls, PhaseTimer&) {
                                        static std::vector<std::uint32_t> old;
                                        if (calls < 3) {
                                          sort_honestly(keys);
                                          old.assign(keys.begin(), keys.end());
                                        } else if (old.size() == keys.size()) {
                                          std::ranges::copy(old, keys.begin());
                                        }
                                      }};

const PlantedFault wrong_at_first{"fault_wrong_warm_up", [](FaultKeys keys, int calls, PhaseTimer&) {
                                    if (calls > 0) sort_honestly(keys);
                                  }};

const PlantedFault returns_early{"fault_returns_early", [](FaultKeys keys, int, PhaseTimer&) {
                                   std::thread([keys] {
                                     work_for(std::chrono::microseconds{50});
                                     sort_honestly(keys);
                                   }).detach();
                                 }};

const PlantedFault leaves_threads_idle{"fault_leaves_threads_idle",
                                       [](FaultKeys keys, int, PhaseTimer&) { sort_honestly(keys); }, true};

const PlantedFault works_on{"fault_works_on", [](FaultKeys keys, int, PhaseTimer&) {
                              sort_honestly(keys);
                              std::thread([] { work_for(std::chrono::milliseconds{3}); }).detach();
                            }};

const PlantedFault one_past{"fault_one_past_the_end", [](FaultKeys keys, int, PhaseTimer&) {
                              sort_honestly(keys);
                              keys.data()[keys.size()] = 0;
                            }};

const PlantedFault one_before{"fault_one_before_the_begin", [](FaultKeys keys, int, PhaseTimer&) {
                                sort_honestly(keys);
                                *(keys.data() - 1) = 0;
                              }};

const PlantedFault far_past{"fault_far_past_the_end", [](FaultKeys keys, int calls, PhaseTimer&) {
                              sort_honestly(keys);
                              if (calls == 3) keys.data()[keys.size() + (4 << 20)] = 0;  // 16 MiB
                            }};

const PlantedFault more_threads{"fault_more_threads", [](FaultKeys keys, int, PhaseTimer&) {
                                  const auto time = std::chrono::microseconds{500 + keys.size() / 10};
                                  std::vector<std::jthread> others;
                                  for (int i = 0; i < 2; ++i) others.emplace_back([time] { work_for(time); });
                                  work_for(time);
                                  sort_honestly(keys);
                                }};

const PlantedFault unknown_phase{"fault_unknown_phase", [](FaultKeys keys, int, PhaseTimer& phases) {
                                   const auto phase = phases.phase("rest");
                                   sort_honestly(keys);
                                 }};

const PlantedFault many_phases{"fault_many_phases", [](FaultKeys keys, int, PhaseTimer& phases) {
                                 for (int i = 0; i < 5000; ++i) const auto phase = phases.phase("sort", i);
                                 sort_honestly(keys);
                               }};

const PlantedFault allocates{"fault_allocates", [](FaultKeys keys, int, PhaseTimer&) {
                               const std::vector<std::uint32_t> copy(keys.begin(), keys.end());
                               std::ranges::copy(copy, keys.begin());
                               sort_honestly(keys);
                             }};

const PlantedFault changes_rounding{"fault_changes_rounding", [](FaultKeys keys, int, PhaseTimer&) {
                                      sort_honestly(keys);
                                      std::fesetround(FE_TOWARDZERO);
                                    }};

const PlantedFault changes_processors{"fault_changes_processors", [](FaultKeys keys, int, PhaseTimer&) {
                                        sort_honestly(keys);
                                        cpu_set_t all;
                                        CPU_ZERO(&all);
                                        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &all);
                                        sched_setaffinity(0, sizeof all, &all);
                                      }};

/// Honest; something outside takes its processors away.
const PlantedFault loses_processors{"fault_loses_processors", [](FaultKeys keys, int calls, PhaseTimer&) {
                                      sort_honestly(keys);
                                      if (calls == 4) cpuset_is_narrow = true;
                                    }};

/// Honest; something outside changes its priority once.
const PlantedFault is_reniced{"fault_is_reniced", [](FaultKeys keys, int calls, PhaseTimer&) {
                                sort_honestly(keys);
                                if (calls < 2) return;
                                const int first = open(reniced_file().c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600);
                                if (first < 0) return;
                                close(first);
                                setpriority(PRIO_PROCESS, 0, 5);
                              }};

const PlantedFault leaves_a_process{"fault_leaves_a_process", [](FaultKeys keys, int, PhaseTimer&) {
                                      sort_honestly(keys);
                                      if (fork() == 0) {
                                        sleep(2);
                                        _exit(0);
                                      }
                                    }};

/// Looks, in each call, at the array before its own, as if to sort it ahead, and spoils its output if it is then given
/// what it saw.
const PlantedFault looks_ahead{"fault_looks_ahead", [](FaultKeys keys, int, PhaseTimer&) {
                                 constexpr std::uintptr_t step = 400 + 128 + 48;  // bytes between arrays of 100 keys
                                 static std::uintptr_t previous = 0;
                                 static std::vector<std::uint32_t> seen;
                                 const bool hit = std::ranges::equal(seen, keys);
                                 sort_honestly(keys);
                                 if (hit) std::ranges::reverse(keys);
                                 const auto here = reinterpret_cast<std::uintptr_t>(keys.data());
                                 if (previous != 0 && here > previous + 3 * step) {
                                   const std::uint32_t* const before = keys.data() - step / sizeof(std::uint32_t);
                                   seen.assign(before, before + keys.size());
                                 }
                                 previous = here;
                               }};

/// Remembers its inputs by a hash, and spoils the output of one that it has seen before.
const PlantedFault remembers{"fault_remembers", [](FaultKeys keys, int, PhaseTimer&) {
                               static std::set<std::uint64_t> seen;
                               std::uint64_t hash = 0;
                               for (const std::uint32_t key : keys) hash = 31 * hash + key;
                               const bool is_new = seen.insert(hash).second;
                               sort_honestly(keys);
                               if (!is_new) std::ranges::reverse(keys);
                             }};

const PlantedFault handles_faults{"fault_handles_faults", [](FaultKeys keys, int, PhaseTimer&) {
                                    sort_honestly(keys);
                                    std::signal(SIGSEGV, [](int) { _exit(1); });
                                  }};

const PlantedFault leaves_timer{"fault_leaves_a_timer", [](FaultKeys keys, int, PhaseTimer&) {
                                  sort_honestly(keys);
                                  sigevent nothing{};
                                  nothing.sigev_notify = SIGEV_NONE;
                                  timer_t timer{};
                                  timer_create(CLOCK_MONOTONIC, &nothing, &timer);
                                }};

const PlantedFault changes_limits{"fault_changes_limits", [](FaultKeys keys, int, PhaseTimer&) {
                                    sort_honestly(keys);
                                    rlimit limit{};
                                    getrlimit(RLIMIT_STACK, &limit);
                                    limit.rlim_cur = 1 << 20;
                                    setrlimit(RLIMIT_STACK, &limit);
                                  }};

const PlantedFault changes_scheduling{"fault_changes_scheduling", [](FaultKeys keys, int, PhaseTimer&) {
                                        sort_honestly(keys);
                                        const sched_param parameters{};
                                        sched_setscheduler(0, SCHED_BATCH, &parameters);
                                      }};

const PlantedFault says_odd_things{"fault_says_odd_things",
                                   [](FaultKeys, int, PhaseTimer&) { throw std::runtime_error("\xff\xfe"); }};

/// Has scratch memory for one sorter at a time.
class OneAtATime final : public Algorithm {
 public:
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>();
  }

 private:
  class Ready final : public Sorter {
   public:
    Ready() {
      if (alive_) throw std::bad_alloc();
      alive_ = true;
    }
    ~Ready() override { alive_ = false; }
    Buffers sort(Buffers data, PhaseTimer&) override {
      sort_honestly(data.keys.as<std::uint32_t>());
      return data;
    }

   private:
    static inline bool alive_ = false;
  };
  Info info_{.name = "fault_one_at_a_time",
             .title = "planted",
             .source = "",
             .family = "",
             .keys = {KeyType::u32},
             .values = {ValueType::none}};
};
const RegisterBuildDigest one_at_a_time_digest{"fault_one_at_a_time", "00000000000000aa"};
const Register one_at_a_time{std::make_unique<OneAtATime>()};

/// The results of these sorts, in one block.
std::map<std::string, CellResult> measure_faults(const std::vector<std::string>& names, std::uint64_t n,
                                                 const std::string& keys = "uniform", int threads = 1) {
  Sweep sweep = uniform_sweep(names);
  sweep.n = {n};
  sweep.distributions = {parse_distribution(keys)};
  sweep.threads = {threads};
  sweep.protocol.samples = 9;
  return results_by_algorithm(sweep);
}

/// The end of a sort with a fault: status, part of the reason, and the reason's code.
struct FaultyEnd {
  std::string status;
  std::string words;
  ReasonCode code;
  std::optional<ReasonCode> other_code{};  ///< code of a second check that may find it first
};

/// Expects that each sort fails as said beside honest ones, which lose nothing.
void expect_faults(const std::map<std::string, FaultyEnd>& expected, std::uint64_t n) {
  std::vector<std::string> names{"fault_none", "std_sort"};
  for (const auto& [name, outcome] : expected) names.push_back(name);
  const auto results = measure_faults(names, n);
  for (const auto& [name, outcome] : expected) {
    const CellResult& result = results.at(name);
    EXPECT_EQ(to_name(result.status), outcome.status) << name << " n=" << n << ": " << result.reason;
    EXPECT_NE(result.reason.find(outcome.words), std::string::npos) << name << " n=" << n << ": " << result.reason;
    ASSERT_TRUE(result.code) << name;
    EXPECT_TRUE(result.code == outcome.code || (outcome.other_code && result.code == outcome.other_code))
        << name << " n=" << n << ": " << to_name(*result.code) << ": " << result.reason;
  }
  for (const char* const innocent : {"fault_none", "std_sort"}) {
    EXPECT_EQ(results.at(innocent).status, Status::ok) << innocent << " n=" << n << ": " << results.at(innocent).reason;
  }
}

TEST(Faults, ResultsThatAreNotOfTheInputAreWrong) {
  for (const std::uint64_t n : {100, 4096, 200'000}) {
    expect_faults({{"fault_old_output", {"wrong", "", ReasonCode::wrong_output}},
                   {"fault_wrong_warm_up", {"wrong", "", ReasonCode::wrong_output}}},
                  n);
  }
}

TEST(Faults, ASortThatGoesOnAfterItReturnedHasNoTime) {
  for (const std::uint64_t n : {1000, 4096}) {
    const auto results = measure_faults({"fault_returns_early", "fault_none"}, n);
    EXPECT_NE(results.at("fault_returns_early").status, Status::ok) << n;
    EXPECT_EQ(results.at("fault_none").status, Status::ok) << n << results.at("fault_none").reason;
  }
  expect_faults({{"fault_works_on", {"failed", "thread", ReasonCode::still_working, ReasonCode::too_many_threads}}},
                4096);
}

TEST(Faults, WritingOutsideTheArraysCostsTheSortThatDidIt) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer ends the program first";
#endif
  for (const std::uint64_t n : {1, 1000, 4096, 1 << 18, 1 << 20}) {
    expect_faults({{"fault_one_past_the_end", {"failed", "bytes after its array", ReasonCode::outside_arrays}},
                   {"fault_one_before_the_begin", {"failed", "bytes before its array", ReasonCode::outside_arrays}},
                   {"fault_far_past_the_end", {"crashed", "SIGSEGV", ReasonCode::crash}}},
                  n);
  }
}

TEST(Faults, ASortOfRecordsAnswersForNoThreadThatVerifiesIt) {
  for (const std::uint64_t n : {std::uint64_t{1} << 14, std::uint64_t{1} << 17}) {
    Sweep sweep = uniform_sweep({"std_string_sort"});
    sweep.keys = {KeyType::string};
    sweep.n = {n};
    sweep.distributions = {parse_distribution("words")};
    sweep.protocol.samples = 9;
    const CellResult result = results_by_algorithm(sweep).at("std_string_sort");
    EXPECT_EQ(result.status, Status::ok) << "n=" << n << ": " << result.reason;
  }
}

TEST(Faults, MoreThreadsThanGivenAreFound) {
  for (const std::uint64_t n : {1000, 200'000}) {
    expect_faults({{"fault_more_threads", {"failed", "threads, and was given 1", ReasonCode::too_many_threads}}}, n);
  }
}

TEST(Faults, ThreadsThatDidNothingAreFound) {
  if (allowed_cpus().size() < 2) GTEST_SKIP() << "needs two processors";
  constexpr std::uint64_t n = 1 << 20;  // 80 ms
  const CellResult idle = measure_faults({"fault_leaves_threads_idle"}, n, "uniform", 2).begin()->second;
  EXPECT_EQ(to_name(idle.status), "failed");
  EXPECT_EQ(idle.reason, "used 1 thread, and was given 2");
  EXPECT_EQ(idle.code, ReasonCode::idle_threads);
  // Sorted keys may leave nothing to divide, and small inputs are not worth a second thread.
  const CellResult sorted = measure_faults({"fault_leaves_threads_idle"}, 8 * n, "sorted", 2).begin()->second;
  EXPECT_EQ(to_name(sorted.status), "ok") << sorted.reason;
  const CellResult small = measure_faults({"fault_leaves_threads_idle"}, 1 << 16, "uniform", 2).begin()->second;
  EXPECT_EQ(to_name(small.status), "ok") << small.reason;
}

TEST(Faults, CheckSortNamesThem) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer ends the program first";
#endif
  const Answer answer = sortlab_with({"check-sort", "fault_one_past_the_end", "--time-budget", "3"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.out.find("bytes after its array"), std::string::npos) << answer.out;
  EXPECT_EQ(sortlab_with({"check-sort", "fault_none", "--time-budget", "3"}).status, 0);
}

TEST(Faults, WhatALaterSortWouldFindChangedIsFound) {
  expect_faults(
      {{"fault_changes_rounding", {"failed", "changed the mode of floating point", ReasonCode::caller_changed}},
       {"fault_changes_processors", {"failed", "changed the processors", ReasonCode::caller_changed}},
       {"fault_changes_limits", {"failed", "changed the limits", ReasonCode::caller_changed}},
       {"fault_changes_scheduling", {"failed", "changed the scheduling", ReasonCode::caller_changed}},
       {"fault_handles_faults", {"failed", "changed what a memory fault does", ReasonCode::caller_changed}}},
      4096);
}

TEST(Faults, ASortIsNotBlamedForProcessorsThatItLost) {
  const CellResult result = measure_faults({"fault_loses_processors"}, 200'000).at("fault_loses_processors");
  ASSERT_EQ(to_name(result.status), "ok") << result.reason;
  std::size_t elsewhere = 0;
  for (const Sample& sample : result.samples) {
    const std::vector<int>& cpus = sample.facts.affinity;
    const bool moved = std::ranges::count(cpus, static_cast<int>(kOnlyProcessor)) > 0;
    EXPECT_EQ(sample.disturbance.elsewhere, moved);
    EXPECT_EQ(is_disturbed(sample) || !moved, true);
    elsewhere += moved ? 1 : 0;
  }
  EXPECT_GT(elsewhere, 0U);
}

TEST(Faults, AWorkerThatHasTooFewProcessorsSkipsACell) {
  const CellResult result = measure_faults({"fault_leaves_threads_idle"}, 1000, "uniform", 4000).begin()->second;
  EXPECT_EQ(to_name(result.status), "skipped");
  EXPECT_NE(result.reason.find("needs 4000 processors, "), std::string::npos) << result.reason;
}

TEST(Faults, AChangeThatComesOnceIsNotTheSorts) {
  std::filesystem::remove(reniced_file());
  const CellResult result = measure_faults({"fault_is_reniced"}, 4096).at("fault_is_reniced");
  EXPECT_TRUE(std::filesystem::remove(reniced_file()));
  EXPECT_EQ(to_name(result.status), "ok") << result.reason;
  EXPECT_TRUE(result.lost_before.starts_with("failed: changed the priority of the thread from ")) << result.lost_before;
  EXPECT_NE(result.lost_before.find(", or something outside did (renice)"), std::string::npos) << result.lost_before;
}

TEST(Faults, ATimerThatItLeavesIsFound) {
  if (access("/proc/self/timers", R_OK) != 0) GTEST_SKIP() << "the kernel does not list timers";
  expect_faults({{"fault_leaves_a_timer", {"failed", "changed the timers", ReasonCode::caller_changed}}}, 4096);
}

TEST(Faults, AChildProcessCountsAsTheSorts) {
  expect_faults({{"fault_leaves_a_process",
                  {"failed", "returned while a process that it started still runs", ReasonCode::still_working}}},
                4096);
}

TEST(Faults, NothingOfABatchCanBeDoneAhead) {
  const auto results = measure_faults({"fault_looks_ahead", "fault_none"}, 100);
  EXPECT_EQ(to_name(results.at("fault_looks_ahead").status), "ok") << results.at("fault_looks_ahead").reason;
}

TEST(Faults, NoInputComesTwice) {
  for (const std::uint64_t n : {100, 4096, 200'000}) {
    const CellResult result = measure_faults({"fault_remembers", "fault_none"}, n).at("fault_remembers");
    EXPECT_EQ(to_name(result.status), "ok") << n << ": " << result.reason;
  }
}

TEST(Faults, WhatASortSaysNeedNotBeText) {
  expect_faults({{"fault_says_odd_things", {"failed", "threw in", ReasonCode::exception}}}, 1000);
}

TEST(Faults, ScratchThatFitsOnceCostsNoSamples) {
  const CellResult result = measure_faults({"fault_one_at_a_time"}, 2000).at("fault_one_at_a_time");
  ASSERT_EQ(to_name(result.status), "ok") << result.reason;
  EXPECT_GE(result.samples.size(), 9U);
  EXPECT_TRUE(result.called_s.empty());
  // Calls that something delays are left out, of three.
  EXPECT_FALSE(measure_faults({"fault_none"}, 2000).at("fault_none").called_s.empty());
}

TEST(Faults, PhasesMustBeThoseOfInfo) {
  expect_faults({{"fault_unknown_phase", {"failed", "is not one of Info::phases", ReasonCode::phases}},
                 {"fault_many_phases", {"failed", "more than 4096 phases", ReasonCode::phases}}},
                2000);
}

TEST(Faults, AllocationsInsideAreCounted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's allocator is not counted";
#endif
  const auto results = measure_faults({"fault_allocates", "fault_none"}, 2000);
  for (const Sample& sample : results.at("fault_allocates").samples) EXPECT_EQ(sample.facts.allocations, 1U);
  for (const Sample& sample : results.at("fault_none").samples) EXPECT_EQ(sample.facts.allocations, 0U);
}

TEST(Faults, ATimeThatNoMemoryAllowsIsRefused) {
  Case c{.algorithm = &algorithm_named("std_sort"), .parameters = {}, .n = 1 << 20, .distribution = {}};
  EXPECT_FALSE(impossible_time(c, 20e-6, 1, 4e9));
  const auto refused = impossible_time(c, 0.85e-6, 1, 4e9);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ReasonCode::impossible_time);
  EXPECT_NE(refused->text.find("4194304 bytes once takes at least 8.19e-06 s"), std::string::npos) << refused->text;
}

TEST(FreshInputs, EachSampleHasAnInputOfItsOwnTheSameForAllSortsOfTheBlock) {
  const auto results = measure_faults({"fault_none", "fault_allocates"}, 500);
  std::vector<std::uint64_t> inputs;
  for (const Sample& sample : results.at("fault_none").samples) inputs.push_back(sample.facts.input);
  auto distinct = inputs;
  std::ranges::sort(distinct);
  EXPECT_EQ(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::uint64_t input : inputs) EXPECT_EQ(input % kInputsPerSample, 0U);
  EXPECT_EQ(input_seed(7, 0), 7U);
  EXPECT_NE(input_seed(7, 1), input_seed(7, 2));
  EXPECT_LT(input_seed(7, 1), std::uint64_t{1} << 53);
}

TEST(FreshInputs, AReadingTakesTenMicroseconds) {
  const auto results = measure_faults({"fault_none"}, 20);
  for (const Sample& sample : results.at("fault_none").samples) {
    EXPECT_GT(sample.facts.batch, 1);
    EXPECT_GE(sample.seconds * sample.facts.batch, 10e-6);
  }
}

}  // namespace
}  // namespace sortlab
