// Isolates a foreign library in a child process: it may hang or crash, and costs only the child and a bounded wait.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sortlab {

/// Why a child gave no answer, in one line: "no answer within 10 s", "ended by signal 11 (…)".
class ChildFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A forked child that answers questions, one line each, until it is destroyed (killed). The library's output is
/// discarded, except for the last line on standard error before it exits, which says why. Create it while the program
/// has one thread.
class BoundedChild {
 public:
  /// `answer` runs in the child, question by question; what it captures is the child's own.
  explicit BoundedChild(const std::function<std::string(std::string_view question)>& answer);
  BoundedChild(const BoundedChild&) = delete;
  BoundedChild& operator=(const BoundedChild&) = delete;
  ~BoundedChild();

  /// Throws ChildFailed if no answer comes within `limit`; the child is then gone.
  std::string ask(std::string_view question, std::chrono::milliseconds limit);

 private:
  [[noreturn]] void give_up(const std::string& why);

  pid_t child_ = -1;
  int socket_ = -1;
  int said_ = -1;  ///< what it wrote to standard error
};

}  // namespace sortlab
