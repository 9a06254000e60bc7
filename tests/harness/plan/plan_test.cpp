#include "harness/plan/blocks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/plan/resume.hpp"
#include "harness/plan/shard.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/run/duration.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

std::vector<Cell> some_cells() {
  CaseOptions options;
  options.algorithms = {"planted_sort"};
  options.keys = {"u32", "u64"};
  options.n = {"100", "1000", "100000", "1000000"};
  options.seeds = {"1", "2", "3"};
  options.threads = {"1", "2"};
  return expand_sweeps(make_sweeps(options, {}));
}

TEST(Plan, BlocksShareAnInput) {
  const auto blocks = group_into_blocks(some_cells());
  EXPECT_EQ(blocks.size(), 24U);
  for (const Block& block : blocks) {
    ASSERT_EQ(block.size(), 2U);
    EXPECT_EQ(block[0].subject.n, block[1].subject.n);
    EXPECT_EQ(block[0].subject.key, block[1].subject.key);
    EXPECT_EQ(block[0].subject.seed, block[1].subject.seed);
  }
}

TEST(Plan, BlocksShareWhereTheInputLies) {
  CaseOptions options;
  options.algorithms = {"planted_device_sort", "planted_other_device_sort"};
  options.residency = {"device", "end_to_end"};
  options.host_memory = {"pinned", "pageable"};
  const auto blocks = group_into_blocks(expand_sweeps(make_sweeps(options, {})));
  ASSERT_EQ(blocks.size(), 3U);
  for (const Block& block : blocks) {
    ASSERT_EQ(block.size(), 2U);
    EXPECT_EQ(block[0].subject.residency, block[1].subject.residency);
    EXPECT_EQ(block[0].subject.host_memory, block[1].subject.host_memory);
  }
}

TEST(Plan, ShardsPartitionTheBlocksAndAreBalanced) {
  for (const int count : {1, 2, 3, 5, 30}) {
    std::multiset<std::string> together;
    std::vector<double> work;
    for (int index = 1; index <= count; ++index) {
      work.push_back(0);
      for (const Block& block :
           select_shard(group_into_blocks(some_cells()), group_into_blocks(some_cells()), {index, count})) {
        for (const Cell& cell : block) {
          together.insert(cell_id(cell.subject));
          work.back() += static_cast<double>(cell.subject.n * byte_size(cell.subject.key));
        }
      }
    }
    EXPECT_EQ(together.size(), some_cells().size());
    EXPECT_EQ(std::set<std::string>(together.begin(), together.end()).size(), some_cells().size());
    if (count <= 3) {
      EXPECT_LT(*std::ranges::max_element(work), 1.4 * *std::ranges::min_element(work)) << count;
    }
  }
}

/// Cells with long and short budgets, as in configs/quick.json. The slowest are not those with the most bytes.
std::vector<Sweep> sweeps_of_unlike_budgets() {
  CaseOptions large;
  large.algorithms = {"planted_sort"};
  large.n = {"2^16", "2^18", "2^20", "2^22", "2^24"};
  CaseOptions small;
  small.algorithms = {"planted_sort"};
  small.keys = {"u32", "u64"};
  small.n = {"2^20", "2^21"};
  small.seeds = {"1", "2", "3", "4", "5", "6", "7", "8"};
  return {make_sweeps(large, {.budget_s = 4}).at(0), make_sweeps(small, {.budget_s = 0.4}).at(0)};
}

TEST(Plan, ShardsTakeAboutTheSameTime) {
  const std::vector<Sweep> sweeps = sweeps_of_unlike_budgets();
  for (const int count : {2, 3}) {
    std::vector<double> seconds;
    for (int index = 1; index <= count; ++index) {
      seconds.push_back(0);
      for (const Block& block :
           select_shard(group_into_blocks(expand_sweeps(sweeps)), planned_blocks(sweeps), {index, count})) {
        for (const double s : estimate_seconds(block, nullptr)) seconds.back() += s;
      }
    }
    EXPECT_LT(*std::ranges::max_element(seconds), 1.2 * *std::ranges::min_element(seconds)) << count;
  }
}

/// `auto` may resolve to the same cell on one machine and to different ones on another; a filter leaves cells out.
TEST(Plan, ShardsDoNotDependOnWhatTheMachineChooses) {
  const std::vector<Sweep> sweeps = sweeps_of_unlike_budgets();
  const std::vector<Block> planned = planned_blocks(sweeps);
  const std::vector<Block> all = group_into_blocks(expand_sweeps(sweeps));
  for (int index = 1; index <= 3; ++index) {
    std::set<InputKey> whole;
    for (const Block& block : select_shard(all, planned, {index, 3})) whole.insert(input_key(block.front().subject));
    for (const Block& block : all) {
      EXPECT_EQ(select_shard({block}, planned, {index, 3}).size(), whole.count(input_key(block.front().subject)));
    }
  }
}

using nlohmann::ordered_json;

ordered_json make_record(const Cell& cell, bool disturbed) {
  return {{"kind", "measurement"},
          {"key", resume_key(cell.subject, machine_id())},
          {"status", "ok"},
          {"reason", nullptr},
          {"expected", false},
          {"disturbed", disturbed},
          {"protocol", {{"input", "fresh"}}}};
}

std::size_t cells_in(const std::vector<Block>& blocks) {
  std::size_t cells = 0;
  for (const Block& block : blocks) cells += block.size();
  return cells;
}

TEST(Resume, InputsWithADisturbedCellAreMeasuredAgainWholeAndNotForEver) {
  const auto blocks = group_into_blocks(some_cells());
  std::vector<ordered_json> records;
  for (const Block& block : blocks) {
    for (const Cell& cell : block) records.push_back(make_record(cell, &cell == &blocks[3][1]));
  }
  EXPECT_TRUE(resume(blocks, records, {}).to_run.empty());
  for (int times = 1; times <= 2; ++times) {
    const auto again = resume(blocks, records, {.again = 2}).to_run;
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].size(), 2U) << "with the other sort of its input";
    records.push_back(make_record(blocks[3][0], false));
    records.push_back(make_record(blocks[3][1], true));
  }
  EXPECT_TRUE(resume(blocks, records, {.again = 2}).to_run.empty()) << "disturbed a third time";
  records.pop_back();
  records.pop_back();
  records.push_back(make_record(blocks[3][1], false));
  EXPECT_TRUE(resume(blocks, records, {.again = 2}).to_run.empty()) << "the newest record counts";
}

TEST(Resume, TheRecordOfTheRunThatStartedLastCountsWhereverItStands) {
  const auto blocks = group_into_blocks(some_cells());
  std::vector<ordered_json> records{{{"kind", "run"}, {"run", "b"}, {"started", "2026-01-01T00:00:00Z"}},
                                    {{"kind", "run"}, {"run", "a"}, {"started", "2026-01-02T00:00:00Z"}}};
  for (const char* run : {"a", "b"}) {
    for (const Block& block : blocks) {
      for (const Cell& cell : block) {
        records.push_back(make_record(cell, false));
        records.back().update({{"run", run}, {"status", std::string{run} == "b" ? "ok" : "failed"}});
      }
    }
  }
  EXPECT_EQ(cells_in(resume(blocks, records, {.retry = true}).to_run), cells_in(blocks));
  EXPECT_EQ(cells_in(resume(blocks, records, {.retry = false}).to_run), 0U);
  EXPECT_EQ(resume(blocks, records, {.retry = false}).done.front().second->at("status"), "failed");
}

TEST(Resume, CellsWithoutTheEnergyThatIsAskedForAreMeasuredAgain) {
  std::vector<Cell> cells = some_cells();
  const auto to_run = [&](const nlohmann::ordered_json& energy) {
    std::vector<nlohmann::ordered_json> records;
    for (const Cell& cell : cells) {
      records.push_back({{"kind", "measurement"},
                         {"key", resume_key(cell.subject, machine_id())},
                         {"status", "ok"},
                         {"reason", nullptr},
                         {"expected", false},
                         {"protocol", {{"input", "fresh"}}}});
      records.back().update(energy);
    }
    return resume(group_into_blocks(cells), records, {}).to_run.size();
  };
  EXPECT_EQ(to_run(nlohmann::ordered_json::object()), 0U);
  for (Cell& cell : cells) cell.protocol.energy = true;
  EXPECT_EQ(to_run(nlohmann::ordered_json::object()), 24U);
  EXPECT_EQ(to_run({{"energy", nullptr}, {"energy_reason", "no counter"}}), 0U);
}

TEST(Resume, AnInputThatLacksASortIsMeasuredWholeAndBeforeDisturbedOnes) {
  const auto blocks = group_into_blocks(some_cells());
  std::vector<ordered_json> records;
  for (const Block& block : blocks) {
    for (const Cell& cell : block) {
      if (&cell != &blocks[5][0]) records.push_back(make_record(cell, &cell == &blocks[2][0]));
    }
  }
  EXPECT_EQ(cells_in(resume(blocks, records, {}).to_run), 1U);
  const auto again = resume(blocks, records, {.again = 1}).to_run;
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again[0].size(), 2U);
  EXPECT_EQ(cell_id(again[0][0].subject), cell_id(blocks[5][0].subject));
  EXPECT_EQ(cell_id(again[1][0].subject), cell_id(blocks[2][0].subject));
}

TEST(Plan, FilterSelectsByText) {
  EXPECT_EQ(matching(some_cells(), "u64 n=1000 .*threads=2").size(), 3U);
  EXPECT_THROW(matching(some_cells(), "u16"), BadInput);
  EXPECT_THROW(matching(some_cells(), "(u32"), BadInput);
  // Words, classes, alternatives, anchors and repetitions.
  EXPECT_EQ(matching(some_cells(), R"(^planted_sort u(32|64) n=\d{3}\b.*seed=[12]$)").size(), 8U);
}

std::string filter_refusal(const std::string& filter) {
  try {
    matching(some_cells(), filter);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, AHostileFilterIsAnsweredAtOnceWithWhatIsAllowed) {
  const std::string allowed = "; allowed: a regular expression of RE2, up to 1000 bytes";
  const std::vector<std::pair<std::string, std::string>> table{
      {std::string(300, '('), "is no regular expression (missing ))"},
      {std::string(100'000, '('), "has 100000 bytes"},
      {"([a-z0-9_]+[ =]*)+Q", "matches no cell: it is searched in texts like 'planted_sort u32 n=100 "},
      {"(a+)\\1", "is no regular expression (invalid escape sequence)"},
      {"u32(?= n)", "is no regular expression (invalid perl operator)"},
      {"((((((((a{100}){100}){100})", "is no regular expression ("},
      {"\xff", "is no regular expression (invalid UTF-8)"},
  };
  for (const auto& [filter, why] : table) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string told = filter_refusal(filter);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{1}) << told;
    EXPECT_TRUE(told.starts_with("--filter: '" + filter.substr(0, 60))) << told;
    EXPECT_NE(told.find(why), std::string::npos) << told;
    EXPECT_TRUE(told.ends_with(allowed)) << told;
  }
}

TEST(Plan, MoreShardsThanBlocksLeaveTheLastOnesEmpty) {
  const std::vector<Block> all = group_into_blocks(some_cells());
  const int count = 2'000'000'000;
  const int blocks = static_cast<int>(all.size());
  EXPECT_EQ(select_shard(all, all, {1, count}).size(), 1U);
  EXPECT_EQ(select_shard(all, all, {blocks, count}).size(), 1U);
  EXPECT_TRUE(select_shard(all, all, {blocks + 1, count}).empty());
  EXPECT_TRUE(select_shard(all, all, {count, count}).empty());
  EXPECT_TRUE(select_shard({}, {}, {1, count}).empty());
}

TEST(Durations, AnIntervalThatSaysNothingHasNoFigure) {
  EXPECT_EQ(half_width_text(2.0, {1.9, 2.1}), "5.0");
  EXPECT_EQ(half_width_text(1.0, {0.0, 2.0}), "100.0");
  EXPECT_EQ(half_width_text(1.0, {0.5, 1503.0}), ">100");
}

TEST(Plan, ReadsShardsAndDurations) {
  EXPECT_EQ(parse_shard("2/8").index, 2);
  for (const char* text : {"5/3", "0/3", "1/0", "1", "a/b", "1/2/3", "-1/2", ""}) {
    EXPECT_THROW(parse_shard(text), BadInput) << text;
  }
  EXPECT_EQ(parse_duration("5m"), 300);
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  for (const char* text : {"", "m", "-5m", "0", "5d", "nan", "inf"})
    EXPECT_THROW(parse_duration(text), BadInput) << text;
}

}  // namespace
}  // namespace sortlab
