// Detects suspension of this process: by a signal (Ctrl-Z), or with the whole machine (a laptop's lid).
#pragma once

#include <cstdint>

#include "harness/measure/now_doing.hpp"

namespace sortlab {

/// A moment, for telling whether the process was suspended since.
struct Wakefulness {
  std::uint32_t continued = 0;  ///< how often the process continued after a stop
  std::int64_t asleep_ns = 0;   ///< how long the machine has slept since boot

  static Wakefulness now(const NowDoing& doing);
};

/// Whether the process was suspended between the two: such an interval is not a sort's time.
bool stood_still(const Wakefulness& before, const Wakefulness& after);

/// From now on each stop of this process counts in `doing`, and the current step's timeout restarts when the process
/// continues. A signal handler, not a thread that ticks: a second thread would make each sort's allocator and reference
/// counts take locks that a sort of one thread does without.
void note_continuations(NowDoing& doing);

}  // namespace sortlab
