// Micro-benchmark MB3: the latency of dependent loads, and the bandwidth as a function of the loads in flight (Little's
// law).
#include <algorithm>
#include <memory>

#include "algorithms/common/cuda/cycle_marks.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kLine = 128;  // bytes

/// Links all of `lines` lines, a power of two, into one cycle without a constant stride, by a linear congruential
/// generator of full period (Hull and Dobell 1962; the constants of Numerical Recipes). The first word of each line is
/// the address of the next line.
__global__ void tie_cycle(std::byte* first, std::size_t lines) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= lines) return;
  const std::size_t next = (i * 1664525 + 1013904223) & (lines - 1);
  *reinterpret_cast<std::byte**>(first + i * kLine) = first + next * kLine;
}

/// Reads the working set, so that as much of it as fits is in the second-level cache.
__global__ void touch(const uint4* words, std::size_t count, std::uint32_t* sink) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint4 word = __ldcg(words + i);
  if ((word.x & word.y & word.z & word.w) == 0x9e3779b9) *sink = word.x;  // hardly ever
}

/// Follows the cycle from the end of the last call. The first `warm` steps are not timed: they fill the first-level
/// cache.
__global__ void chase(std::byte** position, int warm, int steps, CycleMark* marks) {
  std::byte* at = *position;
  for (int i = 0; i < warm; ++i) at = *reinterpret_cast<std::byte**>(at);
  *position = at;
  mark_begin(marks);
#pragma unroll 16
  for (int i = 0; i < steps; ++i) at = *reinterpret_cast<std::byte**>(at);
  *position = at;
  mark_end(marks);
}

/// A cycle through `bytes` bytes, and the present position in it.
struct Cycle {
  Cycle(std::size_t bytes, cudaStream_t stream) : lines(bytes / kLine), memory(bytes), position(sizeof(std::byte*)) {
    tie_cycle<<<static_cast<unsigned>((lines + 255) / 256), 256, 0, stream>>>(memory.data(), lines);
    std::byte* const first = memory.data();
    check(cudaMemcpyAsync(position.data(), &first, sizeof first, cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
  }
  std::size_t lines;
  DeviceMemory memory;
  DeviceMemory position;
};

void add_latency(Rounds& rounds, DeviceBench& bench) {
  rounds.declare(
      "latency", "s",
      "MB3: a chain of dependent loads of one thread, one a line of 128 bytes, in no order; a set of 'bytes' "
      "that was read just before",
      {"bytes"});
  constexpr std::size_t first_level = 256 * KiB;  // larger working sets do not fit into it
  for (const std::size_t bytes :
       {16 * KiB, 64 * KiB, 1 * MiB, 4 * MiB, 16 * MiB, 32 * MiB, 64 * MiB, 256 * MiB, 1 * GiB}) {
    if (bytes > bench.bytes() || (bench.quick && bytes > 256 * MiB)) continue;
    auto cycle = std::make_shared<Cycle>(bytes, bench.stream());
    rounds.add("latency", {static_cast<double>(bytes)}, [&bench, cycle] {
      constexpr int steps = 1024;
      const std::size_t words = cycle->memory.size() / sizeof(uint4);
      const int warm = cycle->lines * kLine < first_level ? static_cast<int>(cycle->lines) : 64;
      const double cycles = bench.count_cycles([&](cudaStream_t stream, CycleMark* marks) {
        touch<<<static_cast<unsigned>((words + 255) / 256), 256, 0, stream>>>(
            cycle->memory.data<uint4>(), words, reinterpret_cast<std::uint32_t*>(bench.out()));
        chase<<<1, 1, 0, stream>>>(cycle->position.data<std::byte*>(), warm, steps, marks);
      });
      return cycles / steps / bench.clock_hz();
    });
  }
}

/// Lets every warp read lines in turn, `loads` lines at a time.
template <int loads>
__global__ void keep_in_flight(const std::uint32_t* from, int iterations, std::uint32_t* sink) {
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const std::uint32_t* at = from + warp * loads * 32 + threadIdx.x % 32;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    std::uint32_t words[loads];
#pragma unroll
    for (int j = 0; j < loads; ++j) words[j] = __ldcg(at + 32 * j);
#pragma unroll
    for (int j = 0; j < loads; ++j) sum ^= words[j];
    at += warps * loads * 32;
    if (sum == 0x9e3779b9) at -= 32;  // hardly ever, but the next loads cannot begin before these have ended
  }
  if (sum == 0) *sink = sum;
}

template <int loads>
void add_in_flight(Rounds& rounds, DeviceBench& bench) {
  for (const int warps : {1, 2, 4, 8, 16, 32, 64}) {
    if (bench.quick && (warps == 2 || warps == 8 || warps == 32)) continue;
    const int blocks = std::max(1, warps / 32);
    const int threads = 32 * warps / blocks;
    if (bench.resident_blocks(keep_in_flight<loads>, threads) < blocks) continue;
    rounds.add("in_flight", {static_cast<double>(warps), loads}, [&bench, warps, blocks, threads] {
      const std::size_t at_once = std::size_t{4 * 32} * loads * warps * bench.multiprocessors;
      const std::size_t iterations = std::min<std::size_t>(512, std::min(2 * GiB, bench.bytes()) / at_once);
      const std::byte* const from = bench.next_words((at_once * iterations + 4 * KiB - 1) / (4 * KiB) * (4 * KiB));
      const double seconds = bench.time_launches([&](cudaStream_t stream) {
        keep_in_flight<loads><<<blocks * bench.multiprocessors, threads, 0, stream>>>(
            reinterpret_cast<const std::uint32_t*>(from), static_cast<int>(iterations),
            reinterpret_cast<std::uint32_t*>(bench.out()));
      });
      return static_cast<double>(at_once * iterations) / seconds;
    });
  }
}

void add_latency_probes(Rounds& rounds, DeviceBench& bench) {
  add_latency(rounds, bench);
  rounds.declare(
      "in_flight", "B/s",
      "MB3: reading memory with 'warps' warps a multiprocessor, each of which has 'loads' loads of 4 bytes a "
      "thread in flight",
      {"warps", "loads"});
  add_in_flight<1>(rounds, bench);
  add_in_flight<2>(rounds, bench);
  add_in_flight<4>(rounds, bench);
  add_in_flight<8>(rounds, bench);
  add_in_flight<16>(rounds, bench);
}

const RegisterProbe latency_probes{DeviceProbe{"latency", TableKind::hardware, add_latency_probes}};

}  // namespace

}  // namespace sortlab::calibration
