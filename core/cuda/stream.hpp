// A stream of a device and what is done to it to time work on it.
#pragma once

#include "core/cuda/check.hpp"

namespace sortlab {

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever CUDA takes a stream
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A value that host and device both see.
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

/// Keeps a stream from running what is queued behind, by a kernel that waits for the host. Work that itself waits for
/// the device cannot be held: the hold then ends by itself, after half a second.
class StreamHold {
 public:
  void begin(cudaStream_t stream);
  /// Lets the stream go. False if it had gone before; without begin() the answer means nothing.
  bool end();

 private:
  Shared<int> released_;
};

/// The clock of the multiprocessors, watched for 0.1 ms by a kernel that counts the cycles of one against the device's
/// timer.
class DeviceClock {
 public:
  /// Queues the watching.
  void watch(cudaStream_t stream);
  /// What was seen, in Hz; once the stream is done.
  double hz() const;

 private:
  Shared<double> cycles_a_nanosecond_;
};

}  // namespace sortlab
