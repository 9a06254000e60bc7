// The supervisor and its workers, with planted sorts that misbehave.
#include "harness/run/supervisor.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/pages.hpp"
#include "core/temporary_folder.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/record/measurement.hpp"
#include "tests/support/measured_sorts.hpp"
#include "tests/support/misbehaving_sorts.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

Sweep planted_sweep(const std::vector<std::string>& names) {
  Sweep sweep;
  for (const std::string& name : names) sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
  sweep.n = {1000};
  sweep.distributions = {parse_distribution("uniform")};
  sweep.protocol.samples = 9;
  return sweep;
}

/// A sort that spoils its process, and one that a spoilt process kills.
bool process_is_spoilt = false;
struct SpoilsItsProcess {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    process_is_spoilt = true;
    std::sort(elements.begin(), elements.end(), less);
  }
};
struct DiesInASpoiltProcess {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    if (process_is_spoilt) raise(SIGSEGV);
    std::sort(elements.begin(), elements.end(), less);
  }
};
/// Writes where the worker's messages to its supervisor go, as if with a descriptor that it guessed.
struct WritesToTheSupervisor {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::sort(elements.begin(), elements.end(), less);
    EXPECT_EQ(write(3, "no message\n", 11), 11);
  }
};
struct StopsItself {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    raise(SIGSTOP);
    std::sort(elements.begin(), elements.end(), less);
  }
};
/// Dies in the fourth process: that in which energy is metered, after three that took samples.
struct DiesInTheFourthProcess {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    static const auto processes = [] {
      const std::filesystem::path path = std::getenv("SORTLAB_PLANTED_PROCESSES");
      std::ofstream{path, std::ios::app} << '.';
      return std::filesystem::file_size(path);
    }();
    if (processes > 3) raise(SIGSEGV);
    std::sort(elements.begin(), elements.end(), less);
  }
};
/// Maps scratch memory in its first call, for which the system gives small pages.
struct GetsSmallPages {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    static const Pages scratch = [] {
      prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
      Pages made{std::size_t{4} << 20, PageKind::huge};
      prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
      return made;
    }();
    std::sort(elements.begin(), elements.end(), less);
  }
};
/// Makes scratch memory when it is prepared. The system gives small pages at the first time in a process, or at all
/// later ones, by which a program's calls are prepared.
template <bool at_first>
struct PreparedInSmallPages {
  explicit PreparedInSmallPages(const Resources&) {
    static int prepared = 0;
    if ((prepared++ == 0) == at_first) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    scratch = Pages{std::size_t{4} << 20, PageKind::huge};
    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  }
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::sort(elements.begin(), elements.end(), less);
  }
  Pages scratch;
};
const PlantedAlgorithm first_in_small_pages{
    std::make_unique<SimpleSort<PreparedInSmallPages<true>>>(planted_info("planted_first_in_small_pages"))};
const PlantedAlgorithm calls_in_small_pages{
    std::make_unique<SimpleSort<PreparedInSmallPages<false>>>(planted_info("planted_calls_in_small_pages"))};
const PlantedAlgorithm in_small_pages{
    std::make_unique<SimpleSort<GetsSmallPages>>(planted_info("planted_small_pages"))};
const PlantedAlgorithm spoils{std::make_unique<SimpleSort<SpoilsItsProcess>>(planted_info("planted_spoils"))};
const PlantedAlgorithm dies{
    std::make_unique<SimpleSort<DiesInASpoiltProcess>>(planted_info("planted_dies_when_spoilt"))};
const PlantedAlgorithm writes{std::make_unique<SimpleSort<WritesToTheSupervisor>>(planted_info("planted_writes"))};
const PlantedAlgorithm dies_when_metered{
    std::make_unique<SimpleSort<DiesInTheFourthProcess>>(planted_info("planted_dies_when_metered"))};
const PlantedAlgorithm stops{std::make_unique<SimpleSort<StopsItself>>(planted_info("planted_stops_itself"))};

TEST(Supervisor, MeteringCostsACellItsJoulesOnly) {
  const TemporaryFolder folder;
  setenv("SORTLAB_POWERCAP", folder.path().c_str(), 1);
  setenv("SORTLAB_PLANTED_PROCESSES", folder.file("processes").c_str(), 1);
  Sweep sweep = planted_sweep({"planted_dies_when_metered", "planted_sort", "planted_wrong"});
  sweep.protocol.energy = true;
  const auto results = results_by_algorithm(sweep);
  for (const char* const name : {"planted_dies_when_metered", "planted_sort"}) {
    EXPECT_EQ(results.at(name).status, Status::ok) << name;
    EXPECT_GE(results.at(name).samples.size(), 9U) << name;
    ASSERT_TRUE(results.at(name).energy.has_value()) << name;
  }
  EXPECT_TRUE(results.at("planted_sort").energy->reason.starts_with("host: ")) << results.at("planted_sort").reason;
  EXPECT_TRUE(results.at("planted_dies_when_metered").energy->reason.starts_with("crashed: SIGSEGV"))
      << results.at("planted_dies_when_metered").energy->reason;
  EXPECT_EQ(results.at("planted_wrong").status, Status::wrong);
  EXPECT_FALSE(results.at("planted_wrong").energy.has_value()) << "a wrong sort is not metered";
  const auto without = results_by_algorithm(planted_sweep({"planted_sort"}));
  EXPECT_FALSE(without.at("planted_sort").energy.has_value()) << "it was not asked for";
}

TEST(Supervisor, ACellThatMisbehavesCostsItselfOnly) {
  Sweep sweep = planted_sweep({"planted_crash", "planted_exit", "planted_killed", "planted_terminate", "planted_throw",
                               "planted_well", "planted_wrong", "planted_sort"});
  const auto results = results_by_algorithm(sweep);
  const std::map<std::string, std::pair<std::string, std::string>> expected{
      {"planted_crash", {"crashed", "SIGSEGV"}},  {"planted_exit", {"crashed", "exited with status 3"}},
      {"planted_killed", {"crashed", "SIGKILL"}}, {"planted_terminate", {"crashed", "SIGABRT"}},
      {"planted_throw", {"failed", "planted"}},   {"planted_well", {"ok", ""}},
      {"planted_wrong", {"wrong", "keys"}},       {"planted_sort", {"ok", ""}}};
  ASSERT_EQ(results.size(), expected.size());
  for (const auto& [name, outcome] : expected) {
    const CellResult& result = results.at(name);
    EXPECT_EQ(to_name(result.status), outcome.first) << name << ": " << result.reason;
    EXPECT_NE(result.reason.find(outcome.second), std::string::npos) << name << ": " << result.reason;
    // Samples taken before another cell's crash are kept, and no more than the requested number are taken.
    if (result.status == Status::ok) {
      EXPECT_GE(result.samples.size(), 9U) << name;
    }
  }
  EXPECT_NE(results.at("planted_crash").reason.find("in a timed sort"), std::string::npos);
  EXPECT_EQ(results.at("planted_crash").signal, "SIGSEGV");
}

TEST(Supervisor, TheSamplesComeFromSeveralProcesses) {
  Sweep sweep = planted_sweep({"planted_well", "planted_sort"});
  for (const auto& [processes, samples] : std::vector<std::pair<int, std::vector<std::size_t>>>{
           {3, {3, 3, 3}}, {2, {5, 4}}, {1, {9}}, {20, std::vector<std::size_t>(9, 1)}}) {
    sweep.protocol.processes = processes;
    for (const auto& [name, result] : results_by_algorithm(sweep)) {
      std::map<int, std::size_t> by_process;
      for (const Sample& sample : result.samples) by_process[sample.process] += is_disturbed(sample) ? 0U : 1U;
      EXPECT_EQ(by_process.size(), samples.size()) << name;
    }
  }
}

TEST(Supervisor, ACellLostBesideOthersIsMeasuredAgainAlone) {
  Sweep sweep = planted_sweep({"planted_spoils", "planted_dies_when_spoilt", "planted_crash"});
  const auto results = results_by_algorithm(sweep);
  EXPECT_EQ(to_name(results.at("planted_spoils").status), "ok");
  const CellResult& innocent = results.at("planted_dies_when_spoilt");
  EXPECT_EQ(to_name(innocent.status), "ok") << innocent.reason;
  EXPECT_EQ(innocent.lost_before.substr(0, 16), "crashed: SIGSEGV");
  EXPECT_EQ(to_name(results.at("planted_crash").status), "crashed");
  EXPECT_EQ(results.at("planted_crash").lost_before, "");
}

TEST(Supervisor, ASortThatWritesIntoTheConnectionCostsItself) {
  const auto results = results_by_algorithm(planted_sweep({"planted_writes", "planted_well"}));
  EXPECT_EQ(to_name(results.at("planted_writes").status), "crashed");
  EXPECT_NE(results.at("planted_writes").reason.find("wrote into the worker's connection"), std::string::npos)
      << results.at("planted_writes").reason;
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, ASortThatStopsItsProcessDoesNotHoldUpTheRun) {
  Sweep sweep = planted_sweep({"planted_stops_itself", "planted_well"});
  sweep.protocol.timeout_s = 0.5;
  const auto results = results_by_algorithm(sweep, {.time_budget_s = {}, .longest_stop_s = 0.5});
  EXPECT_EQ(to_name(results.at("planted_stops_itself").status), "crashed");
  EXPECT_NE(results.at("planted_stops_itself").reason.find("stood still"), std::string::npos);
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, AWrongResultIsDumpedAsItIs) {
  const TemporaryFolder folder;
  results_by_algorithm(planted_sweep({"planted_wrong", "planted_well"}),
                       {.time_budget_s = {}, .dump = folder.path().string()});
  std::map<std::string, std::vector<std::uint32_t>> outputs;
  std::ifstream manifest(folder / "manifest.jsonl");
  for (std::string line; std::getline(manifest, line);) {
    const auto json = ordered_json::parse(line);
    EXPECT_EQ(json.at("reason").is_null(), json.at("algorithm") == "planted_well");
    std::vector<std::uint32_t>& keys = outputs[json.at("algorithm")];
    keys.resize(1000);
    std::ifstream file(folder / json.at("output").at("keys").get<std::string>(), std::ios::binary);
    file.seekg(128);  // the header
    file.read(reinterpret_cast<char*>(keys.data()), 4000);
    EXPECT_EQ(file.gcount(), 4000);
    EXPECT_EQ(file.get(), EOF);
  }
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(outputs["planted_well"]));
  EXPECT_NE(outputs["planted_wrong"], outputs["planted_well"]);
}

TEST(Supervisor, AHangEndsAtItsLimit) {
  Sweep sweep = planted_sweep({"planted_hang", "planted_well"});
  sweep.protocol.timeout_s = 1;
  const auto results = results_by_algorithm(sweep);
  EXPECT_EQ(to_name(results.at("planted_hang").status), "timeout");
  EXPECT_NE(results.at("planted_hang").reason.find("in a timed sort"), std::string::npos);
  EXPECT_EQ(results.at("planted_hang").code, ReasonCode::sort_too_long);
  EXPECT_GE(results.at("planted_hang").limit_s.value_or(0), 1);
  EXPECT_FALSE(results.at("planted_well").code);
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, MemoryExhaustedIsAFailure) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit under a sanitizer";
#endif
  const auto results = results_by_algorithm(planted_sweep({"planted_exhaust", "planted_well"}),
                                            {.time_budget_s = {}, .worker_memory_bytes = std::uint64_t{512} << 20});
  EXPECT_EQ(to_name(results.at("planted_exhaust").status), "failed");
  EXPECT_NE(results.at("planted_exhaust").reason.find("out of memory"), std::string::npos);
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, AnInputThatDoesNotFitFailsItsBlockOnly) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit under a sanitizer";
#endif
  Sweep sweep = planted_sweep({"planted_sort"});
  sweep.n = {std::uint64_t{1} << 28, 1000};
  std::vector<std::string> statuses;
  supervise(
      group_into_blocks(expand_sweeps({sweep})), {.time_budget_s = {}, .worker_memory_bytes = std::uint64_t{256} << 20},
      {.running = [](const Cell&) {},
       .finished = [&](const Cell&, const CellResult& result) { statuses.emplace_back(to_name(result.status)); }});
  EXPECT_EQ(statuses, (std::vector<std::string>{"failed", "ok"}));
}

TEST(Supervisor, ASortThatTimesItselfIsBelieved) {
  const auto results = results_by_algorithm(planted_sweep({"planted_times_itself", "planted_well"}));
  for (const Sample& sample : results.at("planted_times_itself").samples) {
    EXPECT_EQ(sample.seconds, 1.0);
    EXPECT_TRUE(sample.counters.empty());
  }
  for (const Sample& sample : results.at("planted_well").samples) EXPECT_LT(sample.seconds, 1.0);
}

TEST(Supervisor, PhasesLieInsideTheSort) {
  const auto results = results_by_algorithm(planted_sweep({"planted_well"}));
  for (const Sample& sample : results.at("planted_well").samples) {
    ASSERT_EQ(sample.phases.size(), 1U);
    EXPECT_EQ(sample.phases[0].name, "sort");
    EXPECT_GE(sample.phases[0].seconds, 0);
    EXPECT_LE(sample.phases[0].seconds, sample.seconds);
  }
}

/// True if the kernel shows which memory lies in huge pages.
bool shows_huge_pages() {
  const Pages some{std::size_t{4} << 20, PageKind::huge};
  return gives_huge_pages(huge_page_setting()) && share_in_huge_pages(some.data(), some.size()).value_or(0) > 0.99;
}

TEST(Supervisor, ScratchMemoryInSmallPagesMarksASample) {
  if (!shows_huge_pages()) GTEST_SKIP() << "the kernel gives or shows no transparent huge pages";
  Sweep sweep = planted_sweep({"planted_small_pages", "planted_sort"});
  sweep.n = {1 << 20};
  const auto results = results_by_algorithm(sweep, {.time_budget_s = {}, .huge_pages = huge_page_setting()});
  for (const Sample& sample : results.at("planted_small_pages").samples) {
    EXPECT_EQ(sample.disturbance.huge_page_share, 0.0);
    EXPECT_FALSE(sample.disturbance.huge_pages_changed);
    EXPECT_TRUE(is_disturbed(sample));
  }
  // The kernel gives some processes small pages in any case, where memory is fragmented.
  EXPECT_TRUE(std::ranges::any_of(results.at("planted_sort").samples, [](const Sample& sample) {
    return sample.disturbance.huge_page_share.value_or(0) >= kLeastInHugePages;
  })) << "that memory is another sort's";
}

TEST(Supervisor, ACallFromAProgramIsJudgedByItsOwnScratchMemory) {
  if (!shows_huge_pages()) GTEST_SKIP() << "the kernel gives or shows no transparent huge pages";
  const std::vector<std::string> names{"planted_first_in_small_pages", "planted_calls_in_small_pages",
                                       "planted_small_pages", "planted_sort"};
  Sweep sweep = planted_sweep(names);
  sweep.n = {1 << 20};
  // A call that other programs delay does not count either: then a sort that lies in huge pages has none, too.
  constexpr int tries = 3;
  constexpr std::size_t all_calls = 3;  // a sort that nothing delays has as many
  const auto has_none = [](const auto& of, const char* name) { return of.at(name).called_s.empty(); };
  std::map<std::string, CellResult> results;
  bool are_delayed = false;
  for (int i = 0; i < tries && (i == 0 || has_none(results, "planted_first_in_small_pages")); ++i) {
    results = results_by_algorithm(sweep, {.time_budget_s = {}, .huge_pages = huge_page_setting()});
    are_delayed = are_delayed || results.at("planted_sort").called_s.size() < all_calls;
  }
  if (are_delayed && has_none(results, "planted_first_in_small_pages")) {
    GTEST_SKIP() << "other programs delayed the calls";
  }
  const auto all_disturbed = [&](const char* name) {
    return std::ranges::all_of(results.at(name).samples, [](const Sample& sample) {
      return sample.disturbance.huge_page_share.value_or(1) < kLeastInHugePages;
    });
  };
  EXPECT_TRUE(all_disturbed("planted_first_in_small_pages"));
  EXPECT_FALSE(results.at("planted_first_in_small_pages").called_s.empty()) << "its calls lie in huge pages";
  EXPECT_FALSE(all_disturbed("planted_calls_in_small_pages"));
  EXPECT_TRUE(results.at("planted_calls_in_small_pages").called_s.empty());
  EXPECT_TRUE(results.at("planted_small_pages").called_s.empty()) << "what it keeps from its first call is the call's";
}

TEST(Supervisor, HugePagesSwitchedOffSinceTheRunsRecordMarkASample) {
  if (!shows_huge_pages()) GTEST_SKIP() << "the kernel gives or shows no transparent huge pages";
  Sweep sweep = planted_sweep({"planted_sort"});
  sweep.n = {1 << 20};
  const std::string recorded = huge_page_setting();
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // workers inherit it
  const auto switched_off = results_by_algorithm(sweep, {.time_budget_s = {}, .huge_pages = recorded});
  const auto always_off = results_by_algorithm(sweep, {.time_budget_s = {}, .huge_pages = huge_page_setting()});
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  const auto switched_on = results_by_algorithm(sweep, {.time_budget_s = {}, .huge_pages = "disabled"});
  for (const Sample& sample : switched_off.at("planted_sort").samples) {
    EXPECT_EQ(sample.disturbance.huge_page_share, 0.0);
    EXPECT_TRUE(sample.disturbance.huge_pages_changed);
  }
  for (const Sample& sample : always_off.at("planted_sort").samples) {
    EXPECT_EQ(sample.disturbance.huge_page_share, std::nullopt);
    EXPECT_FALSE(sample.disturbance.huge_pages_changed);
  }
  for (const Sample& sample : switched_on.at("planted_sort").samples) {
    EXPECT_TRUE(sample.disturbance.huge_pages_changed);
  }
}

TEST(Supervisor, TimeRunsOutAsExpectedOnTheInputsOfALimitAlone) {
  Sweep sweep = planted_sweep({"planted_hang"});
  sweep.distributions = {parse_distribution("sorted"), parse_distribution("uniform")};
  sweep.protocol.timeout_s = 0.5;
  std::map<std::string, bool> expected;
  supervise(group_into_blocks(expand_sweeps({sweep})), {},
            {.running = [](const Cell&) {},
             .finished =
                 [&](const Cell& cell, const CellResult& result) {
                   const ordered_json record = measurement_record(cell, result, "run", "machine");
                   EXPECT_EQ(record["status"], "timeout");
                   EXPECT_EQ(record["reason_code"], "sort_too_long");
                   EXPECT_GE(record["limit_s"], 0.5);
                   expected[cell.subject.distribution.distribution->info().name] = record["expected"];
                 }});
  EXPECT_EQ(expected, (std::map<std::string, bool>{{"sorted", true}, {"uniform", false}}));
}

}  // namespace
}  // namespace sortlab
