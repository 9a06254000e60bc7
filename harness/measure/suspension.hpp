// Detects suspension of this process: by a signal (Ctrl-Z), or with the whole machine (a laptop's lid).
#pragma once

#include <cstdint>

#include "harness/measure/now_doing.hpp"

namespace sortlab {

/// A moment, to be compared with a later one by stood_still().
struct Wakefulness {
  std::uint32_t continued = 0;  ///< number of times the process continued after a stop
  std::int64_t asleep_ns = 0;   ///< time that the machine has slept since boot

  static Wakefulness now(const NowDoing& doing);
};

/// True if the process was suspended between the two moments. Such an interval is not a sort's time.
bool stood_still(const Wakefulness& before, const Wakefulness& after);

/// Counts each stop of this process in `doing` from now on, and restarts the timeout of the current step when the
/// process continues. Uses a signal handler: with a second thread, a sort's allocator and reference counts would take
/// locks that a single-threaded process does not need.
void note_continuations(NowDoing& doing);

}  // namespace sortlab
