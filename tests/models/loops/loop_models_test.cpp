// Models of kind hardware on an invented machine: the cost of the sort's pieces follows from cycles of compiled loops
// and rates of the machine, each of which is distinguishable.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/aa_sort/comb_passes.hpp"
#include "models/loops/pieces.hpp"
#include "tests/models/loops/cpu_models_test.hpp"

namespace sortlab {
namespace {

ProfileTable loop(double value, std::vector<double> at) {
  return {.unit = "cycles/element",
          .source = "llvm-mca",
          .arguments = {"first", "second", "third"},
          .points = {{std::move(at), value, {}}},
          .kind = "hardware"};
}

/// A core on which nothing but loops takes time.
MachineProfile core(std::map<std::string, ProfileTable, std::less<>> tables) {
  tables.insert({{"branch_miss", constant({}, 0)},
                 {"store_forward", constant({}, 0)},
                 {"store_commit", constant({}, 0)},
                 {"store_wide", constant({"register", "crossing"}, 0)},
                 {"line_out", constant({"threads", "nontemporal", "bytes"}, 0)},
                 {"touch", constant({"threads", "bytes"}, 0)},
                 {"part", constant({"lines", "bytes"}, 0)},
                 {"write", constant({"threads", "bytes"}, 1e18)},
                 {"read_ahead", constant({"threads", "bytes"}, 1e18)},
                 {"rewrite", constant({"threads", "bytes"}, 1e18)},
                 {"pace", constant({"threads", "by_pieces"}, 1)},
                 {"overlap.core", constant({"threads", "copies"}, 16)}});
  MachineProfile profile = machine(std::move(tables));
  profile.clock_hz = 2e9;
  profile.cache_bytes = {{"L1d", 32768}, {"L2", 1 << 20}};
  return profile;
}

const Model& find_model(const std::string& name) {
  for (const Model* model : all_models()) {
    if (model->info().name == name) return *model;
  }
  throw std::logic_error("no model " + name);
}

/// Nanoseconds an element of the phases of one name.
double nanos(const std::string& model, const Workload& workload, std::string_view phase, const MachineProfile& on) {
  const DistributionView view{parse_distribution("uniform"), workload.key, workload.n, 1};
  const Prediction prediction = find_model(model).predict(workload, view, on);
  return seconds(prediction, phase) / kNano / static_cast<double>(workload.n);
}

/// A stream's rate by the working set of one thread.
ProfileTable stream(std::vector<std::pair<double, double>> rates) {
  ProfileTable table{.unit = "B/s", .source = "", .arguments = {"threads", "bytes"}, .points = {}, .kind = "hardware"};
  for (const auto& [bytes, rate] : rates) table.points.push_back({{1, bytes}, rate, {}});
  return table;
}

TEST(Core, ReadsFromTheSecondLevelWhateverThatHolds) {
  MachineProfile profile = core({{"copy", stream({{1 << 14, 8e9}, {1 << 18, 4e9}, {1 << 22, 1e9}})}});
  const auto copied = [&](double bytes) { return Core{profile, {}}.moving("copy", 1, 1, bytes) / kNano; };
  EXPECT_DOUBLE_EQ(copied(1 << 18), 0.25);
  EXPECT_DOUBLE_EQ(copied(1 << 20), 0.25);
  EXPECT_DOUBLE_EQ(copied(1 << 22), 1);
  const double half = copied(1 << 21);  // between what it holds and what it does not
  profile.cache_bytes = {{"L1d", 32768}, {"L2", 1 << 18}};
  EXPECT_DOUBLE_EQ(copied(1 << 20), half);
  profile.cache_bytes = {{"L1d", 32768}, {"L2", 1 << 23}};
  EXPECT_DOUBLE_EQ(copied(1 << 20), half);  // the profile's points lie within
  EXPECT_DOUBLE_EQ(Core(profile, {}).beyond("copy", 1, 1, 1 << 22), (1 - 0.125) * kNano);
}

TEST(Core, OfManyThreadsTakesTurnsOnThePortThatBinds) {
  MachineProfile profile = core({{"loop.test.cycles", loop(8, {4, 0, 0})}, {"loop.test.bound", loop(6, {4, 0, 0})}});
  profile.tables["pace"] = {.unit = "1",
                            .source = "",
                            .arguments = {"threads", "by_pieces"},
                            .points = {{{1, 0}, 1, {}}, {{1, 1}, 1, {}}, {{2, 0}, 2, {}}, {{2, 1}, 1.5, {}}},
                            .kind = "hardware"};
  profile.tables["store_commit"] = constant({}, kNano);
  Workload workload;
  const Core machine{profile, workload};
  const auto nanos = [](const Core& of) { return of.loop("test", 4) / kNano; };
  EXPECT_DOUBLE_EQ(nanos(machine), 8 / 2.0);
  workload.threads = 2;
  EXPECT_DOUBLE_EQ(nanos(machine), 2 * 6 / 2.0);                // the slowest thread
  EXPECT_DOUBLE_EQ(nanos(machine.by_pieces()), 1.5 * 6 / 2.0);  // idle ones take over
  EXPECT_DOUBLE_EQ(machine.stores(1), 2 * kNano);
  profile.tables["loop.test.bound"] = loop(2, {4, 0, 0});
  EXPECT_DOUBLE_EQ(nanos(machine), 8 / 2.0);  // instructions that wait for each other leave the port to others
}

class RadixLoops : public testing::Test {
 protected:
  RadixLoops() {
    workload_.parameters.set("digit_bits", std::int64_t{8});
    workload_.parameters.set("buffer_lines_log2", std::int64_t{2});
    workload_.parameters.set("flush", "nontemporal");
    workload_.parameters.set("pages", "input");
    workload_.parameters.set("skip_constant_digits", "no");
  }
  double nanos(std::string_view phase) { return sortlab::nanos("satish_cpu_radix-loops", workload_, phase, profile_); }

  Workload workload_{.algorithm = "satish_cpu_radix", .n = 1 << 20, .threads = 1, .parameters = {}};
  MachineProfile profile_ =
      core({{"loop.satish.count.cycles", loop(8, {4, 4, 0})}, {"loop.satish.append.cycles", loop(3, {4, 0, 0})}});
};

TEST_F(RadixLoops, TakesCyclesOfItsLoopsAtTheClock) {
  EXPECT_EQ(find_model("satish_cpu_radix-loops").info().kind, ModelKind::hardware);
  EXPECT_NEAR(nanos("histogram"), 8 / 2.0, 1e-3);
  EXPECT_NEAR(nanos("scatter"), 4 * 3 / 2.0, 1e-3);
}

TEST_F(RadixLoops, StoresToDifferentLinesFollowEachOther) {
  profile_.tables["store_commit"] = constant({}, 2 * kNano);
  EXPECT_NEAR(nanos("histogram"), 4 * 2, 1e-3);    // a counter in each of four tables
  EXPECT_NEAR(nanos("scatter"), 4 * 2 * 2, 1e-3);  // the element and the cursor of its digit
}

TEST_F(RadixLoops, AFullBufferIsABranchThatNobodyForesees) {
  profile_.tables["branch_miss"] = constant({}, 64 * kNano);
  EXPECT_NEAR(nanos("scatter"), 4 * (1.5 + 1), 1e-3);  // once in 64 elements
  profile_.tables["branch_miss"] = constant({}, 0);
  profile_.tables["line_out"] = constant({"threads", "nontemporal", "bytes"}, 64 * kNano);
  const double full = nanos("scatter");  // but for the ends of digits, which are copied as parts
  EXPECT_LT(full, 4 * (1.5 + 1));
  EXPECT_GT(full, 4 * (1.5 + 0.97));
}

TEST_F(RadixLoops, CodeOfAnotherTypeIsAnotherLoop) {
  workload_.key = KeyType::u64;
  try {
    nanos("scatter");
    FAIL();
  } catch (const MissingQuantity& why) {
    EXPECT_NE(std::string{why.what()}.find("loop.satish.count.cycles' of (8, 4, 0)"), std::string::npos) << why.what();
  }
}

TEST(SplitLoops, WideStoresAcrossLinesBind) {
  Workload workload{.algorithm = "knf_split_radix", .n = 1 << 20, .threads = 1, .parameters = {}};
  workload.parameters.set("passes", "eights");
  workload.parameters.set("tile_kib", std::int64_t{64});
  workload.parameters.set("target", "AVX2");
  workload.parameters.set("compress", "register");
  workload.parameters.set("stores", "nontemporal");
  workload.parameters.set("skip_constant_digits", "no");
  MachineProfile profile =
      core({{"loop.knf.count.cycles", loop(2, {4, 0, 0})}, {"loop.knf.split.N_AVX2.cycles", loop(0.5, {4, 0, 0})}});
  EXPECT_NEAR(nanos("knf_split_radix-loops", workload, "histogram", profile), 4 * 2 / 2.0, 1e-3);
  EXPECT_NEAR(nanos("knf_split_radix-loops", workload, "scatter", profile), 32 * 0.5 / 2, 1e-3);
  profile.tables["store_wide"] = constant({"register", "crossing"}, 2 * kNano);  // two of 8 lanes each
  EXPECT_NEAR(nanos("knf_split_radix-loops", workload, "scatter", profile), 32 * 0.5, 1e-3);
}

TEST(AaLoops, ABranchThatTheCompilerMadeIsForeseenHalfTheTime) {
  Workload workload{.algorithm = "aa_sort", .n = 1 << 16, .threads = 1, .parameters = {}};
  workload.parameters.set("width", "sse4");
  workload.parameters.set("block_kib", std::int64_t{128});
  MachineProfile profile = core({{"loop.aa.merge.N_SSE4.branches", loop(4 / 8.0, {4, 0, 0})}});
  for (const char* name : {"enter", "comb", "skewed", "last", "transpose", "rest", "merge"}) {
    profile.tables["loop.aa." + std::string{name} + ".N_SSE4.cycles"] = loop(2, {4, 0, 0});
  }
  profile.tables["branch_miss"] = constant({}, 8 * kNano);
  EXPECT_NEAR(nanos("aa_sort-loops", workload, "merge", profile), 1, 0.02);  // two blocks: one level
  profile.tables["loop.aa.merge.N_SSE4.branches"] = loop(6 / 8.0, {4, 0, 0});
  EXPECT_NEAR(nanos("aa_sort-loops", workload, "merge", profile), 1 + 8 / 4.0 / 2, 0.03);
}

TEST(AaLoops, AVectorIsStillNearAfterAShortGap) {
  constexpr std::size_t kBlock = 1 << 16;  // keys of 4 bytes: 2^14 vectors, of which 2^11 fit the first level
  Workload workload{.algorithm = "aa_sort", .n = kBlock, .threads = 1, .parameters = {}};
  workload.parameters.set("width", "sse4");
  workload.parameters.set("block_kib", std::int64_t{256});
  MachineProfile profile = core({{"copy", stream({{1 << 14, 1e18}, {1 << 18, 1e9}})}});
  for (const char* name : {"enter", "comb", "skewed", "last", "transpose"}) {
    profile.tables["loop.aa." + std::string{name} + ".N_SSE4.cycles"] = loop(0, {4, 0, 0});
  }
  double vectors = 0;  // read from beyond the first level and written there, of each exchange
  aa::for_each_gap(kBlock / 4, 4, [&](std::size_t gap) {
    const std::size_t apart = gap % (kBlock / 4);
    vectors += std::min(apart, kBlock / 4 - apart) > 32768 / 16 / 2 ? 2 : 1;
  });
  const DistributionView view{parse_distribution("sorted"), workload.key, workload.n, 1};
  const Prediction prediction = find_model("aa_sort-loops").predict(workload, view, profile);
  const double last = prediction.phases.front().work.at("exchanges.last") * 4 / kBlock;
  // Into the block, its vectors sorted and put in order, and out.
  EXPECT_NEAR(seconds(prediction, "blocks") / kNano / kBlock, 8 * (1 + 2 + last + vectors), 1e-3);
  workload.parameters.set("width", "portable");
  EXPECT_THROW(find_model("aa_sort-loops").predict(workload, view, profile), MissingQuantity);
}

TEST(MergeLoops, RunsAndNetworksAreCyclesOfLoops) {
  Workload workload{.algorithm = "satish_cpu_merge", .n = 1 << 14, .threads = 1, .parameters = {}};
  workload.parameters.set("width", "sse4");
  workload.parameters.set("block_kib", std::int64_t{64});
  workload.parameters.set("fifo_kib", std::int64_t{64});
  MachineProfile profile = core({{"loop.merge.tile.N_SSE4.cycles", loop(6, {4, 0, 0})},
                                 {"loop.merge.runs.N_SSE4.cycles", loop(2, {4, 0, 2})},
                                 {"loop.merge.merge.N_SSE4.cycles", loop(0, {4, 0, 0})}});
  profile.tables["loop.merge.runs.N_SSE4.cycles"].points.push_back({{4, 0, 1}, 4, {}});
  // Runs of 16 keys in a block of 2^14: nine passes two pairs at a time, and the last.
  EXPECT_NEAR(nanos("satish_cpu_merge-loops", workload, "blocks", profile), 3 + 9 + 2, 1e-2);
}

class ParadisLoops : public testing::Test {
 protected:
  ParadisLoops() {
    workload_.parameters.set("digit_bits", std::int64_t{8});
    workload_.parameters.set("small_sort", std::int64_t{2048});
    workload_.parameters.set("equal_digits", "skip");
    workload_.parameters.set("insertion", std::int64_t{16});
    for (const char* name : {"count", "permute", "small_count", "small_scatter", "in_place", "shift"}) {
      set(name, {4, 0, 0}, 0);
    }
    set("small_prefix", {0, 0, 0}, 0);
  }
  void set(const std::string& name, std::vector<double> at, double cycles) {
    profile_.tables["loop.paradis." + name + ".cycles"] = loop(cycles, std::move(at));
  }
  double nanos(std::string_view phase, std::uint64_t n) {
    workload_.n = n;
    return sortlab::nanos("paradis-loops", workload_, phase, profile_);
  }

  Workload workload_{.algorithm = "paradis", .n = 0, .threads = 1, .parameters = {}};
  MachineProfile profile_ = core({});
};

TEST_F(ParadisLoops, HandsOverlapTheLoadsOfAMove) {
  set("count", {4, 0, 0}, 2);
  set("permute", {4, 0, 0}, 4);
  EXPECT_NEAR(nanos("histogram", 1 << 16), 2 / 2.0, 1e-3);
  EXPECT_NEAR(nanos("permute", 1 << 16), 4 / 2.0, 1e-3);
  profile_.tables["latency"] = constant({"bytes"}, 12 * kNano);
  EXPECT_NEAR(nanos("permute", 1 << 16), 2 * 12 / 6.0, 1e-3);  // two loads per move, of six cycles in turn
}

TEST_F(ParadisLoops, AHandMeetsAFullStripeAtTheEndOfACycle) {
  profile_.tables["branch_miss"] = constant({}, 1024 * kNano);
  double cycles = 0;  // cycles of a random permutation among as many stripes
  for (int d = 1; d <= 256; ++d) cycles += 1.0 / d;
  EXPECT_NEAR(nanos("permute", 1 << 16), 6 * cycles / 64, 0.01);
}

TEST_F(ParadisLoops, InsertionForeseesFewPlaces) {
  set("in_place", {4, 0, 0}, 2);
  set("shift", {4, 0, 0}, 4);
  EXPECT_NEAR(nanos("recurse", 16), 2 / 2.0 + 15 / 4.0 * 4 / 2, 1e-3);
  profile_.tables["branch_miss"] = constant({}, 16 * kNano);
  double missed = 1;  // the bucket's end
  for (int before = 1; before < 16; ++before) missed += before / (before + 1.0);
  EXPECT_NEAR(nanos("recurse", 16), 2 / 2.0 + 15 / 4.0 * 4 / 2 + missed, 1e-3);
}

TEST_F(ParadisLoops, ASmallBucketTakesTwoPasses) {
  set("small_count", {4, 0, 0}, 2);
  set("small_scatter", {4, 0, 0}, 3);
  set("small_prefix", {0, 0, 0}, 4);
  EXPECT_NEAR(nanos("recurse", 1024), 2 / 2.0 + 2 * 3 / 2.0 + 2 * 256 * 4 / 2.0 / 1024, 0.02);
}

TEST_F(ParadisLoops, CodeForFloatsIsAnotherLoop) {
  workload_.key = KeyType::f32;
  EXPECT_THROW(nanos("histogram", 1 << 16), MissingQuantity);
  for (const char* name : {"permute", "small_scatter", "in_place", "shift"}) set(name, {4, 0, 2}, 0);
  for (const char* name : {"count", "small_count"}) set(name, {4, 2, 0}, 6);
  EXPECT_NEAR(nanos("histogram", 1 << 16), 6 / 2.0, 1e-3);
}

class MsdLoops : public testing::Test {
 protected:
  MsdLoops() {
    workload_.parameters.set("target", "avx2");
    workload_.parameters.set("bucket_kib", std::int64_t{256});
    workload_.parameters.set("buffer_lines_log2", std::int64_t{2});
    workload_.parameters.set("in_place", "no");
    workload_.parameters.set("pivots_below", std::int64_t{40});
    profile_.tables["loop.msd.lengthen.cycles"] = loop(0, {4, 0, 0});
    profile_.tables["loop.msd.lengthen.cycles"].points.push_back({{8, 0, 0}, 0, {}});
    for (const std::string set : {"AVX2", "AVX3"}) {
      for (const char* name : {"in_order", "sort_two", "digits", "range", "range_end", "append", "scatter", "pivot"}) {
        of(set, name) = loop(0, {4, 0, 0});
        of(set, name).points.push_back({{8, 0, 0}, 0, {}});
      }
      of(set, "count") = loop(0, {0, 0, 0});
      for (const char* name : {"part", "ends"}) {
        of(set, name) = loop(0, {4, 0, 2});
        of(set, name).points.push_back({{8, 0, 2}, 0, {}});
      }
      for (double rows = 1; rows <= 16; rows *= 2) {
        for (const double word : {4.0, 8.0}) of(set, "network").points.push_back({{word, 0, rows}, 0, {}});
      }
      of(set, "network").arguments = {"first", "second", "third"};
    }
    profile_.tables["issue.compress"] = constant({"lane"}, 0);
  }
  ProfileTable& of(const std::string& set, const std::string& name) {
    return profile_.tables["loop.msd." + name + ".N_" + set + ".cycles"];
  }
  Prediction predict() {
    const DistributionView view{parse_distribution(distribution_), workload_.key, workload_.n, 1};
    return find_model("msd_radix_cpu-loops").predict(workload_, view, profile_);
  }
  double nanos() { return predict().seconds / kNano; }
  double work(const std::string& kind) { return predict().phases.back().work[kind]; }

  std::string distribution_ = "uniform";
  Workload workload_{.algorithm = "msd_radix_cpu", .n = 1 << 16, .threads = 1, .parameters = {}};
  MachineProfile profile_ = core({});
};

TEST_F(MsdLoops, TheLoopPartsAllButTheRegistersHeldBack) {
  EXPECT_EQ(nanos(), 0);
  of("AVX2", "part") = loop(2, {4, 0, 2});
  EXPECT_NEAR(nanos(), (work("parted") - 2 * 64 * work("pivots")) * 2 / 2.0, 1);  // steps of eight registers of 8
  of("AVX2", "part") = loop(0, {4, 0, 2});
  of("AVX2", "pivot") = loop(60, {4, 0, 0});
  of("AVX2", "ends") = loop(100, {4, 0, 2});
  EXPECT_NEAR(nanos(), work("pivots") * (60 + 100) / 2, 1);
}

TEST_F(MsdLoops, RegistersGoToBothSidesAcrossLines) {
  profile_.tables["store_wide"] = constant({"register", "crossing"}, 4 * kNano);
  EXPECT_NEAR(nanos(), (work("parted") - 2 * 64 * work("pivots")) * 2 * 4 / 8, 1);
}

TEST_F(MsdLoops, WithoutMasksPartsOfRegistersAreBranchesAndNarrowStores) {
  profile_.tables["branch_miss"] = constant({}, 10 * kNano);
  const double parts = work("pivots");
  const double narrow = nanos();
  // A partition: two loops, the smaller side, the first end read, four sides left ragged; and a matrix, of which
  // there is one more than partitions, itself, its rows and their rest. Ends change sides now and then.
  const double known = 10 * (parts * (2 + 0.5 + 0.5 + 4) + (parts + 1) * 3);
  EXPECT_GT(narrow, known);
  EXPECT_LT(narrow, 1.1 * known);
  profile_.tables["store_commit"] = constant({}, kNano);
  // Two of four ragged sides in words of 8 bytes, after one to the stack; and four of eight upper rows.
  const double stores = parts * 4 * (1 + 2) + (parts + 1) * 4 * (1 + 4);
  EXPECT_NEAR(nanos() - narrow, stores, 0.1 * stores);  // some matrices have fewer rows
  profile_.tables["store_commit"] = constant({}, 0);
  workload_.parameters.set("target", "avx512");
  const double masked = 10 * (work("pivots") * (2 + 0.5 + 0.5) + (work("pivots") + 1));
  EXPECT_GT(nanos(), masked);
  EXPECT_LT(nanos(), 1.2 * masked);
}

TEST_F(MsdLoops, WordsOf32BitsAreCompressedTwiceOnAvx512) {
  workload_.parameters.set("target", "avx512");
  profile_.tables["issue.compress"] = constant({"lane"}, 8 * kNano);
  EXPECT_NEAR(nanos(), (work("parted") - 2 * 128 * work("pivots")) * 2 * 8 / 16, 1);
}

TEST_F(MsdLoops, ABucketIsCountedScatteredAndSortedInRuns) {
  workload_.key = KeyType::u64;
  workload_.n = 1 << 15;
  const auto set = [&](const char* name, std::vector<double> at, double cycles) {
    of("AVX2", name).points = {{std::move(at), cycles, {}}};
  };
  set("range", {8, 0, 0}, 1);
  set("digits", {8, 0, 0}, 2);
  set("count", {0, 0, 0}, 4);
  set("scatter", {8, 0, 0}, 8);
  EXPECT_NEAR(nanos(), (1 << 15) * (1 + 2 + 4 + 8) / 2.0, 1);
  for (auto& point : of("AVX2", "network").points) {
    if (point.at == std::vector<double>{8, 0, 16}) point.value = 530;
  }
  // Runs of five sixths of what 16 rows of 4 words hold, and one in sixteen of them in two matrices.
  const double runs = 614;
  EXPECT_NEAR(nanos() - (1 << 15) * 15 / 2.0, runs * 530 / 2 * 1.065, 0.02 * runs * 530 / 2);
}

TEST_F(MsdLoops, AFullBufferIsUnforeseenAndLeavesPastTheCaches) {
  workload_.key = KeyType::u64;
  workload_.n = 1 << 18;
  workload_.parameters.set("pivots_below", std::int64_t{0});
  const auto partition = [&] { return seconds(predict(), "partition") / kNano / static_cast<double>(workload_.n); };
  of("AVX2", "append") = loop(6, {8, 0, 0});
  EXPECT_NEAR(partition(), 6 / 2.0, 1e-3);
  profile_.tables["branch_miss"] = constant({}, 32 * kNano);
  EXPECT_NEAR(partition(), 3 + 1, 1e-3);  // four lines hold 32 words
  profile_.tables["line_out"] = constant({"threads", "nontemporal", "bytes"}, 64 * kNano);
  EXPECT_NEAR(partition(), 3 + 1 + 2, 1e-3);
  const double before = seconds(predict(), "sample");
  EXPECT_NEAR(before / kNano, 1024 * std::log2(16) / 2 * 32, 1);  // 16 digits
}

TEST_F(MsdLoops, APartitionRewritesItsRange) {
  EXPECT_EQ(nanos(), 0);
  profile_.tables["rewrite"] = stream({{1 << 14, 1e18}, {1 << 18, 1e9}});
  EXPECT_GT(nanos(), 4 * (1 << 16));  // once as a whole, in parts until they fit the first level
  EXPECT_LT(nanos(), 4 * 4 * (1 << 16));
}

TEST_F(MsdLoops, ReadingAStreamIsAllThatACheckDoes) {
  distribution_ = "sorted";
  of("AVX2", "in_order") = loop(1, {4, 0, 0});
  EXPECT_NEAR(nanos(), (1 << 16) / 2.0, 1);
  profile_.tables["read_ahead"] = constant({"threads", "bytes"}, 1e9);
  EXPECT_NEAR(nanos(), (1 << 16) * 4.0, 1e3);  // 4 ns a key, in the time of which the loop vanishes
  workload_.key = KeyType::f32;                // floats become words first
  profile_.tables["read_ahead"] = constant({"threads", "bytes"}, 1e18);
  of("AVX2", "in_order") = loop(3, {4, 2, 0});
  EXPECT_NEAR(nanos(), (1 << 16) * 3 / 2.0, 1);
}

TEST_F(MsdLoops, WithoutVectorsItIsTheLibrarys) {
  workload_.parameters.set("target", "portable");
  EXPECT_THROW(predict(), MissingQuantity);
}

}  // namespace
}  // namespace sortlab
