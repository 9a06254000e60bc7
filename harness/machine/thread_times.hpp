// Processor time and waiting of this process's threads, as the kernel counts them. They tell if a sort had the
// processors that it was given, and if anything of it goes on after it has returned.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace sortlab {

/// Processor time and waiting of each living thread of this process at one moment (schedstat).
class ThreadTimes {
 public:
  /// Takes some microseconds for each thread.
  static ThreadTimes now();

  /// Seconds that the threads were ready to run and waited for a processor.
  double waited_s() const;

  /// Seconds that the busiest of the threads worked or waited for a processor since `before`. Threads that have ended
  /// do not count.
  double busiest_s(const ThreadTimes& before) const;

 private:
  struct OneThread {
    long number = 0;
    double worked_s = 0;
    double waited_s = 0;
  };
  std::vector<OneThread> threads_{};
};

/// Processor seconds of the calling thread.
double caller_processor_s();

/// Processor seconds of all threads but the caller, ended ones too, and of child processes that were waited for.
double others_processor_s();

/// Seconds that the calling thread was ready to run and waited for a processor; takes about a microsecond.
double caller_waited_s();

/// The same for a thread that asks once, at its end: keeps no file open.
double caller_waited_once_s();

/// Seconds for which interrupts, or the host of a virtual machine, took these processors (irq, softirq and steal in
/// /proc/stat), in steps of kTakenStep_s. Takes about 0.1 ms; 0 where it is not told.
double taken_s(const std::vector<int>& cpus);
inline constexpr double kTakenStep_s = 0.01;

/// Minor page faults of all threads so far.
std::int64_t page_faults();

/// Pages that this process had to wait for, since they were read from a disk or from swap.
std::int64_t pages_read();

/// Number of living child processes.
int child_processes();

/// Times of the living processes below this one, the sum over their threads.
struct ChildrenTimes {
  double worked_s = 0;
  double waited_s = 0;  ///< ready to run, for a processor
};

/// Takes some microseconds for each of these processes. A thread that runs counts as of the scheduler's last tick.
ChildrenTimes children_times();

/// Waits until no thread of this process but the caller runs, for at most `patience`. False if one still does.
bool wait_until_alone(std::chrono::duration<double> patience);

}  // namespace sortlab
