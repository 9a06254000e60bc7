// Tools for timing work on a CUDA stream: the work is held back until all is queued, and the multiprocessors' clock is
// measured.
#pragma once

#include "core/cuda/stream.hpp"

namespace sortlab {

/// Holds back work queued on a stream, by a kernel that waits for the host. Work that itself waits for the device
/// cannot be held: the hold then ends by itself after half a second.
class StreamHold {
 public:
  void begin(cudaStream_t stream);
  /// Releases the stream. Returns false if the hold had already ended; meaningless without begin().
  bool end();

 private:
  Shared<int> released_;
};

/// Measures the multiprocessors' clock over 0.1 ms, by a kernel that compares one multiprocessor's cycle counter with
/// the device's timer.
class DeviceClock {
 public:
  /// Queues the measurement.
  void watch(cudaStream_t stream);
  /// The clock in Hz; valid once the stream has finished.
  double hz() const;

 private:
  Shared<double> cycles_a_nanosecond_;
};

}  // namespace sortlab
