// Micro-benchmark MB12: overlap of a copy with other work of the same kernel, with and without barriers between its
// stages.
#include <algorithm>
#include <cmath>
#include <string>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/common/host/overlap_exponent.hpp"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kOverlapThreads = 256;
constexpr int kItems = 16;  ///< words per thread
constexpr std::size_t kTile = kOverlapThreads * kItems * sizeof(std::uint32_t);

enum class Work : std::uint8_t {
  alu,     ///< per word, a multiplication and a shift with addition
  shared,  ///< per word, the increment of a counter in shared memory that a byte of the word selects
};

/// Loads a tile, works on it `times` times, and stores it. Without `copies` the words are computed and dropped.
template <Work work, bool barrier>
__global__ void __launch_bounds__(kOverlapThreads)
    work_on_tile(const std::uint32_t* from, std::uint32_t* to, int times, bool copies) {
  __shared__ std::uint32_t counters[work == Work::shared ? 256 : 1];  // unused result
  const std::size_t first = std::size_t{blockIdx.x} * kOverlapThreads * kItems + threadIdx.x;
  std::uint32_t words[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const auto made =
        static_cast<std::uint32_t>(first) + i;  // for arithmetic this is as cheap as a load; digits need more
    words[i] = copies ? __ldcg(from + first + i * kOverlapThreads) : work == Work::shared ? hash(made) : made;
  }
  if constexpr (barrier) __syncthreads();
#pragma unroll 1
  for (int time = 0; time < times; ++time) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if constexpr (work == Work::alu) {
        words[i] = words[i] * 0x85ebca6b + 1;
        words[i] ^= words[i] >> 15;
      } else {
        atomicAdd(&counters[words[i] >> (time % 4 * 8) & 0xff], 1U);
      }
    }
  }
  if constexpr (barrier) __syncthreads();
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (copies) to[first + i * kOverlapThreads] = words[i];
    sum += words[i];
  }
  if (!copies && sum == 0) to[first] = sum;  // hardly ever
}

template <Work work, bool barrier>
double seconds(DeviceBench& bench, int times, bool copies) {
  const std::size_t bytes = std::min(1 * GiB, bench.bytes());  // read, and as many written
  return bench.time_launches([&](cudaStream_t stream) {
    work_on_tile<work, barrier><<<static_cast<unsigned>(bytes / kTile), kOverlapThreads, 0, stream>>>(
        reinterpret_cast<const std::uint32_t*>(bench.words()), reinterpret_cast<std::uint32_t*>(bench.out()), times,
        copies);
  });
}

template <Work work, bool barrier>
void add_mix(Rounds& rounds, DeviceBench& bench, const std::string& name) {
  const std::string table = "overlap." + name + (barrier ? "_barrier" : "");
  rounds.declare(table, "exponent",
                 std::string{"MB12: p of ‖copying, working‖ = both in a kernel, as much of each"} +
                     (barrier ? ", with barriers of 256 threads between loading, working and storing" : ""),
                 {});
  constexpr int few = 8;
  seconds<work, barrier>(bench, few, true);  // the first launch loads the kernel
  const double copying = seconds<work, barrier>(bench, 0, true);
  const double working = seconds<work, barrier>(bench, few, false);
  const int times = std::max(1, static_cast<int>(std::lround(few * copying / working)));
  rounds.add(table, {}, [&bench, times] {
    return overlap_exponent(seconds<work, barrier>(bench, 0, true), seconds<work, barrier>(bench, times, false),
                            seconds<work, barrier>(bench, times, true));
  });
}

void add_overlap_probes(Rounds& rounds, DeviceBench& bench) {
  add_mix<Work::alu, false>(rounds, bench, "copy_alu");
  add_mix<Work::alu, true>(rounds, bench, "copy_alu");
  add_mix<Work::shared, false>(rounds, bench, "copy_shared");
  add_mix<Work::shared, true>(rounds, bench, "copy_shared");
}

const RegisterProbe overlap_probes{DeviceProbe{"overlap", TableKind::hardware, add_overlap_probes}};

}  // namespace

}  // namespace sortlab::calibration
