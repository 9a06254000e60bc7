// The GPUs that the machine's driver shows, without linking it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace sortlab {

struct Gpus {
  std::vector<std::string> names;  ///< "NVIDIA H200"; empty if there is no working one
  std::string cuda;                ///< the newest CUDA version that the driver runs: "12.4"
  std::string reason;              ///< why there is none; empty otherwise
};

/// Those of this machine, asked for once.
const Gpus& gpus_here();

/// Queries the CUDA driver, loaded by dlopen in a child process: a broken driver hangs or crashes when it starts.
/// `library` is the name passed to dlopen.
Gpus find_gpus(const std::string& library = "libcuda.so.1", std::chrono::milliseconds limit = std::chrono::seconds{20});

}  // namespace sortlab
