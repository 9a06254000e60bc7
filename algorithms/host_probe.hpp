// Shared by all host probes: memory, numbers of threads, and the timing of threads' work.
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
  std::vector<std::unique_ptr<Arena>> arenas;  ///< one a thread
  std::vector<int> threads;                    ///< the numbers of threads to measure with: 1 … all
  std::vector<int> lines;                      ///< cache lines of a buffer of a digit
  bool quick = false;                          ///< fewer points will do
};

/// Runs body(thread) on `threads` threads of their own, pinned to the processors this process may use, all starting
/// together once each has done before(thread), if given. Returns seconds from the first begin to the last end.
double timed(int threads, const std::function<void(int thread)>& body,
             const std::function<void(int thread)>& before = {});

/// Like timed(), for work that threads take piece by piece: the time if idle threads took over from the others (the
/// harmonic mean of their times). Of 16 processors some share their cores with other work: the slowest takes twice as
/// long as most.
double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before = {});

/// The processors this process may use, by number.
const std::vector<int>& processors();

}  // namespace sortlab::calibration
