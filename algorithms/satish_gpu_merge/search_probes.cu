// MB3: binary searches, one per thread, which divide merges of sorted runs into pieces. Neighbouring threads probe the
// same positions in the first steps, but not in the last.
#include <algorithm>
#include <memory>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"
#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab::calibration {
namespace {

using gpu_merge::Cut;

constexpr std::uint32_t kThreads = 256;

/// An array of neighbouring runs of the same length, whose words are their positions. Runs are treated as equal: the
/// i-th word of one belongs between the i-th of the other and the next.
struct Runs {
  const std::uint32_t* words;
  std::uint32_t count;
  std::uint32_t run;
  std::uint32_t spacing;  ///< words per search

  /// The words of the run at `first`, counted from 0.
  __device__ auto counted(std::uint32_t first) const {
    return [this, first](std::uint32_t i) { return words[first + i] - first; };
  }
  __device__ std::uint32_t number() const { return blockIdx.x * kThreads + threadIdx.x; }
  /// The distance between equal positions of two runs.
  __device__ std::uint32_t shift() const { return hash(number()) % spacing; }
};

/// Rank of every spacing-th word in the partner run: one access per step.
__global__ void __launch_bounds__(kThreads) place_splitters(Runs runs, Cut* cuts) {
  const std::uint32_t at = runs.number() * runs.spacing;
  if (at >= runs.count) return;
  const std::uint32_t own = at / runs.run * runs.run, other = own ^ runs.run;
  const auto word = runs.counted(other);
  const std::uint32_t wanted = at - own + runs.shift();
  cuts[runs.number()] = {at, other + count_before(runs.run, [&](std::uint32_t i) { return word(i) < wanted; })};
}

/// Crossing of the merge path of two runs with every spacing-th diagonal: two accesses per step.
__global__ void __launch_bounds__(kThreads) cross_path(Runs runs, Cut* cuts) {
  const std::uint32_t at = runs.number() * runs.spacing;
  if (at >= runs.count) return;
  const std::uint32_t first = at / runs.run / 2 * 2 * runs.run, middle = first + runs.run;
  const auto b = runs.counted(middle);
  const std::uint32_t shift = runs.shift();
  const std::uint32_t of_a =
      path_crossing(at - first, runs.run, runs.run, runs.counted(first), [&](std::uint32_t i) { return b(i) + shift; });
  cuts[runs.number()] = {first + of_a, middle + at - first - of_a};
}

__global__ void fill_ascending(std::uint32_t* words, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) words[i] = i;
}

/// Sorted words, and memory for the results of searches.
struct SearchMemory {
  DeviceMemory words;
  DeviceMemory cuts;
};

/// Adds probes with a search every `spacing` bytes: the distance of the paper's splitters of 4-byte keys, or the length
/// of the pieces that today's sorts merge.
void add_searches(Rounds& rounds, DeviceBench& bench, const std::shared_ptr<SearchMemory>& memory, const char* table,
                  void (*kernel)(Runs, Cut*), std::size_t spacing) {
  const std::size_t max_bytes = memory->words.size();
  int cache = 0;
  check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
  for (std::size_t bytes = 64 * KiB; bytes <= max_bytes; bytes *= 4) {
    for (std::size_t run = spacing; run < bytes; run = run < bytes / 2 ? std::min(16 * run, bytes / 2) : bytes) {
      const std::size_t searches = bytes / spacing;
      rounds.add(table, {static_cast<double>(bytes), static_cast<double>(run)}, [=, &bench] {
        // The data that a level of a merge sort searches was just written, and is in the cache if it fits. Larger
        // arrays are used in turn, so that they are not cached.
        const std::size_t arrays = bytes <= static_cast<std::size_t>(cache) / 2 ? 1 : max_bytes / bytes;
        const std::size_t times = std::clamp<std::size_t>(arrays, 16, 64);
        return bench.time_launches([&](cudaStream_t stream) {
          for (std::size_t i = 0; i < times; ++i) {
            const Runs runs{memory->words.data<std::uint32_t>() + i % arrays * bytes / sizeof(std::uint32_t),
                            static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t)),
                            static_cast<std::uint32_t>(run / sizeof(std::uint32_t)),
                            static_cast<std::uint32_t>(spacing / sizeof(std::uint32_t))};
            const auto blocks = static_cast<std::uint32_t>((searches + kThreads - 1) / kThreads);
            kernel<<<blocks, kThreads, 0, stream>>>(runs, memory->cuts.data<Cut>());
          }
        }) / static_cast<double>(times * searches);
      });
    }
  }
}

void add_search_probes(Rounds& rounds, DeviceBench& bench) {
  constexpr std::size_t splitters = 1 * KiB;
  constexpr std::size_t pieces = 16 * KiB;
  const std::string each =
      " of sorted runs of 4-byte words, 'run_bytes' each, in an array of 'array_bytes'; a thread each, launches "
      "included";
  rounds.declare("search.splitters", "s", "MB3: a binary search for every 1 KiB" + each, {"array_bytes", "run_bytes"});
  rounds.declare("search.path", "s", "MB3: a search along a diagonal of the merge path for every 16 KiB" + each,
                 {"array_bytes", "run_bytes"});
  const std::size_t max_bytes = std::min(bench.bytes(), 1 * GiB);
  const auto memory =
      std::make_shared<SearchMemory>(DeviceMemory{max_bytes}, DeviceMemory{max_bytes / splitters * sizeof(Cut)});
  fill_ascending<<<16 * bench.multiprocessors, kThreads, 0, bench.stream()>>>(
      memory->words.data<std::uint32_t>(), static_cast<std::uint32_t>(max_bytes / sizeof(std::uint32_t)));
  check_launch();
  add_searches(rounds, bench, memory, "search.splitters", place_splitters, splitters);
  add_searches(rounds, bench, memory, "search.path", cross_path, pieces);
}

const RegisterProbe search_probes{DeviceProbe{"satish_gpu_merge", TableKind::component, add_search_probes}};

}  // namespace
}  // namespace sortlab::calibration
