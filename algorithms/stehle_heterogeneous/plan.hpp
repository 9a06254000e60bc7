// Plan of the sort, read by the sort and its model: its chunks, the in-place replacement of Stehle and Jacobsen's
// Figure 5 as data, and a simulated clock that runs it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace sortlab::heterogeneous {

inline constexpr int kMaxChunks = 32;
/// Setting of `sort` for the hybrid radix sort in the paper's form; its plain name stands for the tuned form.
inline constexpr const char* kPaperSort = "stehle_hybrid_radix_paper";
inline constexpr const char* kHybridSort = "stehle_hybrid_radix";
/// Chunk buffers in device memory: two chunks are copied in, sorted and copied out; the sort's scratch memory is the
/// third.
inline constexpr int kBuffers = 2;

/// Equal chunks, sorted by one sorter; the remainder, fewer than `count` elements, is left to the host.
struct Chunks {
  std::uint64_t n = 0;
  int count = 1;

  std::uint64_t size() const { return n / static_cast<std::uint64_t>(count); }
  std::uint64_t begin(int chunk) const { return size() * static_cast<std::uint64_t>(chunk); }
  std::uint64_t remainder() const { return n - begin(count); }
};

/// Number of pieces in which a chunk is copied, so that the next one replaces it as it leaves: few, and large enough
/// for the bus.
inline int chunk_pieces(std::uint64_t chunk_bytes) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20;
  constexpr std::uint64_t kMaxPieces = 16;
  return static_cast<int>(std::clamp<std::uint64_t>(chunk_bytes / piece_bytes, 1, kMaxPieces));
}

enum class Lane : std::uint8_t { copy_in, sort, copy_out };
inline constexpr std::size_t kLanes = 3;

/// An operation of a lane. It runs after the preceding one of its lane, and after operation `waits_for`.
struct Operation {
  Lane lane = Lane::copy_in;
  int chunk = 0;
  int piece = 0;       ///< piece of the chunk that is copied
  int waits_for = -1;  ///< an earlier operation; -1: none

  int buffer() const { return chunk % kBuffers; }
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Operations in the order in which they are queued. In step t chunk t - 2 leaves piece by piece, chunk t takes its
/// place, and then chunk t - 1 is sorted (last, since a sort may block the host).
inline std::vector<Operation> schedule(int chunks, int pieces) {
  std::vector<Operation> operations;
  std::vector<int> copied_in(static_cast<std::size_t>(chunks));  // operation that copies the last piece, by chunk
  std::vector<int> sorted(static_cast<std::size_t>(chunks));
  const auto queue = [&](Lane lane, int chunk, int piece, int waits_for) {
    operations.push_back({.lane = lane, .chunk = chunk, .piece = piece, .waits_for = waits_for});
    return static_cast<int>(operations.size()) - 1;
  };
  for (int step = 0; step < chunks + 2; ++step) {
    const int leaves = step - kBuffers;
    for (int piece = 0; piece < pieces; ++piece) {
      const int left = leaves < 0 ? -1 : queue(Lane::copy_out, leaves, piece, sorted[static_cast<std::size_t>(leaves)]);
      if (step < chunks) copied_in[static_cast<std::size_t>(step)] = queue(Lane::copy_in, step, piece, left);
    }
    if (step == 0 || step > chunks) continue;
    const auto chunk = static_cast<std::size_t>(step - 1);
    sorted[chunk] = queue(Lane::sort, step - 1, 0, copied_in[chunk]);
  }
  return operations;
}

/// Seconds that a whole chunk takes in each lane. A copy takes `contention` times as long while another goes the other
/// way.
struct ChunkTimes {
  double copy_in = 0;
  double sort = 0;
  double copy_out = 0;
  double contention = 1;
};

struct Span {
  double begin = 0;
  double end = 0;
};

/// Begin and end of each operation on a clock that starts with the first.
inline std::vector<Span> simulated(const std::vector<Operation>& operations, int pieces, const ChunkTimes& times) {
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<Span> spans(operations.size(), {never, never});
  struct Running {
    std::size_t next = 0;  ///< next operation of the lane, or the end
    double left = 0;       ///< remaining seconds without contention
    bool busy = false;
  };
  std::array<Running, kLanes> lanes;
  const auto of = [](Lane lane) { return static_cast<std::size_t>(lane); };
  const auto skip = [&](std::size_t lane) {
    std::size_t& next = lanes[lane].next;
    while (next < operations.size() && of(operations[next].lane) != lane) ++next;
  };
  const std::array<double, kLanes> seconds{times.copy_in / pieces, times.sort, times.copy_out / pieces};
  for (std::size_t lane = 0; lane < kLanes; ++lane) skip(lane);
  for (double now = 0;;) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Running& running = lanes[lane];
      if (running.busy || running.next == operations.size()) continue;
      const int waits_for = operations[running.next].waits_for;
      if (waits_for >= 0 && spans[static_cast<std::size_t>(waits_for)].end > now) continue;
      running.busy = true;
      running.left = seconds[lane];
      spans[running.next].begin = now;
    }
    const bool both_ways = lanes[of(Lane::copy_in)].busy && lanes[of(Lane::copy_out)].busy;
    const auto pace = [&](std::size_t lane) { return lane != of(Lane::sort) && both_ways ? times.contention : 1; };
    double step = never;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (lanes[lane].busy) step = std::min(step, lanes[lane].left * pace(lane));
    }
    if (step == never) return spans;
    now += step;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Running& running = lanes[lane];
      if (!running.busy) continue;
      running.left -= step / pace(lane);
      if (running.left > 1e-12 * seconds[lane]) continue;
      running.busy = false;
      spans[running.next].end = now;
      ++running.next;
      skip(lane);
    }
  }
}

}  // namespace sortlab::heterogeneous
