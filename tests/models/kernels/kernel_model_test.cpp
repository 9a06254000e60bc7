// Models of device sorts on an invented device, whose quantities are chosen so that each term is distinguishable.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "models/cost.hpp"
#include "models/kernels/device_kernel.hpp"
#include "models/kernels/operation_counts.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

/// 100 multiprocessors at 1 GHz; a launch of 2 us, an access of 1 us, 1 byte a picosecond, tiles at 1 cycle an element.
MachineProfile device() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 100;
  profile.cache_bytes = {{"L2", 4096}};
  const std::vector<std::string> stream{"access_bytes", "bytes"};
  profile.tables = {{"launch_dependent", constant({}, 2e-6)},
                    {"launch", constant({}, 1e-6)},
                    {"launch_wide", constant({}, 1e-6)},
                    {"memset", constant({}, 1e-6)},
                    {"latency", constant({"bytes"}, 1e-6)},
                    {"search.splitters", constant({"array_bytes", "run_bytes"}, 1e-9)},
                    {"search.path", constant({"array_bytes", "run_bytes"}, 1e-9)},
                    {"read", constant(stream, 1e12)},
                    {"write", constant(stream, 1e12)},
                    {"copy", constant(stream, 1e12)},
                    {"scatter", constant({"access", "runs", "bytes"}, 0.5e12)},
                    {"tile.counter_scan", constant({"counters"}, 3e-6)}};
  profile.tables["overlap.copy_shared_barrier"] = constant({}, 1000);  // they overlap in full
  profile.tables["overlap.copy_shared"] = constant({}, 1000);
  profile.tables["issue.ffma"] = constant({}, 4);
  profile.tables["issue.lop3"] = constant({}, 2);
  profile.tables["shared_load"] = constant({"degree"}, 1);
  const auto tile = [&](const std::string& name, std::size_t arguments) {
    profile.tables["tile." + name] = constant(std::vector<std::string>(arguments, "a"), 1);
    profile.tables["alone." + name] = constant(std::vector<std::string>(arguments - 1, "a"), 0);
  };
  tile("count_bytes", 4);
  profile.tables["alone.count_bytes"] = constant({"a", "a", "a", "a"}, 0);
  tile("split_fused", 5);
  tile("histogram", 4);
  tile("rank_match", 4);
  tile("upsweep", 3);
  tile("upsweep_alternate", 3);
  tile("rank_downsweep", 4);
  tile("rank_downsweep_alternate", 4);
  tile("merge_sort", 2);
  profile.tables["alone.merge_sort"] = constant({"a", "a"}, 0);
  tile("merge", 3);
  return profile;
}

/// Costs of no particular sort; the tiles are given.
DeviceCosts costs() {
  static const MachineProfile profile = device();
  return {profile, Level::tiles, "none", "", {.key = 4}};
}

Prediction predicted(const Workload& workload, const std::string& distribution, const MachineProfile& profile) {
  const DistributionView view{parse_distribution(distribution), workload.key, workload.n, 1};
  for (const Model* model : algorithm_models(workload.algorithm)) {
    if (model->info().kind == ModelKind::component) return model->predict(workload, view, profile);
  }
  throw std::logic_error("no model");
}

Prediction predicted(const std::string& algorithm, std::uint64_t n, GivenParameters given = {},
                     KeyType key = KeyType::u32, const std::string& distribution = "uniform",
                     const MachineProfile& profile = device()) {
  Workload workload{.algorithm = algorithm, .key = key, .value = ValueType::none, .n = n, .parameters = {}};
  for (const auto& [name, value] : given) {
    if (std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; })) {
      workload.parameters.set(name, std::int64_t{std::stoll(value)});
    } else {
      workload.parameters.set(name, value);
    }
  }
  return predicted(workload, distribution, profile);
}

std::ptrdiff_t count(const Prediction& prediction, std::string_view phase) {
  return std::ranges::count(prediction.phases, phase, &PhasePrediction::name);
}

TEST(Kernel, SmallGridTakesALaunchAndABlockAlone) {
  const auto phase = costs().kernel({.phase = "k", .elements = 1000, .tile = {.cycles = 1, .alone = 7e-6}});
  EXPECT_NEAR(phase.seconds, 2e-6 + 7e-6, 1e-12);  // the launch has waited for one access
  EXPECT_EQ(phase.binding, "latency");
}

TEST(Kernel, WaitsForEachAccessBeyondTheOneOfALaunch) {
  const auto once = costs().kernel({.phase = "k", .round_trips = 1});
  const auto thrice = costs().kernel({.phase = "k", .round_trips = 3, .waiting = 4e-6});
  EXPECT_NEAR(thrice.seconds - once.seconds, 2 * 1e-6 + 4e-6, 1e-12);
}

TEST(Kernel, ManyBlocksTakeAsLongAsTheBusiestResource) {
  // 10^8 elements at 2 cycles on 100 multiprocessors of 1 GHz: 2 ms.
  KernelWork work{.phase = "k", .tiles = 1e5, .elements = 1e8, .tile = {.cycles = 2, .resident = 1000}};
  auto phase = costs().kernel(work);
  EXPECT_NEAR(phase.seconds, 2e-3, 2e-5);
  EXPECT_EQ(phase.binding, "multiprocessor");
  work.traffic = {.read = 4e9, .written = 4e9, .working_set = 8e9};
  phase = costs().kernel(work);
  EXPECT_NEAR(phase.seconds, 8e-3, 2e-4);
  EXPECT_EQ(phase.binding, "dram");
}

TEST(Kernel, OneBlockAMultiprocessorReadsAndWorksInTurnAndWritesBeside) {
  KernelWork work{.phase = "k", .tiles = 1e4, .elements = 1e9, .tile = {.cycles = 1, .resident = 1}};
  work.traffic = {.read = 4e9, .written = 2e9, .working_set = 8e9};
  // Working takes 10 ms, reading 4 ms, which writes of 2 ms stretch to 4 / (1 - 2 / T); the accesses 0.1 ms.
  const double expected = costs().kernel(work).seconds;
  EXPECT_NEAR(expected, 10e-3 + 0.1e-3 + 4e-3 / (1 - 2e-3 / expected), 3e-5);
}

TEST(Kernel, MultiprocessorsTakeWholeTiles) {
  const auto phase = costs().kernel({.phase = "k", .tiles = 101, .elements = 101e6, .tile = {.cycles = 1}});
  EXPECT_NEAR(phase.seconds, 2e-3, 5e-6);  // one of them takes two
}

TEST(Kernel, ShortRunsSlowMemoryDown) {
  KernelWork work{.phase = "k", .tiles = 1e5, .traffic = {.read = 1e9, .written = 1e9, .working_set = 1e10}};
  work.tile.resident = 1000;
  const double in_order = costs().kernel(work).seconds;
  work.traffic.runs = 16;
  work.traffic.run_bytes = 64;
  EXPECT_NEAR(costs().kernel(work).seconds, 2 * in_order, 0.1 * in_order);  // reads wait for writes, too
}

/// A sort whose operations were counted on that device: 10 ns a tile that looks back, a microsecond of ramp.
struct Counted {
  explicit Counted(double launch_wide = 1e-6) {
    profile.cache_bytes.emplace_back("shared", 1024);
    profile.tables["launch_wide"] = constant({}, launch_wide);
    profile.tables["lookback"] = constant({"tiles_in_flight"}, 10e-9);
    profile.tables["ramp"] = constant({}, 1e-6);
  }
  MachineProfile profile = device();
  DeviceCosts costs{profile, Level::operations, "satish_gpu_merge", "merge=path", {.key = 4}};
};

TEST(CountedKernel, ScansByTwoLaunchesATileAndTheChainOfThoseThatLookBack) {
  const double one = 300 * 4 / 1e9;  // instructions of a warp, four cycles each
  EXPECT_NEAR(Counted{}.costs.scan("scan", 0, 2688).seconds, 2 * 2e-6 + one + 10e-9, 1e-12);
  EXPECT_NEAR(Counted{}.costs.scan("scan", 0, 2688e3).seconds, 2 * 2e-6 + one + 1000 * 10e-9, 1e-12);
}

TEST(CountedKernel, SearchesInRoundsEachOfWhichWaitsForMemory) {
  const auto seconds = [](const char* how, double searches, double run, double bytes) {
    return Counted{}.costs.searches("cuts", 0, how, searches, run, bytes).seconds - (2e-6 - 1e-6);  // a launch
  };
  // Runs shorter than what lies between two searches: no two lanes look at one place. A latency, 28 instructions of
  // four cycles, and 64 sectors at a hundredth of 1 byte a ps.
  const double round = 1e-6 + 28 * 4 / 1e9 + 64 * 32 / 1e10;
  EXPECT_NEAR(seconds("path", 32, 16, 4096), 4 * round, 1e-9);
  // A splitter is read before it is searched for, by one access a round.
  EXPECT_NEAR(seconds("splitters", 32, 16, 4096), 5 * (1e-6 + 28 * 4 / 1e9 + 32 * 32 / 1e10), 1e-9);
  // One run of all: neighbours begin at one place, and part one round after the other.
  double lanes = 0;
  for (int j = 0; j < 10; ++j) lanes += std::min(32, 1 + (1 << j));
  EXPECT_NEAR(seconds("path", 32, 1024, 4096), 10 * (1e-6 + 28 * 4 / 1e9) + lanes * 64 / 1e10, 1e-9);
  // The warps of a multiprocessor share its port to the cache.
  EXPECT_GT(seconds("path", 256, 16, 32768), 4 * 8 * 64 * 32 / 1e10);
  EXPECT_LT(seconds("path", 256, 16, 32768), 8 * 4 * round);
  // Beyond the cache, many wait for memory together.
  EXPECT_GT(seconds("path", 1 << 20, 16, 1e9), 4.0 * (1 << 20) * 2 * 64 / 1e12);
}

TEST(CountedKernel, TakesWhatABlockAloneIssuesAndWhatItsAccessesWaitFor) {
  const auto seconds = [](double chain, double chained) {
    return Counted{}
        .costs.kernel({.phase = "k", .elements = 1000, .chained = chained, .tile = {.cycles = 1, .chain = chain}})
        .seconds;
  };
  EXPECT_NEAR(seconds(20, 0) - seconds(10, 0), 10e-6, 1e-9);
  EXPECT_NEAR(seconds(20, 30) - seconds(20, 0), 30 * (1e-6 - 4e-9), 1e-9);
}

TEST(CountedKernel, LeavesABlocksPlaceEmptyBetweenTwoBlocksUnlessTheyStay) {
  // Ten wide blocks on eight places take 8 us: 6.4 us from one block of a place to the next.
  const Counted counted{9e-6};
  KernelWork work{.phase = "k", .tiles = 1e5, .elements = 1e5, .tile = {.cycles = 1, .chain = 1, .resident = 8}};
  const double blocks = counted.costs.kernel(work).seconds;
  work.persistent = true;
  EXPECT_NEAR(blocks - counted.costs.kernel(work).seconds, 1000.0 / 8 * 6.4e-6, 0.02 * blocks);
}

TEST(CountedKernel, EndsWhenTheLastBlocksHaveWritten) {
  KernelWork work{.phase = "k", .tiles = 100, .traffic = {.written = 1e9, .working_set = 1e10}, .tile = {.chain = 1}};
  const double once = Counted{}.costs.kernel(work).seconds;
  EXPECT_GT(once, 2e-3);  // 1 ms while the blocks work, as far as anything keeps them busy, and again at the end
}

TEST(CountedKernel, GivesMemoryToWhoeverReads) {
  // Working as long as reading: at two blocks a multiprocessor of its own would take 3 / 2 of either, those of all
  // others lend it what they do not use.
  KernelWork work{.phase = "k", .tiles = 1e5, .elements = 1e8, .tile = {.cycles = 1, .chain = 1e-9, .resident = 2}};
  work.traffic = {.read = 1e9, .working_set = 8e9};
  Counted counted;
  ProfileTable& read = counted.profile.tables["read"];
  read.points = {{.at = {4, 1024}, .value = 1e14, .ci95 = {}}, {.at = {4, 8e9}, .value = 1e12, .ci95 = {}}};
  const double many = counted.costs.kernel(work).seconds;
  work.persistent = true;
  EXPECT_LT(many, 0.97 * counted.costs.kernel(work).seconds);
}

TEST(Throughput, IsThatOfAClosedNetwork) {
  const std::vector<double> equal{1, 1};
  EXPECT_DOUBLE_EQ(throughput(1, equal, 0), 0.5);      // in turn
  EXPECT_DOUBLE_EQ(throughput(2, equal, 0), 2.0 / 3);  // k / (k + 1) of two equal resources
  EXPECT_DOUBLE_EQ(throughput(9, equal, 0), 0.9);
  EXPECT_DOUBLE_EQ(throughput(1, equal, 2), 0.25);
  EXPECT_NEAR(throughput(1000, std::vector{3.0, 1.0}, 5), 1.0 / 3, 1e-6);  // the slowest alone
  EXPECT_THROW(throughput(0, equal, 0), std::invalid_argument);
}

TEST(PassDigits, AreThoseThatATileCanHold) {
  const DistributionView uniform{parse_distribution("uniform"), KeyType::u32, 1 << 16, 1};
  EXPECT_NEAR(pass_digits(uniform, true, 0, 4, 4096).entropy, 4, 0.01);
  EXPECT_NEAR(pass_digits(uniform, false, 0, 8, 16).distinct, 15.5, 0.5);  // 256 (1 - (255/256)^16)
  const DistributionView constant_keys{parse_distribution("constant"), KeyType::u32, 1 << 16, 1};
  EXPECT_EQ(pass_digits(constant_keys, false, 8, 8, 4096).distinct, 1);
  const DistributionView sorted{parse_distribution("sorted"), KeyType::u32, 1 << 16, 1};
  EXPECT_LT(pass_digits(sorted, true, 24, 8, 64).distinct, 2);  // neighbours agree in their highest digit
}

TEST(DeviceModels, OneSweepTakesASecondPortionAtTwoToThe28) {
  // 2^28 is more than 2^28 - 1 rounded down to tiles: each pass takes one kernel and one filling more.
  EXPECT_EQ(count(predicted("cub_radix", (1ull << 28) - (1 << 16)), "DeviceRadixSortOnesweepKernel"), 4);
  EXPECT_EQ(count(predicted("cub_radix", 1ull << 28), "DeviceRadixSortOnesweepKernel"), 8);
  EXPECT_EQ(count(predicted("cub_radix", 1 << 20, {}, KeyType::u64), "DeviceRadixSortOnesweepKernel"), 8);
}

TEST(DeviceModels, TwoReadsSpendWhatIsLeftOverOnNarrowerDigits) {
  const auto five = predicted("cub_radix_lsd", 1 << 24, {{"form", "two_read"}, {"digit_bits", "5"}});
  EXPECT_EQ(count(five, "DeviceRadixSortDownsweepKernel"), 7);  // three of 4 bits, four of 5
  EXPECT_EQ(count(predicted("cub_radix_lsd", 1 << 24, {{"form", "two_read"}, {"digit_bits", "4"}}),
                  "DeviceRadixSortUpsweepKernel"),
            8);
}

TEST(DeviceModels, MergeLevelsDoubleRunsUntilOneIsLeft) {
  EXPECT_EQ(count(predicted("cub_merge", 4352), "DeviceMergeSortMergeKernel"), 0);  // one tile
  EXPECT_EQ(count(predicted("cub_merge", 4353), "DeviceMergeSortMergeKernel"), 1);
  EXPECT_EQ(count(predicted("cub_merge", 1 << 20), "DeviceMergeSortMergeKernel"), 8);
}

const GivenParameters kFused{{"split", "fused"}, {"digit_bits", "4"}, {"items", "48"}, {"warps", "4"}};

TEST(DeviceModels, SplitRadixIsTheSumOfItsKernels) {
  const auto prediction = predicted("satish_split_radix", 1 << 26, kFused);
  ASSERT_EQ(prediction.phases.size(), 3 * 8);
  double sum = 0;
  for (const PhasePrediction& phase : prediction.phases) sum += phase.seconds;
  EXPECT_DOUBLE_EQ(prediction.seconds, sum);
  EXPECT_EQ(prediction.phases[0].name, "histogram");
  EXPECT_EQ(prediction.phases[2].name, "scatter");
  EXPECT_GT(prediction.phases[2].seconds, prediction.phases[0].seconds);
}

/// A profile with one block of each of multisplit's kernels on a multiprocessor.
MachineProfile with_multisplit() {
  MachineProfile profile = device();
  for (const auto& [step, arguments] : {std::pair{"histogram", 6}, {"scatter", 7}}) {
    const std::string name = "multisplit_" + std::string{step};
    profile.tables["resident." + name] = constant(std::vector<std::string>(arguments, "a"), 1);
    profile.tables["alone." + name] = constant(std::vector<std::string>(arguments, "a"), 0);
    profile.tables["tile." + name] = constant(std::vector<std::string>(arguments + 1, "a"), 1);
  }
  return profile;
}
const GivenParameters kReleasedMultisplit{
    {"level", "block"}, {"counters", "lanes"}, {"digit_bits", "7"}, {"items", "4"}, {"threads", "256"}};

TEST(DeviceModels, MultisplitTakesItsNarrowDigitFirst) {
  const auto prediction =
      predicted("multisplit_radix", 1 << 26, kReleasedMultisplit, KeyType::u32, "uniform", with_multisplit());
  ASSERT_EQ(prediction.phases.size(), 3 * 5);
  // Tiles of 1024 keys have 16 counters each in the first pass, 128 in the others.
  EXPECT_DOUBLE_EQ(prediction.phases[0].work.at("bytes.written"), 4.0 * 16 * (1 << 16));
  EXPECT_DOUBLE_EQ(prediction.phases[3].work.at("bytes.written"), 4.0 * 128 * (1 << 16));
  EXPECT_DOUBLE_EQ(prediction.phases[5].work.at("bytes.read"), 4.0 * (1 << 26) + 8.0 * 128 * (1 << 16));
}
TEST(DeviceModels, MultisplitOverlapsAsManyBlocksAsAreResident) {
  MachineProfile profile = with_multisplit();
  const auto seconds = [&] {
    return predicted("multisplit_radix", 1 << 26, kReleasedMultisplit, KeyType::u32, "uniform", profile).seconds;
  };
  const double one = seconds();
  profile.tables["resident.multisplit_scatter"] = constant(std::vector<std::string>(7, "a"), 4);
  EXPECT_LT(seconds(), 0.8 * one);
}
TEST(DeviceModels, MultisplitDeclinesTilesThatWereNotCalibrated) {
  GivenParameters given = kReleasedMultisplit;
  given["digit_bits"] = "6";
  EXPECT_THROW(predicted("multisplit_radix", 1 << 20, given, KeyType::u32, "uniform", with_multisplit()), BadInput);
}

TEST(DeviceModels, NameWhatTheProfileLacks) {
  MachineProfile profile = device();
  profile.tables.erase("tile.split_fused");
  try {
    predicted("satish_split_radix", 1 << 20, kFused, KeyType::u32, "uniform", profile);
    FAIL();
  } catch (const MissingQuantity& error) {
    EXPECT_NE(std::string{error.what()}.find("tile.split_fused"), std::string::npos) << error.what();
  }
}

TEST(DeviceModels, EstimateWidthsThatNoKernelWasCountedWith) {
  const auto counted = [](double key, double value) {
    return operation_counts("cub_radix", "", "DeviceRadixSortOnesweepKernel", key, value).value().instructions;
  };
  EXPECT_DOUBLE_EQ(counted(4, 8), 2 * counted(4, 4) - counted(4, 0));
  EXPECT_DOUBLE_EQ(counted(8, 4), (counted(8, 0) + counted(8, 8)) / 2);
  EXPECT_DOUBLE_EQ(counted(16, 0), 3 * counted(8, 0) - 2 * counted(4, 0));
  EXPECT_DOUBLE_EQ(counted(16, 8), counted(8, 8) + 2 * (counted(8, 0) - counted(4, 0)));
  EXPECT_FALSE(operation_counts("cub_radix", "", "no such kernel", 4, 8).has_value());
  EXPECT_EQ(count(predicted("cub_radix", 1 << 20, {}, KeyType::u128), "DeviceRadixSortOnesweepKernel"), 16);
}

TEST(DeviceModels, DeclineSortsOfOneBlock) {
  EXPECT_THROW(predicted("cub_radix", 1000), BadInput);  // sorted in one block
}

TEST(DeviceModels, DeclineTilesThatWereNotCalibrated) {
  MachineProfile profile = device();
  profile.tables["tile.rank_match_tuned"] = constant({"threads", "items", "key", "value", "entropy"}, 1);
  profile.tables["alone.rank_match_tuned"] = {
      .unit = "s", .source = "this test", .arguments = {"a", "b", "c", "d"}, .points = {}};
  profile.tables["alone.rank_match_tuned"].points = {{.at = {512, 23, 4, 0}, .value = 1e-6, .ci95 = {}}};
  const auto of_threads = [&](const std::string& threads) {
    Workload workload{
        .algorithm = "cub_radix_tuned", .key = KeyType::u32, .value = ValueType::none, .n = 1 << 24, .parameters = {}};
    workload.parameters.set("threads", threads);
    workload.parameters.set("items", std::int64_t{23});
    workload.parameters.set("rank", std::string{"match_early_counts_any"});
    return predicted(workload, "uniform", profile);
  };
  EXPECT_EQ(count(of_threads("512"), "DeviceRadixSortOnesweepKernel"), 4);
  EXPECT_THROW(of_threads("384"), BadInput);
}

}  // namespace
}  // namespace sortlab
