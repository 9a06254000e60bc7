// A child process: how each program that Sortlab starts is started, waited for, bounded and ended.
//
// Boost.Process would leave most of this to us: Debian 12 has its first version, which is deprecated and knows neither
// the parent's death nor limits.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sortlab {

/// Program, environment and descriptors of a child. Descriptors other than 0, 1, 2 and those named here are closed in
/// it if they are marked close-on-exec, as all of ours are.
struct ChildSetup {
  std::vector<std::string> words{};                     ///< the program's path, and its arguments
  std::string name{};                                   ///< the program's first word, where that is not its path
  std::function<bool(std::string_view name)> passes{};  ///< true for our variables that it gets; null: all
  std::vector<std::pair<std::string, std::string>> environment{};  ///< added to these, in place of such variables
  std::vector<std::pair<int, int>> descriptors{};                  ///< {ours, the number that the child has it by}
  std::vector<int> ignored_signals{};
  int death_signal = 0;    ///< signal that it gets when the thread that starts it ends; 0: none
  bool own_group = false;  ///< a process group of its own, which ends with it
};

/// One child. It is killed with the object, if it still runs then, and leaves no zombie.
class ChildProcess {
 public:
  /// Starts a program. Throws std::system_error that names it.
  explicit ChildProcess(const ChildSetup& setup);
  /// Runs `body` in a copy of this process, with the setup's descriptors and death signal; `body` does not return.
  /// For a process with one thread.
  ChildProcess(const ChildSetup& setup, const std::function<void()>& body);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }  ///< -1 once it has been waited for
  void kill(int signal) const;        ///< the process alone; nothing once it has been waited for
  /// Kills it, and its group where that is its own. Waits for it and returns its wait status (see waitpid).
  int end();
  /// Waits for its end; returns its wait status. The group's other processes are killed.
  int wait();
  /// Waits up to `limit`; nothing if it still runs.
  std::optional<int> wait_for(std::chrono::milliseconds limit);

 private:
  int reaped(int status);

  pid_t pid_ = -1;
  bool own_group_;
};

/// Text that a program printed, on standard output and standard error together.
struct ChildOutput {
  std::string text;  ///< the first `kMaxOutputBytes` of it
  int status = 0;    ///< its wait status
  bool too_long = false;
};
inline constexpr std::size_t kMaxOutputBytes = std::size_t{64} << 20;

/// Runs a program to its end, in a process group of its own. `too_long` is polled several times a second; once true,
/// the program gets SIGTERM, on which it may write what it has, and is killed `grace` later. Throws std::system_error
/// where it cannot be started.
ChildOutput run_child(ChildSetup setup, const std::function<bool()>& too_long,
                      std::chrono::milliseconds grace = std::chrono::seconds{20});

/// Returns the text that a program prints, empty if it cannot be started, or nothing if that takes more than 20 s.
std::optional<std::string> capture_output(ChildSetup setup);

/// Replaces this process by a program, which is looked for on PATH unless it is named with a folder. Descriptors and
/// signals stay as they are. Returns if the program cannot be executed; errno has the reason.
void replace_process(const ChildSetup& setup);

}  // namespace sortlab
