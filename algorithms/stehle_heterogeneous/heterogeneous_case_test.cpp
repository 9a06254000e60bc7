// Plans a sort on both processors, and tests the cases it declines, without a device.
#include <gtest/gtest.h>

#include "harness/cell/case_text.hpp"
#include "harness/cell/problem.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {
namespace {

const Algorithm& heterogeneous() {
  return algorithm_named("stehle_heterogeneous");
}

Parameters with(const GivenParameters& given) {
  return resolve("stehle_heterogeneous", heterogeneous().info().parameters, given);
}

std::string why_declined(const Problem& problem, const GivenParameters& given) {
  return heterogeneous().declines(problem, with(given), {.threads = 2, .cpus = {}}).value_or("");
}

TEST(Heterogeneous, IsPlannedEndToEndWithEachKindOfHostMemory) {
  Sweep sweep;
  sweep.algorithms = {{.algorithm = &heterogeneous(), .preset = {}}};
  sweep.n = {1000};
  sweep.distributions = {parse_distribution("uniform")};
  sweep.host_memory = {HostMemory::pinned, HostMemory::pageable};
  sweep.threads = {2};
  const std::vector<Cell> cells = expand_sweeps({sweep});
  ASSERT_EQ(cells.size(), 2U);
  for (const Cell& cell : cells) EXPECT_EQ(cell.subject.residency, Residency::end_to_end);
  EXPECT_NE(case_text(cells[0].subject).find("/pinned"), std::string::npos);
  EXPECT_NE(case_text(cells[1].subject).find("/pageable"), std::string::npos);
  EXPECT_FALSE(is_copied_around(cells[0].subject));
}

TEST(Heterogeneous, ItsComponentIsMeasuredEndToEnd) {
  Case c{.algorithm = &heterogeneous(),
         .component = &component_named(heterogeneous(), "chunked_sort"),
         .parameters = with({}),
         .n = 1000,
         .distribution = parse_distribution("uniform"),
         .residency = Residency::end_to_end};
  EXPECT_NE(refusal(c).value_or(""), "a component is measured where its algorithm sorts");
}

TEST(Heterogeneous, SortsNothingThatLiesElsewhere) {
  for (const Residency residency : {Residency::host, Residency::device}) {
    EXPECT_TRUE(refusal(heterogeneous(), {.residency = residency, .n = 100}, with({}), {.threads = 1, .cpus = {}}));
  }
}

TEST(Heterogeneous, DeclinesInTheWordsOfItsParts) {
  const Problem ids{.key = KeyType::i32, .residency = Residency::end_to_end, .n = 100};
  EXPECT_EQ(why_declined(ids, {{"merge", "libstdcxx"}}).find("merge=libstdcxx is compiled for"), 0U);
  const Problem zeros{.key = KeyType::f32, .residency = Residency::end_to_end, .n = 100, .needs_total_order = true};
  EXPECT_EQ(why_declined(zeros, {{"sort", "cub_radix"}}).find("sort=cub_radix: "), 0U);
}

}  // namespace
}  // namespace sortlab
