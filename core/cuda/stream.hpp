// A CUDA stream, and the tools for timing work on it.
#pragma once

#include "core/cuda/check.hpp"

namespace sortlab {

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  // NOLINTNEXTLINE(google-explicit-constructor): used wherever CUDA takes a stream
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A value visible to host and device.
template <class T>
class Shared {
 public:
  Shared() { check(cudaHostAlloc(&value_, sizeof(T), cudaHostAllocMapped)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { cudaFreeHost(value_); }
  T* address() const { return value_; }
  volatile T& operator*() const { return *value_; }

 private:
  T* value_ = nullptr;
};

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
