// The process that runs sorts, so that no sort can crash the run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/child_process.hpp"
#include "core/descriptor.hpp"
#include "harness/measure/now_doing.hpp"
#include "harness/run/line_channel.hpp"

namespace sortlab {

/// The internal command that makes this program a worker: `sortlab worker`.
inline constexpr const char* kWorkerCommand = "worker";

/// Runs a worker: receives blocks from the supervisor's socket and sends events back, until the socket closes. Returns
/// the exit status. Any program whose main() calls this for kWorkerCommand can be its own supervisor, and measures its
/// plug-ins.
int worker_main();

/// Description of a worker's end, with the signal's name if a signal ended it.
struct Death {
  std::string reason;
  std::string signal;
};

/// `wait_status`: see waitpid.
Death describe_death(int wait_status);

/// The supervisor's handle of a worker, which dies with its supervisor.
class WorkerProcess {
 public:
  /// Starts this program again as a worker, which may allocate at most `memory_bytes` of data. Throws
  /// std::system_error.
  explicit WorkerProcess(std::uint64_t memory_bytes);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();  ///< kills the worker if it still runs

  LineChannel& channel() { return *channel_; }
  const NowDoing& now() const { return *now_; }
  pid_t pid() const { return child_->pid(); }
  void kill();  ///< kills the worker and the processes that it started
  /// True if a signal or a debugger has stopped the worker.
  bool is_stopped() const;
  /// Waits for the end of the worker and returns its wait status (see waitpid).
  int wait() { return child_->wait(); }

 private:
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<LineChannel> channel_;
  SharedMemory page_;
  const NowDoing* now_;  ///< in page_
};

}  // namespace sortlab
