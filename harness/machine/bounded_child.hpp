// Isolates a foreign library in a child process. If the library hangs or crashes, it costs only the child and a bounded
// wait.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/child_process.hpp"
#include "core/descriptor.hpp"

namespace sortlab {

/// Thrown if a child gives no answer, with the reason in one line: "no answer within 10 s", "ended by signal 11 (…)".
class ChildFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A forked child that answers questions, one line each, until this object is destroyed. The library's output is
/// discarded, except for its last line on standard error, which explains a failure. Create it while the program has one
/// thread.
class BoundedChild {
 public:
  /// `answer` runs in the child for each question. Its captures are copies of the child.
  explicit BoundedChild(const std::function<std::string(std::string_view question)>& answer);

  /// Asks a question. Throws ChildFailed if no answer comes within `limit`; the child is then dead.
  std::string ask(std::string_view question, std::chrono::milliseconds limit);

 private:
  [[noreturn]] void give_up(const std::string& why);

  Descriptor said_;  ///< the child's standard error
  Descriptor socket_{};
  std::unique_ptr<ChildProcess> child_{};
};

}  // namespace sortlab
