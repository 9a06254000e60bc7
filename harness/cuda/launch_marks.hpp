// What a profiler of the device is shown of a program: one sort, and where in it each kernel was launched.
#pragma once

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <string>

#include "algorithms/common/cuda/check.hpp"
#include "algorithms/common/phase_timer.hpp"

namespace sortlab {

/// A clock whose readings count themselves. From one reading to the next the calling thread is in an NVTX range named
/// "<label>_<reading>", which a profiler notes beside every kernel launched there, a library's too. Profiling is on
/// while it lives.
class LaunchMarks final : public PhaseClock {
 public:
  explicit LaunchMarks(std::string label) : label_(std::move(label)) {
    check(cudaProfilerStart());
    push();
  }
  LaunchMarks(const LaunchMarks&) = delete;
  LaunchMarks& operator=(const LaunchMarks&) = delete;
  ~LaunchMarks() override {
    nvtxRangePop();
    cudaProfilerStop();
  }

  std::int64_t read() override {
    nvtxRangePop();
    ++reading_;
    push();
    return reading_;
  }

 private:
  void push() const { nvtxRangePushA((label_ + "_" + std::to_string(reading_)).c_str()); }

  std::string label_;
  std::int64_t reading_ = 0;
};

}  // namespace sortlab
