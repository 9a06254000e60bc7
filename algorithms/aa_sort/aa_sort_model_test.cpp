// The model of aa_sort on an invented machine.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <numeric>
#include <random>

#include "algorithms/aa_sort/comb_passes.hpp"
#include "core/temporary_folder.hpp"
#include "tests/models/loops/cpu_models_test.hpp"

namespace sortlab {
namespace {

/// Keys in rising stretches of 82, in random order; comb sort makes many last passes.
std::vector<std::uint64_t> rising_stretches(std::size_t n) {
  constexpr std::size_t length = 82;
  std::vector<std::size_t> order(n / length + 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand random;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = order[i / length] * length + i % length;
  return keys;
}

class CombAndMerge : public testing::Test {
 protected:
  CombAndMerge() {
    workload_.parameters.set("width", "sse4");
    workload_.parameters.set("block_kib", std::int64_t{64});
  }
  double nanos(std::string_view phase, const std::string& distribution = "uniform") {
    return seconds(predicted(workload_, distribution, profile_), phase) / kNano / static_cast<double>(workload_.n);
  }

  static constexpr std::uint64_t kBlock = 64 * 1024 / 4;
  Workload workload_{.algorithm = "aa_sort", .n = 16 * kBlock, .threads = 1, .parameters = {}};
  MachineProfile profile_ = machine({{"aa.sse4.block",
                                      {.unit = "s/element",
                                       .source = "",
                                       .arguments = {"threads", "key", "block_bytes", "last_passes"},
                                       .points = {{{1, 4, 1, 1}, 10 * kNano, {}}, {{1, 4, 1, 101}, 110 * kNano, {}}}}},
                                     {"aa.sse4.merge",
                                      {.unit = "s/element",
                                       .source = "",
                                       .arguments = {"threads", "key", "mixed", "bytes"},
                                       .points = {{{1, 4, 0, 1}, 1 * kNano, {}}, {{1, 4, 1, 1}, 3 * kNano, {}}}}}});
};

TEST_F(CombAndMerge, SortsBlocksAndMergesThemInPairs) {
  const Prediction prediction = predicted(workload_, "uniform", profile_);
  EXPECT_EQ(prediction.phases.size(), 1U + 4);  // 16 blocks are 4 levels
  EXPECT_NEAR(nanos("merge"), 4 * 3, 0.1);
  EXPECT_NEAR(prediction.phases[0].work.at("exchanges"),
              static_cast<double>(workload_.n) / 4 * aa::gap_passes(kBlock / 4, 4), 1);
  workload_.n = kBlock;
  EXPECT_EQ(nanos("merge"), 0);
}

TEST_F(CombAndMerge, CountsHowOftenCombSortGoesOverABlockAtLast) {
  EXPECT_NEAR(nanos("blocks", "constant"), 10, 1e-6);
  const auto vectors = static_cast<double>(workload_.n) / 4;
  const double last = predicted(workload_, "uniform", profile_).phases[0].work.at("exchanges.last") / vectors;
  EXPECT_GT(last, 2);
  EXPECT_NEAR(nanos("blocks"), 9 + last, 1e-6);
}

TEST_F(CombAndMerge, ManyLastPassesAreThoseOfWholeBlocksAndTakeLongerThanAnyInTheTable) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "keys.bin";
  constexpr std::size_t n = 32 * kBlock;  // Views trace stretches shorter than a block
  {
    std::ofstream out{file, std::ios::binary};
    for (const std::uint64_t key : rising_stretches(n)) {
      const auto narrow = static_cast<std::uint32_t>(key);
      out.write(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    }
  }
  workload_.n = n;
  profile_.tables.at("aa.sse4.block").points = {{{1, 4, 1, 1}, 10 * kNano, {}}, {{1, 4, 1, 4}, 13 * kNano, {}}};
  const std::string keys = "file:" + file.string() + ",key=u32";
  const double last = predicted(workload_, keys, profile_).phases[0].work.at("exchanges.last") * 4 / n;
  double sum = 0;
  for (const std::size_t block : {5, 16, 26}) {  // the middles of three thirds
    const std::vector<std::uint64_t> all = rising_stretches(n);
    sum += aa::last_passes({all.begin() + static_cast<std::ptrdiff_t>(block * kBlock),
                            all.begin() + static_cast<std::ptrdiff_t>((block + 1) * kBlock)},
                           4);
  }
  EXPECT_DOUBLE_EQ(last, sum / 3);
  EXPECT_GT(last, 100);
  EXPECT_NEAR(nanos("blocks", keys), 9 + last, 1e-6);
}

TEST_F(CombAndMerge, RunsThatFollowEachOtherAreNotMixed) {
  EXPECT_NEAR(nanos("merge", "sorted"), 4 * 1, 1e-6);
  EXPECT_NEAR(nanos("merge", "reverse"), 4 * 1, 1e-3);
  EXPECT_NEAR(nanos("merge", "constant"), 4 * 1, 1e-6);
}

TEST_F(CombAndMerge, BlocksAreNoLongerThanWhatAThreadSorts) {
  workload_.n = kBlock;
  workload_.threads = 2;
  const Prediction two = predicted(workload_, "uniform", profile_);
  EXPECT_EQ(two.phases.size(), 1U + 1);  // two blocks of 9216 and what is left
  EXPECT_NEAR(seconds(two, "merge"), kBlock / 2.0 * 3 * kNano, 1e-7);
  workload_.n = 3 * kBlock;  // three blocks: one thread sorts two
  EXPECT_NEAR(nanos("blocks", "constant"), 10 * 2 / 3.0, 1e-6);
}

TEST_F(CombAndMerge, FloatsAreMappedThereAndBack) {
  const double words = predicted(workload_, "constant", profile_).seconds;
  workload_.key = KeyType::f32;
  EXPECT_NEAR(predicted(workload_, "constant", profile_).seconds - words, 2 * kNano * static_cast<double>(workload_.n),
              1e-9);
}

TEST(CombPasses, AreThoseOfThePlugIn) {
  // 256 vectors of 4: gaps 200, 156, 121, 94, 73, 57, 44, 34, 26, 20, 15, 11, 8, 6, 4, 3, 2.
  EXPECT_EQ(aa::gap_passes(256, 4), 17);
  EXPECT_EQ(aa::gap_passes(1, 4), 0);
  EXPECT_EQ(aa::last_passes({}, 4), 0);
  EXPECT_EQ(aa::last_passes({1}, 4), 1);
  EXPECT_EQ(aa::last_passes(std::vector<std::uint64_t>(1024, 5), 4), 1);
  // Two vectors in order, transposed: 1 3 5 7 over 2 4 6 8. The other way round each lane finds its place in one pass.
  EXPECT_EQ(aa::last_passes({1, 3, 5, 7, 2, 4, 6, 8}, 4), 1);
  EXPECT_EQ(aa::last_passes({2, 4, 6, 8, 1, 3, 5, 7}, 4), 2);
}

TEST(CombPasses, ThatAreManyFollowFromTheGreaterKeysBeforeAKey) {
  const std::vector<std::uint64_t> keys = rising_stretches(16384);
  for (const std::size_t lanes : {4, 8}) {
    const int all = aa::last_passes(keys, lanes, std::numeric_limits<int>::max());
    EXPECT_GT(all, aa::kSimulatedPasses);
    EXPECT_NEAR(aa::last_passes(keys, lanes), all, 2);
  }
}

}  // namespace
}  // namespace sortlab
