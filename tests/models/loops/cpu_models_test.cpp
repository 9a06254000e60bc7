// The models of satish_cpu_merge, knf_split_radix and paradis on an invented machine, whose quantities are chosen so
// that each term is distinguishable.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/satish_cpu_merge/kernels.hpp"
#include "tests/models/loops/cpu_models_test.hpp"

namespace sortlab {
namespace {

class FamilyG : public testing::Test {
 protected:
  FamilyG() {
    workload_.parameters.set("width", "sse4");
    workload_.parameters.set("block_kib", std::int64_t{64});
    workload_.parameters.set("fifo_kib", std::int64_t{64});
  }
  Prediction predict() { return predicted(workload_, "uniform", profile_); }
  double nanos(std::string_view phase) { return seconds(predict(), phase) / kNano / static_cast<double>(workload_.n); }

  static constexpr std::uint64_t kBlock = 64 * 1024 / 4;
  Workload workload_{.algorithm = "satish_cpu_merge", .n = 16 * kBlock, .threads = 1, .parameters = {}};
  MachineProfile profile_ =
      machine({{"merge.sse4.tiles", constant({"threads", "key", "value"}, 3 * kNano)},
               {"merge.sse4.runs", constant({"threads", "key", "value", "block_bytes", "run_bytes"}, 1 * kNano)},
               {"merge.sse4.last", constant({"threads", "key", "value", "block_bytes"}, 2 * kNano)},
               {"merge.sse4.tree",
                {.unit = "s/element",
                 .source = "",
                 .arguments = {"threads", "key", "value", "levels", "bytes"},
                 .points = {{{1, 4, 0, 1, 1}, 2 * kNano, {}},
                            {{1, 4, 0, 9, 1}, 10 * kNano, {}},
                            {{1, 8, 0, 1, 1}, 2 * kNano, {}},
                            {{1, 8, 0, 9, 1}, 10 * kNano, {}}}}}});
};

TEST_F(FamilyG, MergesInCacheUntilABlockIsOneRunAndThenAllAtOnce) {
  // SSE makes runs of 16 32-bit keys; the last pass, of one pair, takes twice as long.
  EXPECT_NEAR(nanos("blocks"), 3 + std::log2(kBlock / 16) + 1, 1e-6);
  EXPECT_NEAR(nanos("merge"), 1 + 4, 1e-6);  // 16 blocks are 4 levels
  workload_.n = kBlock;
  EXPECT_NEAR(nanos("merge"), 0, 1e-3);  // one block is only copied
}

TEST_F(FamilyG, ThreadsHaveBlocksOfOneSize) {
  workload_.threads = 2;
  workload_.n = 3 * kBlock;  // two rounds of two blocks, three quarters as long
  const Prediction prediction = predict();
  EXPECT_NEAR(prediction.phases.front().work.at("merges"), 3.0 * kBlock * 10, 1);
  EXPECT_NEAR(seconds(prediction, "merge"), 1.5 * kBlock * 3 * kNano, 1e-9);  // four blocks, two levels
}

TEST_F(FamilyG, WiderElementsHaveFewerInABlock) {
  workload_.value = ValueType::u32;  // one lane of 64 bits: runs of 16, blocks of half as many
  EXPECT_NEAR(nanos("blocks"), 3 + std::log2(kBlock / 2 / 16) + 1, 1e-6);
  workload_.value = ValueType::u64;  // two lanes
  EXPECT_NEAR(nanos("blocks"), 3 + std::log2(kBlock / 4 / 16) + 1, 1e-6);
}

TEST_F(FamilyG, EstimatesKeysOf128BitsByTheirCompiledLoops) {
  workload_.key = KeyType::u128;
  EXPECT_THROW(predict(), MissingQuantity);  // the profile has no loops
  for (const char* loop : {"tile", "runs", "merge"}) {
    ProfileTable& cycles = profile_.tables[std::string{"loop.merge."} + loop + ".N_SSE4.cycles"];
    cycles = {.unit = "cycles", .source = "", .arguments = {"first", "second", "third"}, .points = {}};
    for (const double ways : {0.0, 1.0, 2.0}) {
      cycles.points.push_back({{8, 0, ways}, 1, {}});
      cycles.points.push_back({{16, 0, ways}, 3, {}});
    }
  }
  profile_.tables["store_wide"] = constant({"register", "crossing"}, 0);
  profile_.tables["branch_miss"] = constant({}, 0);
  profile_.tables["overlap.core"] = constant({"threads", "copies"}, 1);
  profile_.cache_bytes = {{"L1d", 32 << 10}, {"L2", 1 << 20}};
  // Loops of keys twice as wide take three times as long: so does the measured piece. 64 blocks are 6 levels.
  EXPECT_NEAR(nanos("merge"), 3 * (1 + 6), 0.2);
}

TEST_F(FamilyG, KnowsTheRunsOfEachWidth) {
  using namespace satish_merge;
  const auto check = [&](const auto* kernels, const std::string& name, double element) {
    if (kernels == nullptr) return;  // this build has no such width
    for (const char* table : {"tiles", "runs", "last", "tree"}) {
      profile_.tables["merge." + name + "." + table] = profile_.tables[std::string{"merge.sse4."} + table];
    }
    workload_.parameters.set("width", name);
    const double merges = predict().phases.front().work.at("merges") / static_cast<double>(workload_.n);
    EXPECT_NEAR(merges, std::log2(65536 / element / static_cast<double>(kernels->run)), 1e-9) << name << element;
  };
  for (const std::string name : {"sse4", "avx2", "avx512"}) {
    const std::int64_t width = widths().target_bit(name);
    workload_.value = ValueType::none;
    check(simd_kernels<std::int32_t>(width, false), name, 4);
    workload_.value = ValueType::u32;
    check(simd_kernels<std::int64_t>(width, false), name, 8);
    workload_.value = ValueType::u64;
    check(simd_kernels<std::int64_t>(width, true), name, 16);
  }
}

TEST_F(FamilyG, NamesTheWidthThatTheProfileLacks) {
  workload_.parameters.set("width", "avx2");
  EXPECT_THROW(predict(), MissingQuantity);
}

class FamilyI : public testing::Test {
 protected:
  FamilyI() {
    workload_.parameters.set("passes", "eights");
    workload_.parameters.set("tile_kib", std::int64_t{64});
    workload_.parameters.set("compress", "register");
    workload_.parameters.set("target", "AVX3");
    workload_.parameters.set("stores", "nontemporal");
    workload_.parameters.set("skip_constant_digits", "yes");
  }
  double nanos(std::string_view phase, const std::string& distribution = "uniform") {
    return seconds(predicted(workload_, distribution, profile_), phase) / kNano / static_cast<double>(workload_.n);
  }

  Workload workload_{.algorithm = "knf_split_radix", .n = 1 << 18, .threads = 1, .parameters = {}};
  MachineProfile profile_ =
      machine({{"split.count", constant({"threads", "key", "collision_bits", "bytes"}, 1 * kNano)},
               {"split.AVX3.register", constant({"threads", "key", "value", "bytes"}, 2 * kNano)},
               {"split.copy", constant({"threads", "nontemporal", "element", "run_bytes"}, 1e9)}});
};

TEST_F(FamilyI, CountsSplitsOnceABitAndWritesOutInEachPass) {
  EXPECT_NEAR(nanos("histogram"), 4, 1e-3);
  EXPECT_NEAR(nanos("scatter"), 32 * 2 + 4 * 4, 1e-6);
  workload_.parameters.set("passes", "paper");
  EXPECT_NEAR(nanos("scatter"), 32 * 2 + 5 * 4, 1e-6);
  workload_.value = ValueType::u64;
  EXPECT_NEAR(nanos("scatter"), 32 * 2 + 5 * 12, 1e-6);
}

TEST_F(FamilyI, ReadsWhatWasStreamedFromMemory) {
  const auto from = [](std::vector<std::string> arguments, double near, double far) {
    ProfileTable table{.unit = "s/element", .source = "", .arguments = std::move(arguments), .points = {}};
    std::vector<double> at(table.arguments.size() - 1, 1.0);
    for (const auto& [bytes, value] : {std::pair{4096.0 * 1024, near}, {1e12, far}}) {
      at.push_back(bytes);
      table.points.push_back({at, value * kNano, {}});
      at.pop_back();
    }
    return table;
  };
  profile_.tables["split.count"] = from({"threads", "key", "collision_bits", "bytes"}, 1, 3);
  profile_.tables["split.AVX3.register"] = from({"threads", "key", "value", "bytes"}, 2, 7);
  EXPECT_NEAR(nanos("histogram"), 1 + 3 * 3, 1e-3);     // the input is in cache, what is streamed never
  EXPECT_NEAR(nanos("scatter"), 32 * 2 + 4 * 4, 1e-6);  // keys that the histogram has read are
  workload_.value = ValueType::u32;                     // values were not
  EXPECT_NEAR(nanos("scatter"), 32 * 2 + 3 * (7 - 2) / 2.0 + 4 * 8, 1e-6);
}

TEST_F(FamilyI, SkipsConstantDigits) {
  EXPECT_EQ(nanos("scatter", "constant"), 0);
  workload_.parameters.set("skip_constant_digits", "no");
  EXPECT_NEAR(nanos("scatter", "constant"), 32 * 2 + 4 * 4, 1e-6);
}

TEST_F(FamilyI, FloatsAreMappedOnTheWayInAndOut) {
  const double words = nanos("scatter");
  workload_.key = KeyType::f32;
  EXPECT_NEAR(nanos("scatter") - words, 2, 1e-6);
}

TEST_F(FamilyI, IsBoundByMemoryWhereThatTakesLonger) {
  profile_.tables["copy_nt"] = constant({"threads", "bytes"}, 0.1e9);  // 8 bytes a pass: 80 ns
  const Prediction prediction = predicted(workload_, "uniform", profile_);
  EXPECT_EQ(prediction.phases[1].binding, "memory");
  EXPECT_NEAR(nanos("scatter"), 4 * 80, 1e-6);
}

class InPlace : public testing::Test {
 protected:
  InPlace() {
    workload_.parameters.set("digit_bits", std::int64_t{8});
    workload_.parameters.set("small_sort", std::int64_t{2048});
    workload_.parameters.set("equal_digits", "skip");
    workload_.parameters.set("insertion", std::int64_t{16});
  }
  Prediction predict(const std::string& distribution = "uniform") {
    return predicted(workload_, distribution, profile_);
  }
  double nanos(std::string_view phase) { return seconds(predict(), phase) / kNano / static_cast<double>(workload_.n); }

  Workload workload_{.algorithm = "paradis", .n = 1 << 18, .threads = 1, .parameters = {}};
  MachineProfile profile_ =
      machine({{"paradis.count", constant({"threads", "key", "collision_bits", "bytes"}, 1 * kNano)},
               {"paradis.permute", constant({"threads", "key", "value", "bytes", "collision_bits"}, 2 * kNano)},
               {"paradis.together", constant({"threads", "key", "value", "bytes"}, 2 * kNano)},
               {"transfer", constant({}, 0)},
               {"paradis.small", constant({"threads", "key", "value", "rest", "elements"}, 5 * kNano)},
               {"paradis.insertion", constant({"threads", "key", "value", "elements"}, 11 * kNano)}});
};

TEST_F(InPlace, FollowsBucketsUntilTheyAreSmall) {
  EXPECT_NEAR(nanos("histogram"), 1, 1e-6);
  EXPECT_NEAR(nanos("permute"), 2, 1e-6);
  EXPECT_NEAR(nanos("recurse"), 5, 0.1);  // 256 buckets of 1024, in which hardly two keys are alike in 16 bits
  workload_.n = 1 << 20;                  // buckets of 4096, which the trace tells, and of 16, which it does not
  const double recurse = nanos("recurse");
  EXPECT_GT(recurse, 1 + 2 + 5);
  EXPECT_LT(recurse, 1 + 2 + 11);
  workload_.n = 1 << 24;  // buckets of 65536, and of 256
  EXPECT_NEAR(nanos("recurse"), 1 + 2 + 5, 0.1);
}

TEST_F(InPlace, InsertsWhatIsAlikeInTheBitsThatWerePassedOver) {
  workload_.key = KeyType::u64;
  const double random = seconds(predict(), "recurse");
  const double alike = seconds(predict("thearling:ands=2"), "recurse");
  EXPECT_GT(alike, random);
  profile_.tables["paradis.insertion"] = constant({"threads", "key", "value", "elements"}, 0);
  EXPECT_LT(seconds(predict("thearling:ands=2"), "recurse"), 0.8 * alike);
}

TEST_F(InPlace, StopsWhereAllKeysAreEqual) {
  const Prediction prediction = predict("constant");
  EXPECT_NEAR(prediction.seconds, (1 << 18) * 1 * kNano, 1e-8);
  EXPECT_EQ(prediction.phases.size(), 2U);  // nothing is permuted
}

TEST_F(InPlace, SkipsDigitsThatAllKeysShare) {
  // Keys below 2^18: the two highest digits are looked at in one count, and the next begins at bit 18.
  const Prediction prediction = predict("zipf:theta=0");
  EXPECT_NEAR(seconds(prediction, "histogram"), (1 << 18) * 2 * kNano, 1e-8);
  EXPECT_NEAR(seconds(prediction, "permute"), (1 << 18) * 2 * kNano, 1e-8);
}

TEST_F(InPlace, ThreadsShareWorkAndRepairWhatTheyMisplace) {
  const double one = predict().seconds;
  workload_.threads = 2;
  profile_.cache_bytes = {{"L2", 1 << 20}};
  const Prediction two = predict();
  EXPECT_NEAR(two.seconds - seconds(two, "repair"), one / 2, 1e-9);
  const double misplaced = 0.4 * std::sqrt((1 << 18) * 512.0);  // more than are left to one thread
  ASSERT_EQ(two.phases[2].name, "repair");
  EXPECT_NEAR(two.phases[2].work.at("misplaced"), misplaced + 0.4 * std::sqrt(misplaced * 512), 1);
  workload_.n = 1 << 12;  // one thread sorts so few
  EXPECT_NEAR(predict().seconds, (1 << 12) * 8 * kNano, (1 << 12) * 3 * kNano);
  EXPECT_EQ(seconds(predict(), "repair"), 0);
}

/// As long as one digit has more than half of the keys.
TEST_F(InPlace, AllThreadsSplitABucketOfMoreThanAThreadsShare) {
  workload_.threads = 2;
  profile_.cache_bytes = {{"L2", 1 << 20}};
  const auto levels = [&](const char* distribution) {
    return std::ranges::count(predict(distribution).phases, "histogram", &PhasePrediction::name);
  };
  EXPECT_EQ(levels("uniform"), 1);
  EXPECT_EQ(levels("thearling:ands=5"), 4);  // seven of eight keys have a digit of 0 on each level
  workload_.threads = 1;
  EXPECT_EQ(levels("thearling:ands=5"), 1);
}

TEST_F(InPlace, ThreadsFetchWhatOthersHaveCounted) {
  workload_.threads = 2;
  profile_.cache_bytes = {{"L2", 1 << 20}};
  const Prediction near = predict();
  profile_.tables["paradis.together"] = constant({"threads", "key", "value", "bytes"}, 5 * kNano);
  const double fetched = (1 << 18) * 1.5 * kNano;  // digits of random keys are only nearly equally frequent
  EXPECT_NEAR(seconds(predict(), "permute") - seconds(near, "permute"), fetched, 0.01 * fetched);
  profile_.tables["transfer"] = constant({}, 50 * kNano);
  // In two rounds each of 256 digits has two lines swapped, by either thread.
  EXPECT_GT(seconds(predict(), "repair") - seconds(near, "repair"), 2 * 256 * 50 * kNano);
  profile_.cache_bytes = {{"L2", 1 << 18}};  // both hold half of the array
  EXPECT_NEAR(seconds(predict(), "permute") - seconds(near, "permute"), fetched / 2, 0.01 * fetched);
  workload_.threads = 1;
  EXPECT_NEAR(nanos("permute"), 2, 1e-6);
}

TEST_F(InPlace, ThreadsPermuteWhatTheyHaveCountedWhereOneDigitDominates) {
  workload_.threads = 2;
  profile_.cache_bytes = {{"L2", 1 << 20}};
  const auto first = [&](const char* distribution, const char* phase) {
    const std::vector<PhasePrediction> phases = predict(distribution).phases;
    return std::ranges::find(phases, phase, &PhasePrediction::name)->seconds;
  };
  const auto fetched = [&](const char* distribution) {
    profile_.tables["paradis.together"] = constant({"threads", "key", "value", "bytes"}, 2 * kNano);
    const double alone = first(distribution, "permute");
    profile_.tables["paradis.together"] = constant({"threads", "key", "value", "bytes"}, 5 * kNano);
    return first(distribution, "permute") - alone;
  };
  // A thread's stripe of the digit 0, which seven of eight keys have, begins 1/16 of the input before its part.
  EXPECT_NEAR(fetched("thearling:ands=5"), fetched("uniform") / 4, 0.05 * fetched("uniform"));
  profile_.tables["transfer"] = constant({}, 50 * kNano);
  EXPECT_LT(first("thearling:ands=5", "repair"), first("uniform", "repair"));
}

TEST_F(InPlace, SmallBucketsOfFewBitsAreLookedUp) {
  // Keys below 2^18: buckets of 1024 differ in 10 bits, halfway between.
  profile_.tables["paradis.small"] = {.unit = "s/element",
                                      .source = "",
                                      .arguments = {"threads", "key", "value", "rest", "elements"},
                                      .points = {{{1, 4, 0, 4, 1}, 4 * kNano, {}}, {{1, 4, 0, 16, 1}, 8 * kNano, {}}}};
  EXPECT_NEAR(seconds(predict("zipf:theta=0"), "recurse"), (1 << 18) * 6 * kNano, (1 << 18) * 0.1 * kNano);
}

}  // namespace
}  // namespace sortlab
