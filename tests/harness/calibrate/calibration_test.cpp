// The micro-benchmarks' kernels do what their names say, and rounds give medians with intervals. Times themselves are
// not tested: they are the machine's.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "algorithms/satish_cpu_radix/append.hpp"
#include "algorithms/satish_cpu_radix/histogram.hpp"
#include "harness/calibrate/host/arena.hpp"
#include "harness/calibrate/host/probes.hpp"
#include "harness/plan/automatic.hpp"

namespace sortlab::calibration {
namespace {

TEST(Words, DigitsHaveTheCollisionEntropyTheyAreListedWith) {
  std::vector<std::uint32_t> uniform(1 << 20);
  std::vector<std::uint32_t> biased(1 << 20);
  fill_uniform(uniform, 1);
  fill_biased_halves(biased, 2);
  for (const Digit& digit : kDigits) {
    if (digit.bits > 11) continue;  // too many values for this many words
    std::vector<double> shares(std::size_t{1} << digit.bits);
    for (const std::uint32_t word : digit.uniform ? uniform : biased)
      shares[(word >> digit.shift) & (shares.size() - 1)] += 1.0 / (1 << 20);
    double equal = 0;
    for (const double share : shares) equal += share * share;
    EXPECT_NEAR(-std::log2(equal), digit.collision_bits, 0.01) << digit.width;
  }
}

TEST(Kernels, CountEveryWordInEveryTable) {
  std::vector<std::uint64_t> words(1000);
  fill_uniform({reinterpret_cast<std::uint32_t*>(words.data()), 2 * words.size()}, 3);
  std::vector<std::uint32_t> even(4 * satish::table_stride(8));
  std::vector<std::uint32_t> odd(4 * satish::table_stride(8));
  satish::count_digits<satish::KeyKind::integer, 4>(std::span<const std::uint64_t>{words}, 0, 8, even.data(),
                                                    odd.data());
  for (int table = 0; table < 4; ++table) {
    const auto sum = [&](const auto& counters) {
      const auto first = counters.begin() + table * static_cast<std::ptrdiff_t>(satish::table_stride(8));
      return std::accumulate(first, first + 256, 0U);
    };
    EXPECT_EQ(sum(even), 500U);
    EXPECT_EQ(sum(odd), 500U);
  }
}

TEST(Kernels, AppendWritesOutEachFullBufferWithItsWordsAndValuesAndCountsAnotherDigit) {
  std::vector<std::uint32_t> words(4096);
  fill_uniform(words, 5);
  std::vector<std::uint64_t> values(words.begin(), words.end());
  constexpr std::size_t slots = 16;
  std::vector<std::uint32_t> word_slots(8 * slots);
  std::vector<std::uint64_t> value_slots(8 * slots);
  // Both where lines to come are fetched ahead and where they are not: what `radix` decides, and nothing else.
  for (const std::size_t radix : {8, 1024}) {
    std::vector<satish::Cursor> cursors(8);
    for (std::size_t d = 0; d < 8; ++d) {
      cursors[d] = {.slot = static_cast<std::uint32_t>(d * slots), .counters = static_cast<std::uint32_t>(4 * (d % 2))};
    }
    std::vector<std::uint32_t> counters(8);
    const satish::CountDigit<std::uint32_t> count{.counters = counters.data(), .shift = 3, .mask = 3};
    std::size_t written = 0;
    const satish::DigitBuffers<std::uint32_t, std::uint64_t> buffers{word_slots.data(), value_slots.data(),
                                                                     cursors.data(), radix, slots};
    satish::append<false, false>(buffers, std::span<const std::uint32_t>{words}, values.data(),
                                 satish::Digit<std::uint32_t>{.shift = 0, .bits = 3}, count, [&](std::uint32_t digit) {
                                   for (std::size_t i = digit * slots; i < (digit + 1) * slots; ++i) {
                                     EXPECT_EQ(word_slots[i] & 7, digit);
                                     EXPECT_EQ(value_slots[i], word_slots[i]);
                                   }
                                   written += slots;
                                 });
    for (std::size_t d = 0; d < 8; ++d) written += cursors[d].slot - d * slots;
    EXPECT_EQ(written, words.size());
    // The bits above the digit, for odd digits and even ones.
    std::vector<std::uint32_t> counted(8);
    for (const std::uint32_t word : words) ++counted[4 * (word % 2) + (word >> 3 & 3)];
    EXPECT_EQ(counters, counted);
  }
}

TEST(Kernels, RunsArriveWhole) {
  Arena arena{1 << 20, 1};
  std::vector<std::uint32_t> cursors(1 << 4);
  copy_runs<Store::nontemporal>({arena.out_words.data(), arena.bytes}, arena.next_of(arena.words, 1 << 16), 256, 4,
                                arena.order, cursors);
  EXPECT_EQ(std::accumulate(cursors.begin(), cursors.end(), 0U), 1U << 16);
  const std::size_t first = arena.order[0] & 15;
  EXPECT_EQ(std::memcmp(arena.out_words.data() + first * (arena.bytes >> 4), arena.words.data(), 256), 0);
}

TEST(Kernels, PiecesOfSortsAreMeasuredForEachTypeAndPlace) {
  Bench bench{.arenas = {}, .threads = {1}, .lines = {}, .quick = true};
  bench.arenas.push_back(std::make_unique<Arena>(2 * Arena::kNear, 1));
  Rounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  add_split_probes(rounds, bench);
  add_merge_probes(rounds, bench);
  add_permutation_probes(rounds, bench);
  add_comb_probes(rounds, bench);
  add_bucket_probes(rounds, bench);
  add_block_probes(rounds, bench);
  rounds.run(1, 0, [](double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  for (const auto& [name, table] : tables) {
    EXPECT_FALSE(table.points.empty()) << name;
    for (const auto& point : table.points) {
      EXPECT_GT(point.value, 0) << name;
      if (table.unit == "s/element") {
        EXPECT_LT(point.value, 1e-5) << name;
      }
    }
  }
  EXPECT_EQ(tables.at("paradis.insertion").points.size(), 16U);  // 4 types, 4 sizes
}

TEST(Kernels, ThreadsPermuteOneArrayTogether) {
  Bench bench{.arenas = {}, .threads = {2}, .lines = {}, .quick = true};
  for (const std::uint64_t seed : {1, 2}) bench.arenas.push_back(std::make_unique<Arena>(2 * Arena::kNear, seed));
  Rounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  add_permutation_probes(rounds, bench);
  rounds.run(1, 0, [](double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("paradis.together").points.size(), 12U);  // 4 types, 3 sizes
  for (const auto& point : tables.at("paradis.together").points) EXPECT_GT(point.value, 0);
}

TEST(Rounds, GiveMediansWithIntervals) {
  Rounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  rounds.declare("constant", "s", "a test", {"x"});
  rounds.declare("rising", "s", "a test", {});
  rounds.add("constant", {2}, [] { return 5.0; });
  double next = 0;
  rounds.add("rising", {}, [&next] { return next++; });
  rounds.run(9, 0, [](double share) { EXPECT_LE(share, 1); });
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("constant").points.at(0).value, 5);
  EXPECT_EQ(tables.at("constant").points.at(0).at, std::vector<double>{2});
  EXPECT_EQ(tables.at("rising").points.at(0).value, 5);  // 1 … 9: the first round is thrown away
  EXPECT_LT(tables.at("rising").points.at(0).ci95->first, 5);
  EXPECT_GT(tables.at("rising").points.at(0).ci95->second, 5);
}

TEST(Rounds, SamplesOfADisturbedProcessorDoNotCount) {
  int taken = 0;
  Rounds rounds{[&taken](const auto& probe) {
    return Sample{.value = probe(), .speed = taken++ % 3 == 0 ? 0.5 : 1};  // every third, the first one among them
  }};
  rounds.declare("time", "s", "a test", {});
  rounds.add("time", {}, [&taken] { return taken % 3 == 0 ? 100.0 : 5.0; });
  rounds.run(9, 0, [](double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("time").points.at(0).ci95, (std::pair{5.0, 5.0}));
}

TEST(Timed, RunsOneBodyAThread) {
  std::vector<int> calls(3);
  EXPECT_GT(timed(3, [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; }), 0);
  EXPECT_EQ(calls, (std::vector{1, 1, 1}));
}

}  // namespace
}  // namespace sortlab::calibration

namespace sortlab {
namespace {

ProfileTable flat(std::vector<std::string> arguments, double value) {
  return {.unit = "",
          .source = "",
          .arguments = arguments,
          .points = {{std::vector<double>(arguments.size(), 1), value, {}}}};
}

TEST(Automatic, TakesThePredictedShortestAndWithoutAProfileTheFirst) {
  const Algorithm& algorithm = algorithm_named("satish_cpu_radix");
  Case c{.algorithm = &algorithm,
         .parameters = resolve("test", algorithm.info().parameters, {}),
         .n = 1 << 20,
         .distribution = parse_distribution("uniform")};
  Case without = c;
  resolve_automatic(without, nullptr);
  EXPECT_EQ(without.parameters.integer("digit_bits"), 8);
  EXPECT_FALSE(without.parameters.is_auto("flush"));

  // A machine on which wider digits cost nothing: fewer passes win.
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.tables = {{"count", flat({"key", "tables", "collision_bits"}, 1e-9)},
                    {"append", flat({"key", "value", "lines", "digit_bits", "collision_bits"}, 2e-9)},
                    {"scatter", flat({"threads", "key", "value", "lines", "digit_bits", "collision_bits"}, 3e-9)},
                    {"map", flat({"key"}, 0)},
                    {"prefix", flat({}, 0)},
                    {"part", flat({"lines", "bytes"}, 0)},
                    {"touch", flat({"threads", "bytes"}, 0)},
                    {"read", flat({"threads", "bytes"}, 1e15)},
                    {"copy", flat({"threads", "bytes"}, 1e15)},
                    {"copy_nt", flat({"threads", "bytes"}, 1e15)},
                    {"overlap.read", flat({"threads", "key"}, 16)},
                    {"barrier", flat({"threads"}, 0)},
                    {"wake", flat({"threads"}, 0)}};
  Case wide = c;
  resolve_automatic(wide, &profile);
  EXPECT_EQ(wide.parameters.integer("digit_bits"), 11);

  // And one on which they cost more than they spare.
  profile.tables["append"] = {.unit = "",
                              .source = "",
                              .arguments = {"key", "value", "lines", "digit_bits", "collision_bits"},
                              .points = {{{4, 0, 1, 8, 8}, 2e-9, {}}, {{4, 0, 1, 11, 11}, 9e-9, {}}}};
  Case narrow = c;
  resolve_automatic(narrow, &profile);
  EXPECT_EQ(narrow.parameters.integer("digit_bits"), 8);
}

}  // namespace
}  // namespace sortlab
