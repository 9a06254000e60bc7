// NVIDIA's kernel profiler, Nsight Compute's `ncu`: finding it, and running it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/count/counting_failed.hpp"

namespace sortlab {

struct Ncu {
  std::string path;     ///< empty: there is none
  std::string version;  ///< "2025.3.1.0"
  std::string reason;   ///< why there is none; empty otherwise
};

/// The one at `given`; if that is empty, on PATH or where CUDA and Nsight Compute are installed. Asks it for its
/// version.
Ncu find_ncu(const std::string& given = {});

/// Those of `metrics` that ncu knows for this device. One that the device lacks (a pipe, say) would make ncu refuse
/// all.
std::vector<std::string> known_to(const Ncu& ncu, const std::vector<std::string>& metrics);

struct NcuRun {
  std::string log;        ///< what ncu wrote: its messages, and the kernels as CSV
  bool too_long = false;  ///< ended by us
};

/// Runs `program` under ncu, with counters collected of kernels between cudaProfilerStart and Stop: each kernel as
/// often as `metrics` need, its memory restored and the caches flushed before each time. `too_long` is polled several
/// times a second whether to end it. Throws CountingFailed if ncu cannot start.
NcuRun run_under_ncu(const Ncu& ncu, const std::vector<std::string>& metrics, const std::vector<std::string>& program,
                     const std::function<bool()>& too_long);

/// What ncu's log says went wrong, or nothing. A missing permission is told with its remedy.
std::string complaint_of(const std::string& log);

}  // namespace sortlab
