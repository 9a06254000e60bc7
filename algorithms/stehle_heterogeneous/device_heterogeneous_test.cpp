// Tests the heterogeneous sort on a device beyond the conformance suite: pinned memory, many chunks, phases, its
// component, and its refusal of chunks that are too large.
#include <fmt/format.h>

#include <map>

#include "core/affinity.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/testbed.hpp"
#include "harness/plan/sweep.hpp"
#include "tests/conformance/covering_array.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

const Algorithm& heterogeneous() {
  return algorithm_named("stehle_heterogeneous");
}

const Testbed::Doing kNobody = [](Step) {};

class DeviceHeterogeneous : public DeviceTest {
 protected:
  static Sweep make_sweep(const std::vector<GivenParameters>& settings) {
    Sweep sweep;
    for (const GivenParameters& given : settings) {
      sweep.algorithms.push_back({.algorithm = &heterogeneous(), .preset = {}, .parameters = given});
    }
    sweep.distributions = {parse_distribution("uniform")};
    sweep.threads = {2};
    return sweep;
  }

  /// Sorts every cell that is not declined twice, as a run does. Returns the number of cells sorted.
  static int run_all(const std::vector<Sweep>& sweeps) {
    int ran = 0;
    WorkerResources worker;
    worker.cpus = allowed_cpus();
    for (const Cell& cell : expand_sweeps(sweeps)) {
      const Case& c = cell.subject;
      if (refusal(c)) continue;
      const auto testbed = make_end_to_end_testbed(c, worker);
      const auto runnable = testbed->prepare(c);
      PhaseTimer phases = testbed->phase_timer(c);
      for (int run = 0; run < 2; ++run) {
        const TimedSort timed = testbed->sort(c, *runnable, phases, {}, kNobody);
        const Verification verdict = testbed->verify(c, *runnable, timed.outputs.front());
        EXPECT_TRUE(verdict.ok()) << case_text(c) << ": " << verdict.reason;
        EXPECT_GT(timed.time.seconds, 0);
      }
      if (testing::Test::HasFailure()) return ran;
      ++ran;
    }
    return ran;
  }
};

/// Covers every pair of values of sort, merge, chunks, key and value type, n and kind of memory. If the sort or the
/// merge declines a row, the next row that it takes replaces it; both also have rows of their own.
TEST_F(DeviceHeterogeneous, SortsAnyChunksFromEitherKindOfMemory) {
  const std::vector<std::string> sorts{"stehle_hybrid_radix", "stehle_hybrid_radix_paper", "cub_radix",
                                       "satish_split_radix"};
  const std::vector<std::string> merges{"ours", "libstdcxx"};
  const std::vector<std::string> chunks{"1", "2", "3", "4", "16", "32"};
  const std::vector<KeyType> keys{KeyType::u32, KeyType::u64, KeyType::f64};
  const std::vector<ValueType> values{kValueTypes.begin(), kValueTypes.end()};
  const std::vector<std::uint64_t> sizes{1, 31, 33, 100003};
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  std::vector<Sweep> sweeps;
  for (const std::vector<int>& row :
       covering_array({count(sorts), count(merges), count(chunks), count(keys), count(values), count(sizes), 2})) {
    const auto level = [&](std::size_t factor) { return static_cast<std::size_t>(row[factor]); };
    const std::string& sort = sorts[level(0)];
    const std::string& merge = merges[level(1)];
    for (const auto& [s, m] : {std::pair{sort, merge}, {sort, merges[0]}, {sorts[0], merge}, {sorts[0], merges[0]}}) {
      Sweep sweep = make_sweep({{{"sort", s}, {"merge", m}, {"chunks", chunks[level(2)]}}});
      sweep.keys = {keys[level(3)]};
      sweep.values = {values[level(4)]};
      sweep.n = {sizes[level(5)]};
      sweep.host_memory = {row[6] == 0 ? HostMemory::pinned : HostMemory::pageable};
      if (refusal(expand_sweeps({sweep}).at(0).subject)) continue;
      sweeps.push_back(sweep);
      break;
    }
  }
  const auto add = [&](const GivenParameters& given, KeyType key, ValueType value) {
    Sweep sweep = make_sweep({given});
    sweep.keys = {key};
    sweep.values = {value};
    sweep.n = {100003};
    sweep.host_memory = {HostMemory::pinned, HostMemory::pageable};
    sweeps.push_back(sweep);
  };
  for (const char* some : {"2", "3", "16", "32"}) {
    add({{"merge", "libstdcxx"}, {"chunks", some}}, KeyType::u64, ValueType::u64);
    add({{"sort", "satish_split_radix"}, {"chunks", some}}, KeyType::u32, ValueType::u32);
  }
  add({{"merge", "libstdcxx"}}, KeyType::u32, ValueType::u32);
  add({{"merge", "libstdcxx"}}, KeyType::f64, ValueType::none);
  EXPECT_GT(run_all(sweeps), 35);
}

TEST_F(DeviceHeterogeneous, SortsChunksOfManyPieces) {
  // 512 MiB of 64/64 pairs: chunks of 128 MiB are copied in four pieces each.
  Sweep sweep = make_sweep({{{"chunks", "4"}}, {{"chunks", "5"}}, {{"chunks", "4"}, {"sort", "cub_radix"}}});
  sweep.keys = {KeyType::u64};
  sweep.values = {ValueType::u64};
  sweep.n = {(std::uint64_t{1} << 25) + 3};
  sweep.distributions = {parse_distribution("uniform"), parse_distribution("constant")};
  EXPECT_EQ(run_all({sweep}), 6);
}

TEST_F(DeviceHeterogeneous, ItsComponentLeavesEachChunkSorted) {
  Sweep sweep = make_sweep({{{"chunks", "1"}}, {{"chunks", "4"}}, {{"chunks", "7"}, {"sort", "cub_radix"}}});
  for (AlgorithmChoice& choice : sweep.algorithms) choice.component = &component_named(heterogeneous(), "chunked_sort");
  sweep.keys = {KeyType::u32, KeyType::u64};
  sweep.values = {ValueType::none, ValueType::u64};
  sweep.n = {5, 100003};
  EXPECT_EQ(run_all({sweep}), 24);
}

TEST_F(DeviceHeterogeneous, ReportsEachChunkInEachLaneAndThenTheMerge) {
  Sweep sweep = make_sweep({{{"chunks", "4"}, {"sort", "cub_radix"}}});
  sweep.n = {std::uint64_t{1} << 24};
  const Case c = expand_sweeps({sweep}).at(0).subject;
  WorkerResources worker;
  worker.cpus = allowed_cpus();
  const auto testbed = make_end_to_end_testbed(c, worker);
  const auto runnable = testbed->prepare(c);
  PhaseTimer phases = testbed->phase_timer(c);
  const TimedSort timed = testbed->sort(c, *runnable, phases, {}, kNobody);
  std::map<std::string, std::map<int, PhaseSpan>> spans;
  for (const auto& lane : phases.lanes()) {
    for (const PhaseSpan& span : lane) spans[std::string{span.name}][span.pass] = span;
  }
  for (const char* name : {"copy_in", "sort", "copy_out"}) ASSERT_EQ(spans[name].size(), 4U) << name;
  for (int chunk = 0; chunk < 4; ++chunk) {
    EXPECT_LE(spans["copy_in"][chunk].end_ns, spans["sort"][chunk].begin_ns + 10000) << chunk;
    EXPECT_LE(spans["sort"][chunk].end_ns, spans["copy_out"][chunk].begin_ns + 10000) << chunk;
    EXPECT_LE(spans["copy_out"][chunk].end_ns, spans["merge"][0].begin_ns + 100000) << chunk;
  }
  EXPECT_LE(static_cast<double>(spans["merge"][0].end_ns), 1e9 * timed.time.seconds);
  // The next chunk comes in while one is sorted or leaves.
  EXPECT_LT(spans["copy_in"][1].begin_ns, spans["copy_out"][0].begin_ns);
}

TEST_F(DeviceHeterogeneous, ChunksAtOnceAreQuickerThanOne) {
  if (!has_memory(std::uint64_t{8} << 30)) GTEST_SKIP() << "too little memory on the device";
  Sweep sweep = make_sweep({{{"chunks", "1"}, {"sort", "cub_radix"}}, {{"chunks", "16"}, {"sort", "cub_radix"}}});
  for (AlgorithmChoice& choice : sweep.algorithms) choice.component = &component_named(heterogeneous(), "chunked_sort");
  sweep.keys = {KeyType::u64};
  sweep.n = {std::uint64_t{1} << 28};
  std::vector<double> seconds;
  WorkerResources worker;
  worker.cpus = allowed_cpus();
  for (const Cell& cell : expand_sweeps({sweep})) {
    const auto testbed = make_end_to_end_testbed(cell.subject, worker);
    const auto runnable = testbed->prepare(cell.subject);
    PhaseTimer phases = testbed->phase_timer(cell.subject);
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
      best = std::min(best, testbed->sort(cell.subject, *runnable, phases, {}, kNobody).time.seconds);
    }
    seconds.push_back(best);
  }
  fmt::print("2 GiB of u64: one chunk {:.1f} ms, 16 chunks {:.1f} ms\n", 1e3 * seconds[0], 1e3 * seconds[1]);
  EXPECT_LT(seconds[1], 0.8 * seconds[0]);
}

TEST_F(DeviceHeterogeneous, SaysWhichParameterWouldTakeLess) {
  const Problem problem{.key = KeyType::u64, .residency = Residency::end_to_end, .n = std::uint64_t{1} << 38};
  const Parameters parameters = resolve("stehle_heterogeneous", heterogeneous().info().parameters, {});
  try {
    (void)heterogeneous().prepare(problem, parameters, {.threads = 1, .cpus = {}});
    FAIL() << "2 TiB were taken";
  } catch (const std::bad_alloc& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("chunks=4: chunks of 512.0 GiB"), 0U) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace sortlab
