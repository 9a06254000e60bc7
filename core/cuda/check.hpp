// Checks of CUDA calls. None goes unchecked: without a device, CUB with an ignored error is an infinitely fast sort.
#pragma once

#include <cuda_runtime.h>

#include <new>
#include <source_location>
#include <stdexcept>
#include <string>

namespace sortlab {

/// A failure of a CUDA call or of work queued before it. Most such errors are sticky: the worker process must end.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws std::bad_alloc if device memory runs out, DeviceError for any other failure.
inline void check(cudaError_t error, std::source_location where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // this one is not sticky
    throw std::bad_alloc();
  }
  throw DeviceError(std::string{cudaGetErrorName(error)} + ": " + cudaGetErrorString(error) + " (" + where.file_name() +
                    ":" + std::to_string(where.line()) + ")");
}

/// Checks the preceding launch; errors inside the kernel are reported by a later call.
inline void check_launch(std::source_location where = std::source_location::current()) {
  check(cudaGetLastError(), where);
}

}  // namespace sortlab
