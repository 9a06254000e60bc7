// A Python process that sorts an array which it shares with us, and times its own call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sortlab::numpy {

/// The task of a process.
struct Request {
  std::string dtype;  ///< NumPy's name: uint32 …
  std::string kind;   ///< of np.sort
  std::size_t bytes = 0;
  std::vector<int> cpus{};  ///< to run on; empty: any
};

/// Lives as long as this object: it ends when its socket closes, even if we crash.
class Process {
 public:
  /// Throws std::runtime_error with what went wrong, std::bad_alloc.
  explicit Process(const Request& request);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  void* shared() const { return shared_; }  ///< the array, touched on both sides
  /// Sorts all of it. Returns the seconds of the call by Python's clock.
  double sort();

 private:
  Process() = default;  // what holds nothing yet: a constructor that throws after it is undone by the destructor

  void* shared_ = nullptr;
  std::size_t bytes_ = 0;
  int socket_ = -1;
};

}  // namespace sortlab::numpy
