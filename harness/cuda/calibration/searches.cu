// MB3: binary searches, one a thread, for what cuts merges at splitters or along a path.
#include <algorithm>
#include <memory>

#include "harness/cuda/calibration/hash.cuh"
#include "harness/cuda/calibration/probes.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kThreads = 256;
constexpr int kSearches = 4096;

__global__ void fill_ascending(std::uint32_t* words, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) words[i] = i;
}

/// Each thread looks for a word of its own.
__global__ void __launch_bounds__(kThreads)
    search(const std::uint32_t* words, std::uint32_t count, std::uint32_t seed, std::uint32_t* out) {
  const std::uint32_t wanted = hash(seed * kSearches + blockIdx.x * kThreads + threadIdx.x) & (count - 1);
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (words[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low != wanted) *out = low;  // never
}

}  // namespace

void add_search_probes(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("search", "s",
                 "MB3: a kernel of 4096 threads, each of which finds a random word among the sorted 4-byte words of "
                 "'bytes' bytes, one after another, launches included",
                 {"bytes"});
  const std::size_t most = std::min(bench.bytes(), 1 * GiB);
  const auto memory = std::make_shared<DeviceMemory>(most);
  auto* const words = memory->data<std::uint32_t>();
  fill_ascending<<<16 * bench.multiprocessors, kThreads, 0, bench.stream()>>>(
      words, static_cast<std::uint32_t>(most / sizeof(std::uint32_t)));
  check_launch();
  for (const std::size_t bytes : {64 * KiB, 1 * MiB, 16 * MiB, 64 * MiB, 256 * MiB, 1 * GiB}) {
    if (bytes > most) continue;
    rounds.add("search", {static_cast<double>(bytes)}, [&bench, memory, words, bytes, seed = 0u]() mutable {
      constexpr int times = 16;
      return bench.seconds_of([&](cudaStream_t stream) {
        for (int i = 0; i < times; ++i) {
          search<<<kSearches / kThreads, kThreads, 0, stream>>>(
              words, static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t)), seed++,
              reinterpret_cast<std::uint32_t*>(bench.out()));
        }
      }) / times;
    });
  }
}

}  // namespace sortlab::calibration
