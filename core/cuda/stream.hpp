// A CUDA stream, and a value that host and device share.
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

}  // namespace sortlab
