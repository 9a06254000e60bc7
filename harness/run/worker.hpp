// The process that runs sorts, so that none of them can crash the run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "harness/measure/now_doing.hpp"
#include "harness/run/line_channel.hpp"

namespace sortlab {

/// The first argument that makes this program a worker: `sortlab worker`. Not for users.
inline constexpr const char* kWorkerCommand = "worker";

/// The life of a worker: blocks from the supervisor's socket, events back, until the socket closes. Returns the exit
/// status. Any program whose main() calls this for kWorkerCommand can be its own supervisor; its plug-ins are then
/// those measured.
int worker_main();

/// A worker as its supervisor sees it. It dies with its supervisor.
class WorkerProcess {
 public:
  /// Starts this program again as a worker. `memory_bytes` of data are the most it may allocate. Throws
  /// std::system_error.
  explicit WorkerProcess(std::uint64_t memory_bytes);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();  ///< kills it if it still runs

  LineChannel& channel() { return *channel_; }
  const NowDoing& now() const { return *now_; }
  pid_t pid() const { return pid_; }
  void kill();  ///< with the processes that it started
  /// Whether a signal or a debugger has stopped it.
  bool is_stopped() const;
  /// Waits for its end and returns its wait status (see waitpid).
  int wait();

 private:
  pid_t pid_ = -1;
  std::unique_ptr<LineChannel> channel_;
  NowDoing* now_ = nullptr;
};

}  // namespace sortlab
