// Programs that look into this one while it runs, and slow its threads: tracers, debuggers, probes.
#pragma once

#include <chrono>
#include <filesystem>

#include "core/raw_clock.hpp"

namespace sortlab {

/// True if a tracer or debugger is attached to the calling thread.
bool is_traced();

/// True if the code of this process is not what its files hold: perf, bpftrace and others set a probe by writing a
/// breakpoint into it. Found by pages of code that are no longer the file's. `process` is a folder of /proc. False
/// where the system does not tell.
bool is_code_changed(const std::filesystem::path& process = "/proc/self");

/// Looks for both around samples, and for changed code not so often that it would take a run's time.
class TracingWatch {
 public:
  bool finds_any();

 private:
  bool is_changed_ = false;
  RawClock::time_point at_{};
  std::chrono::duration<double> least_{20e-3};  ///< between two looks at the code; more where one takes long
};

}  // namespace sortlab
