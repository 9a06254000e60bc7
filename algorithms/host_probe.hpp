// The test bench of all host probes: memory, thread counts, and the timing of work on threads.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algorithms/common/host/arena.hpp"
#include "algorithms/common/host/lines.hpp"
#include "algorithms/common/host/made_words.hpp"
#include "algorithms/probe.hpp"

namespace sortlab::calibration {

struct HostBench {
  std::vector<std::unique_ptr<Arena>> arenas;  ///< one for each thread
  std::vector<int> threads;                    ///< thread counts to measure: 1 … all
  std::vector<int> lines;                      ///< sizes of a digit's buffer to measure, in cache lines
  bool quick = false;                          ///< measure fewer points
};

/// Runs body(thread) on `threads` new threads, pinned to the processors that this process may use. They start together
/// once each has done before(thread), if given. Returns the seconds from the first begin to the last end.
double timed(int threads, const std::function<void(int thread)>& body,
             const std::function<void(int thread)>& before = {});

/// Like timed(), for work that threads take piece by piece: the harmonic mean of the threads' times, which is the time
/// with perfect load balance. Processors that share their core with other work take up to twice as long as the others.
double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before = {});

/// The numbers of the processors that this process may use.
const std::vector<int>& processors();

}  // namespace sortlab::calibration
