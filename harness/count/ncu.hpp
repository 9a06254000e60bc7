// NVIDIA's kernel profiler, `ncu` of Nsight Compute: finds it, and runs it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/count/counting_failed.hpp"

namespace sortlab {

struct Ncu {
  std::string path;     ///< empty: not found
  std::string version;  ///< "2025.3.1.0"
  std::string reason;   ///< reason it was not found; empty otherwise
};

/// Finds ncu at `given`, or, if that is empty, on PATH or in the folders of CUDA and Nsight Compute. Asks for its
/// version.
Ncu find_ncu(const std::string& given = {});

/// The subset of `metrics` that ncu knows for this device. A metric that the device lacks would make ncu refuse all.
std::vector<std::string> known_metrics(const Ncu& ncu, const std::vector<std::string>& metrics);

struct NcuRun {
  std::string log;        ///< output of ncu: its messages, and the kernels as CSV
  bool too_long = false;  ///< true if we ended it
};

/// Runs `program` under ncu, which counts kernels between cudaProfilerStart and Stop. It replays each kernel as often
/// as `metrics` need, with its memory restored and the caches flushed before each replay. `too_long` is polled several
/// times a second; once true, ncu is ended. Throws CountingFailed if ncu cannot start.
NcuRun run_under_ncu(const Ncu& ncu, const std::vector<std::string>& metrics, const std::vector<std::string>& program,
                     const std::function<bool()>& too_long);

/// The error in ncu's log, or an empty string. A missing permission comes with its remedy.
std::string find_complaint(const std::string& log);

}  // namespace sortlab
