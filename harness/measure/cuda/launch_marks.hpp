// Marks for a device profiler: the extent of one sort, and the position of each kernel launch in it.
#pragma once

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <functional>
#include <string>

#include "algorithms/phase_timer.hpp"
#include "core/cuda/check.hpp"

namespace sortlab {

/// A clock that counts its readings. Between two readings the calling thread is in an NVTX range named
/// "<label>_<reading>", which a profiler records with every kernel launched there, including those of libraries.
/// Profiling is on after the readings for which `shown` is true (0: before the first), and off again at the end.
class LaunchMarks final : public PhaseClock {
 public:
  LaunchMarks(std::string label, std::function<bool(std::int64_t)> shown)
      : label_(std::move(label)), shown_(std::move(shown)) {
    begin();
  }
  LaunchMarks(const LaunchMarks&) = delete;
  LaunchMarks& operator=(const LaunchMarks&) = delete;
  ~LaunchMarks() override {
    nvtxRangePop();
    if (on_) cudaProfilerStop();
  }

  std::int64_t read(int /*lane*/) override {
    nvtxRangePop();
    ++reading_;
    begin();
    return reading_;
  }

 private:
  void begin() {
    nvtxRangePushA((label_ + "_" + std::to_string(reading_)).c_str());
    if (on_ == shown_(reading_)) return;
    on_ = !on_;
    check(on_ ? cudaProfilerStart() : cudaProfilerStop());
  }

  std::string label_;
  std::function<bool(std::int64_t)> shown_;
  bool on_ = false;
  std::int64_t reading_ = 0;
};

}  // namespace sortlab
