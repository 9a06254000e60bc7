// Checks the schedule of in-place replacement on a simulated clock.
#include <gtest/gtest.h>

#include <map>

#include "algorithms/stehle_heterogeneous/plan.hpp"

namespace sortlab::heterogeneous {
namespace {

/// Seconds until all operations are done.
double simulated_end(int chunks, int pieces, const ChunkTimes& times) {
  double end = 0;
  for (const Span& span : simulated(schedule(chunks, pieces), pieces, times)) end = std::max(end, span.end);
  return end;
}

/// Seconds of a flow shop of three lanes with equal chunks.
double flow_shop(double copy_in, double sort, double copy_out, int chunks) {
  return (copy_in + sort + copy_out) / chunks + (1 - 1.0 / chunks) * std::max({copy_in, sort, copy_out});
}

/// State of a buffer's piece before and after an operation: the chunk's number and its stage.
using State = std::pair<int, char>;

void expect_sound(int chunks, int pieces, const ChunkTimes& times) {
  const std::vector<Operation> operations = schedule(chunks, pieces);
  ASSERT_EQ(operations.size(), static_cast<std::size_t>(chunks * (2 * pieces + 1)));
  const std::vector<Span> spans = simulated(operations, pieces, times);
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_place;  // operations per buffer and piece
  for (std::size_t i = 0; i < operations.size(); ++i) {
    ASSERT_LT(spans[i].end, 1e9) << "never done";
    ASSERT_LT(operations[i].waits_for, static_cast<int>(i)) << "an event is waited for after it is recorded";
    for (int piece = 0; piece < pieces; ++piece) {
      if (operations[i].lane == Lane::sort || operations[i].piece == piece) {
        by_place[{operations[i].buffer(), piece}].push_back(i);
      }
    }
  }
  for (auto& [place, at_place] : by_place) {
    ASSERT_LT(place.first, kBuffers);
    std::ranges::stable_sort(at_place, {}, [&](std::size_t i) { return spans[i].begin; });
    // A chunk comes in, is sorted and leaves before the next but one comes in; operations on it never overlap.
    int chunk = place.first;
    std::size_t step = 0;
    double free = 0;
    for (const std::size_t i : at_place) {
      EXPECT_EQ(operations[i].chunk, chunk);
      EXPECT_EQ(operations[i].lane, (std::array{Lane::copy_in, Lane::sort, Lane::copy_out}[step]));
      EXPECT_GE(spans[i].begin, free - 1e-9);
      free = spans[i].end;
      if (++step < kLanes) continue;
      step = 0;
      chunk += kBuffers;
    }
    EXPECT_EQ(step, 0U);
  }
}

TEST(Schedule, NoPieceIsOverwrittenBeforeItLeft) {
  for (const int chunks : {1, 2, 3, 4, 5, 8, 16, 32}) {
    for (const int pieces : {1, 2, 16}) {
      for (const ChunkTimes& times :
           {ChunkTimes{1, 0.3, 1, 1}, ChunkTimes{1, 3, 1, 1}, ChunkTimes{2, 1, 0.5, 1.3}, ChunkTimes{0.5, 1, 2, 2}}) {
        expect_sound(chunks, pieces, times);
      }
    }
  }
}

// Figure 5: at t2 chunk 0 is copied back while chunk 2 takes its place and chunk 1 is sorted.
TEST(Schedule, IsThatOfFigure5) {
  const std::vector<Operation> wanted{{Lane::copy_in, 0, 0, -1}, {Lane::copy_in, 1, 0, -1}, {Lane::sort, 0, 0, 0},
                                      {Lane::copy_out, 0, 0, 2}, {Lane::copy_in, 2, 0, 3},  {Lane::sort, 1, 0, 1},
                                      {Lane::copy_out, 1, 0, 5}, {Lane::sort, 2, 0, 4},     {Lane::copy_out, 2, 0, 7}};
  EXPECT_EQ(schedule(3, 1), wanted);
}

TEST(Schedule, OverlapsAsAFlowShopDoes) {
  for (const int chunks : {1, 2, 4, 16, 32}) {
    for (const auto& [in, sort, out] : {std::array{540.0, 168.0, 540.0}, {100.0, 300.0, 100.0}, {200.0, 50.0, 100.0}}) {
      const ChunkTimes times{in / chunks, sort / chunks, out / chunks, 1};
      const double best = flow_shop(in, sort, out, chunks);
      // Operations wait for single pieces only: at worst for one piece of the slowest lane per chunk.
      const double end = simulated_end(chunks, 16, times);
      EXPECT_GE(end, best - 1e-9);
      EXPECT_LE(end, best + std::max({in, sort, out}) / chunks / 8) << chunks << " " << sort;
    }
  }
}

// Copied as a whole, a chunk waits until its predecessor in the buffer has left: half of the overlap is lost.
TEST(Schedule, PiecesAreWhatKeepsBothDirectionsBusy) {
  const ChunkTimes times{1, 1, 1, 1};
  EXPECT_NEAR(simulated_end(32, 16, times), flow_shop(32, 32, 32, 32), 1);
  EXPECT_GT(simulated_end(32, 1, times), 1.3 * flow_shop(32, 32, 32, 32));
}

TEST(Schedule, CopiesBothWaysTakeLonger) {
  // One chunk: nothing overlaps. Many: both directions are busy nearly always.
  EXPECT_DOUBLE_EQ(simulated_end(1, 1, {1, 1, 1, 1.5}), 3);
  EXPECT_NEAR(simulated_end(32, 16, {1, 0.1, 1, 1.5}) / simulated_end(32, 16, {1, 0.1, 1, 1}), 1.5, 0.05);
}

TEST(Chunks, AreEqualAndLeaveFew) {
  for (const std::uint64_t n : {0, 1, 3, 31, 1000, 1000003}) {
    for (const int count : {1, 2, 4, 7, 32}) {
      const Chunks chunks{n, count};
      EXPECT_LT(chunks.remainder(), static_cast<std::uint64_t>(count));
      EXPECT_EQ(chunks.begin(count) + chunks.remainder(), n);
    }
  }
}

}  // namespace
}  // namespace sortlab::heterogeneous
