// The model of msd_radix_cpu on an invented machine.
#include <gtest/gtest.h>

#include "tests/models/loops/cpu_models_test.hpp"

namespace sortlab {
namespace {

class DigitsOrPivots : public testing::Test {
 protected:
  DigitsOrPivots() {
    workload_.parameters.set("target", "avx2");
    workload_.parameters.set("bucket_kib", std::int64_t{512});
    workload_.parameters.set("buffer_lines_log2", std::int64_t{2});
    workload_.parameters.set("in_place", "no");
    workload_.parameters.set("pivots_below", std::int64_t{40});
  }
  Prediction predict(const std::string& distribution = "uniform") {
    return predicted(workload_, distribution, profile_);
  }
  double nanos(std::string_view phase, const std::string& distribution = "uniform") {
    return seconds(predict(distribution), phase) / kNano / static_cast<double>(workload_.n);
  }
  /// An element's, of the last phase.
  double work(const std::string& kind, const std::string& distribution = "uniform") {
    const auto counted = predict(distribution).phases.back().work;
    const auto found = counted.find(kind);
    return found == counted.end() ? 0 : found->second / static_cast<double>(workload_.n);
  }

  Workload workload_{.algorithm = "msd_radix_cpu", .n = 1 << 16, .threads = 1, .parameters = {}};
  MachineProfile profile_ =
      machine({{"msd.avx2.part", constant({"threads", "key", "value", "repeats", "bytes"}, 1 * kNano)},
               {"msd.avx2.network", constant({"threads", "key", "value", "elements"}, 2 * kNano)},
               {"msd.avx2.bucket", constant({"threads", "key", "value", "elements"}, 5 * kNano)},
               {"msd.avx2.append", constant({"threads", "key", "value", "digits", "lines"}, 3 * kNano)},
               {"msd.avx2.guard", constant({"threads", "key", "value", "bytes"}, 0.5 * kNano)},
               {"msd.avx2.check", constant({"kind", "key", "bytes"}, 0.75 * kNano)},
               {"touch", constant({"threads", "bytes"}, 0)},
               {"handover", constant({"bytes"}, 0)}});
};

TEST_F(DigitsOrPivots, PivotsPartWordsDownToMatrices) {
  const double levels = work("parted");  // 2^16 words to 128, which 16 rows of 8 lanes hold; most are parted once more
  EXPECT_GT(levels, 9);
  EXPECT_LT(levels, 10.5);
  EXPECT_GT(nanos("sort"), levels + 2);  // networks sort what does not fill their registers, too
  EXPECT_LT(nanos("sort"), levels + 4);
  workload_.n = 1 << 22;  // more than are traced
  EXPECT_NEAR(work("parted"), levels + 6, 0.3);
}

TEST_F(DigitsOrPivots, WordsOf64BitsGoOnByDigitsInTheCache) {
  workload_.key = KeyType::u64;
  workload_.n = 1 << 18;
  EXPECT_NEAR(work("digits"), 1, 1e-9);
  const double levels = work("parted");  // 2^18 to 2^16, or somewhat less
  EXPECT_GE(levels, 2);
  EXPECT_LT(levels, 3.5);
  EXPECT_NEAR(nanos("sort"), levels + 5, 1e-6);
  EXPECT_EQ(work("digits", "thearling:ands=3"), 0);  // uneven
  profile_.tables["copy"] = constant({"threads", "bytes"}, 16e9);
  EXPECT_NEAR(nanos("sort"), levels + 5 + 1, 1e-6);  // 16 bytes an element, back to the range
  profile_.tables["touch"] = constant({"threads", "bytes"}, 10 * kNano);
  const double lines = 65536 * (8 + 2) / 64.0;  // cache lines of words and digits, touched once
  EXPECT_NEAR(nanos("sort"), levels + 5 + 1 + 10 * lines / (1 << 18), 1e-6);
}

TEST_F(DigitsOrPivots, DigitsPartManyThroughMemory) {
  workload_.parameters.set("pivots_below", std::int64_t{0});
  workload_.key = KeyType::u64;
  workload_.n = 1 << 18;
  EXPECT_NEAR(nanos("partition"), 3, 1e-6);
  EXPECT_NEAR(nanos("sort"), 5, 1e-3);
  EXPECT_NEAR(work("moved"), 1, 1e-9);
  profile_.tables["read"] = constant({"threads", "bytes"}, 8e9);
  profile_.tables["write_nt"] = constant({"threads", "bytes"}, 4e9);
  EXPECT_NEAR(nanos("sort"), 5 + 1 + 2, 1e-3);
  workload_.parameters.set("bucket_kib", std::int64_t{64});
  EXPECT_EQ(nanos("partition", "thearling:ands=5"), 0);  // too much would share few digits
  workload_.key = KeyType::u32;
  EXPECT_NEAR(nanos("partition"), 3, 1e-6);
  EXPECT_GT(work("parted"), 7);  // 16 buckets of 16384 words, by pivots
  EXPECT_LT(work("parted"), 8.5);
}

TEST_F(DigitsOrPivots, InputsPartlyInOrderHaveEvenDigitsToo) {
  workload_.parameters.set("pivots_below", std::int64_t{0});
  workload_.key = KeyType::u64;
  workload_.n = 1 << 22;                                      // consecutive keys that are traced lie close together
  const std::string ordered = "nearly_sorted:swaps=1000000";  // more than the check takes out
  EXPECT_NEAR(nanos("partition"), 3, 1e-6);
  EXPECT_NEAR(nanos("partition", ordered), 3, 1e-6);
  EXPECT_NEAR(nanos("sort", ordered), nanos("sort"), 0.1);
}

TEST_F(DigitsOrPivots, WordsOfWhichThereAreManyLeave) {
  EXPECT_LT(work("parted", "few_distinct:distinct=16") + work("parted.repeats", "few_distinct:distinct=16"), 6);
  EXPECT_LE(work("parted.repeats", "few_distinct:distinct=2"), 1.1);
  EXPECT_EQ(work("exchanges", "few_distinct:distinct=2"), 0);
}

TEST_F(DigitsOrPivots, InputsInOrderAreLookedAt) {
  for (const char* distribution : {"constant", "sorted"}) {
    const Prediction prediction = predict(distribution);
    EXPECT_EQ(prediction.phases.size(), 1U);
    EXPECT_NEAR(prediction.seconds, static_cast<double>(workload_.n) * 0.5 * kNano, 1e-12);
  }
}

TEST_F(DigitsOrPivots, KeysThatAreNoWordsAreCheckedByScalarCode) {
  for (const KeyType key : {KeyType::f32, KeyType::i32, KeyType::f64, KeyType::i64}) {
    workload_.key = key;
    EXPECT_NEAR(nanos("sortedness check", "constant"), 0.75, 1e-6) << to_name(key);
  }
  workload_.key = KeyType::u64;
  EXPECT_NEAR(nanos("sortedness check", "constant"), 0.5, 1e-6);
  workload_.key = KeyType::u32;
  workload_.value = ValueType::u32;  // apart, which are a word together
  EXPECT_NEAR(nanos("sortedness check", "constant"), 0.75, 1e-6);
}

TEST_F(DigitsOrPivots, AllMoveTwiceWhereFewAreMisplaced) {
  profile_.tables["copy"] = constant({"threads", "bytes"}, 16e9);
  EXPECT_NEAR(nanos("sortedness check", "nearly_sorted:swaps=50"), 0.5 + 4 * 4 / 16.0, 1e-6);
  EXPECT_EQ(nanos("sortedness check", "nearly_sorted:swaps=5000"), 0);  // too many are misplaced
  EXPECT_NEAR(nanos("sortedness check", "constant"), 0.5, 1e-6);
  workload_.n = 1 << 15;
  EXPECT_EQ(nanos("sortedness check", "nearly_sorted:swaps=50"), 0);
  workload_.n = 1 << 16;
  workload_.threads = 4;
  EXPECT_EQ(nanos("sortedness check", "nearly_sorted:swaps=50"), 0);
}

TEST_F(DigitsOrPivots, OrderIsJudgedOfAllKeys) {
  profile_.tables["copy"] = constant({"threads", "bytes"}, 16e9);
  const double reversed = 0.5 + 2 * 4 / 16.0;
  EXPECT_NEAR(nanos("sortedness check", "reverse:range_bits=8"), reversed, 1e-6);  // with equal neighbours
  EXPECT_NEAR(nanos("sortedness check", "deterministic_duplicates"), reversed, 1e-6);
  workload_.n = 1 << 24;  // more than are made or traced
  EXPECT_NEAR(nanos("sortedness check", "reverse"), reversed, 1e-6);
  EXPECT_EQ(nanos("sortedness check", "runs:runs=16"), 0);  // the runs may end between the blocks of the sample
  EXPECT_NEAR(nanos("sortedness check", "nearly_sorted:swaps=1000"), 0.5 + 4 * 4 / 16.0,
              1e-6);  // in the fewer made, fewer
}

TEST_F(DigitsOrPivots, TeamPartsManyTogether) {
  const double one = nanos("sort");
  workload_.threads = 2;
  EXPECT_NEAR(nanos("sort"), one / 2, 0.05 * one / 2);
}

TEST_F(DigitsOrPivots, ThreadsReceiveWhatOthersWrote) {
  workload_.threads = 2;
  const double before = predict().seconds;
  profile_.tables["handover"] = constant({"bytes"}, 1e-3);
  EXPECT_NEAR(predict().seconds - before, 1e-3, 1e-6);  // both threads receive lines: of the input, and then of a part
}

TEST_F(DigitsOrPivots, OneThreadMakesTheFirstPartitionOfFew) {
  workload_.n = 1 << 15;
  const double one = nanos("sort");
  workload_.threads = 2;
  const double two = nanos("sort");
  const double evenly = 1 + (one - 1) / 2;
  EXPECT_NEAR(two, evenly, 0.05 * evenly);  // pivots are other ones
}

TEST_F(DigitsOrPivots, ThreadsTakeOverWhatUnevenPartsLeave) {
  workload_.key = KeyType::u64;  // four lanes to draw a pivot from
  workload_.n = 1 << 20;
  const std::string by_pivots = "thearling:ands=2";
  const double one = nanos("sort", by_pivots);
  workload_.threads = 2;
  EXPECT_NEAR(nanos("sort", by_pivots), one / 2, 0.05 * one / 2);
  // Zeros, a seventh of the words, leave early: threads share what there is to do, and not words.
  const std::string many_zeros = "thearling:ands=5";
  const double two = nanos("sort", many_zeros);
  workload_.threads = 1;
  EXPECT_NEAR(two, nanos("sort", many_zeros) / 2, 0.05 * two);
}

TEST_F(DigitsOrPivots, PairsOf32BitsThatLieTogetherAreWords) {
  profile_.tables["copy"] = constant({"threads", "bytes"}, 16e9);
  workload_.n = 1 << 18;
  workload_.value = ValueType::u32;
  const double apart = nanos("sort");
  workload_.together = true;
  EXPECT_NEAR(nanos("sort"), apart - 2 + 1, 1e-6);  // not to words and back, 32 bytes; but a bucket returns, 16
}

TEST_F(DigitsOrPivots, ValuesGoBesideWordsOrInThem) {
  workload_.value = ValueType::u32;  // one word of 64 bits
  EXPECT_NEAR(work("digits"), 1, 1e-9);
  workload_.value = ValueType::u64;  // two words, and half as many in the cache
  EXPECT_EQ(predict().phases.size(), 1U);
  EXPECT_NEAR(work("digits"), 1, 1e-9);
  workload_.key = KeyType::u128;
  EXPECT_THROW(predict(), BadInput);
}

}  // namespace
}  // namespace sortlab
