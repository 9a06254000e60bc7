// The GPUs that the machine's driver reports, found without linking the driver.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace sortlab {

struct Gpus {
  std::vector<std::string> names;  ///< "NVIDIA H200"; empty if there is no working GPU
  std::string cuda;                ///< newest CUDA version that the driver supports: "12.4"
  std::string reason;              ///< reason there is none; empty otherwise
};

/// The GPUs of this machine, queried once.
const Gpus& gpus_here();

/// Queries the CUDA driver, which is loaded with dlopen in a child process, since a broken driver hangs or crashes at
/// its start. `library`: name passed to dlopen.
Gpus find_gpus(const std::string& library = "libcuda.so.1", std::chrono::milliseconds limit = std::chrono::seconds{20});

}  // namespace sortlab
