// The test bench of CUDA's current device.
#pragma once

#include "algorithms/device_probe.hpp"
#include "core/cuda/stream_hold_and_clock.hpp"
#include "harness/measure/cuda/stream_clock.hpp"

namespace sortlab::calibration {

class CudaBench final : public DeviceBench {
 public:
  /// Allocates two arrays of at most 8 GiB, or 1 GiB if `quick`.
  CudaBench(int multiprocessors, double highest_clock_hz, bool quick);

  double time_launches(const Work& launches) override;
  double time_queued(const Work& launches) override;
  double time_one_more(const Work& launch) override;
  double count_cycles(const std::function<void(cudaStream_t stream, CycleMark* marks)>& launch) override;
  double clock_hz() override;
  /// Sum of all seconds that were timed, and of all cycles that were counted, of all multiprocessors together.
  double timed_seconds() const { return timed_s_; }
  double counted_cycles() const { return counted_cycles_; }
  const std::byte* next_words(std::size_t bytes) override;
  const std::byte* words() const override { return words_.data(); }
  std::byte* out() const override { return out_.data(); }
  std::size_t bytes() const override { return bytes_; }
  cudaStream_t stream() const override { return stream_; }

 private:
  Stream stream_;
  Event begin_;
  Event end_;
  StreamHold hold_;
  DeviceClock clock_;
  std::size_t bytes_;
  DeviceMemory words_;
  DeviceMemory out_;
  DeviceMemory marks_;
  std::size_t position_ = 0;
  double timed_s_ = 0;
  double counted_cycles_ = 0;
};

}  // namespace sortlab::calibration
