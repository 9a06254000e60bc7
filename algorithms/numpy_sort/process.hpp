// A Python process that sorts an array in shared memory, and times its own call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/descriptor.hpp"

namespace sortlab::numpy {

/// The task of a process.
struct Request {
  std::string dtype;  ///< NumPy's name of the key type: uint32 …
  std::string kind;   ///< parameter `kind` of np.sort
  std::size_t bytes = 0;
  std::vector<int> cpus{};  ///< processors to run on; empty: any
};

/// A Python process with the lifetime of this object. It ends when its socket closes, even if we crash.
class Process {
 public:
  /// Throws std::runtime_error with the cause, or std::bad_alloc.
  explicit Process(const Request& request);

  void* shared() const { return memory_.data(); }  ///< the array, touched on both sides
  /// Sorts the whole array. Returns the seconds of the call by Python's clock.
  double sort();

 private:
  SharedMemory memory_;
  Descriptor socket_{};
};

}  // namespace sortlab::numpy
