// Timing of tile primitives (MB8).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/device_probe.hpp"
#include "core/cuda/occupancy.hpp"

namespace sortlab::calibration {

/// Number of waves of resident blocks: enough that the ends of the first and the last one are negligible.
inline constexpr int kWaves = 20;

/// Cycles of a multiprocessor per element of a launch.
inline double cycles_per_element(DeviceBench& bench, std::int64_t elements, const DeviceBench::Work& launch) {
  return bench.time_launches(launch) * bench.clock_hz() * bench.multiprocessors / static_cast<double>(elements);
}

inline std::string tile_table(const std::string& name) {
  return "tile." + name;
}

/// Declares the table `alone.<name>`: the additional time of one block per multiprocessor over an empty one.
void declare_alone(Rounds& rounds, const std::string& name, std::vector<std::string> arguments);

/// Adds a point of that table; `launch(stream, blocks)` launches `blocks` blocks of `threads` threads.
void add_alone(Rounds& rounds, DeviceBench& bench, const std::string& name, std::vector<double> at, unsigned threads,
               std::function<void(cudaStream_t stream, unsigned blocks)> launch);

/// Dynamic shared memory in bytes, at least `bytes`, that limits a multiprocessor to `resident` blocks of `kernel`: the
/// occupancy of the sort's own kernel, which needs more registers.
template <class Kernel>
std::uint32_t bytes_to_hold(DeviceBench& bench, Kernel* kernel, int threads, std::uint32_t bytes, int resident) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  int max_bytes = 0;
  check(cudaDeviceGetAttribute(&max_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  allow_shared_memory(kernel, static_cast<std::size_t>(max_bytes) - attributes.sharedSizeBytes);
  while (bench.resident_blocks(kernel, threads, bytes) > resident) bytes += 256;
  return bytes;
}

/// Memory to which a probe writes with negligible probability.
inline std::uint32_t* probe_output(DeviceBench& bench) {
  return reinterpret_cast<std::uint32_t*>(bench.out());
}

/// Entropies, in bits, with which digits of `bits` bits are measured: one value, all values, and between.
inline std::vector<int> entropies(int bits, bool quick) {
  if (quick) return {0, bits};
  if (bits == 4) return {0, 2, 4};
  if (bits == 5) return {0, 2, 5};
  return {0, 2, 5, bits};
}

}  // namespace sortlab::calibration
