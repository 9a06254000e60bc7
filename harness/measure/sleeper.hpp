// Detects that something outside stopped all threads of this process for a moment, as where a control group is frozen.
// The threads' own times cannot tell: a parallel sort's threads sleep at barriers, too.
#pragma once

#include <cstdint>
#include <thread>

#include "core/descriptor.hpp"
#include "core/raw_clock.hpp"
#include "harness/machine/thread_times.hpp"

namespace sortlab {

/// A thread that sleeps, waiting for what never comes. To stop a process the kernel wakes all its sleeping threads, so
/// that this one gets a processor if, and only if, the process was stopped: by the freezer of a control group (versions
/// 1 and 2), a stop signal, or the sleep of the machine. A read of an eventfd is a sleep that the freezer of version 1
/// does interrupt; it lets threads that wait for a futex, a timer or a socket sleep on (TASK_FREEZABLE).
///
/// It costs no time while it sleeps, but makes its process one of several threads, in which allocators and reference
/// counts take locks: not for sorts of one thread. It does not see what stops other threads alone (a control group
/// of version 1 that holds only some of the threads, a debugger), nor a pause of the whole virtual machine.
class Sleeper {
 public:
  /// Starts the thread. Throws std::system_error if none can be started.
  Sleeper();
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper();

  /// Number of times that the thread got a processor; 0 where the kernel does not tell.
  std::uint64_t times_woken() const;

 private:
  Descriptor never_;      ///< an eventfd that nobody writes to before the end
  Descriptor schedstat_;  ///< the thread's own, in /proc
  std::thread thread_;
};

/// State of the threads at one moment, which stood_still_s() compares.
struct ThreadsAt {
  RawClock::time_point time{};
  std::uint64_t times_woken = 0;
  ThreadTimes threads{};

  /// Without a sleeper no stop is seen.
  static ThreadsAt now(const Sleeper* sleeper);
};

/// The most seconds for which all threads can have stood still between two moments: 0 if nothing stopped them, else
/// the time in which even the busiest neither worked nor waited for a processor. Threads that have ended meanwhile
/// lower no bound.
double stood_still_s(const ThreadsAt& before, const ThreadsAt& after);

}  // namespace sortlab
