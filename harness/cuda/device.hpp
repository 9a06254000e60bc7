// A CUDA device as the testbeds use it: its facts, a stream, its clock, and values that the host sees, too.
#pragma once

#include "algorithms/common/cuda/check.hpp"
#include "harness/testbed.hpp"

namespace sortlab {

DeviceFacts facts_of(int device);

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
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

/// The clock of the multiprocessors, counted against the device's timer for about 0.1 ms.
class DeviceClock {
 public:
  /// Counts once the stream has done what it was given.
  void watch(cudaStream_t stream);
  /// In hertz, once the stream is done.
  double hz() const { return 1e9 * *cycles_a_nanosecond_; }

 private:
  Shared<double> cycles_a_nanosecond_;
};

/// What f() returns. Errors of the device other than want of memory stay with the process: TestbedLost.
template <class F>
auto guarded(F&& f) {
  try {
    return f();
  } catch (const DeviceError& error) {
    throw TestbedLost(error.what());
  }
}

#ifdef __CUDACC__
inline __device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
#endif

}  // namespace sortlab
