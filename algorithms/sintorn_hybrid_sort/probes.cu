// Probes of the kernels of the hybrid sort, each alone on synthetic floats. Merges vary by number of threads and length
// of lists: with few threads they are bound by the latency of merging a list.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/common/cuda/min_max.cuh"
#include "algorithms/common/cuda/repeated_launch.hpp"
#include "algorithms/sintorn_hybrid_sort/kernels.cuh"

namespace sortlab::calibration {
namespace {

using namespace hybrid_sort;

constexpr std::size_t kMinBytes = 1 * MiB;
constexpr std::size_t kMaxBytes = 256 * MiB;

/// Floats in [0, 1): random, where `spread` of 4096 neighbours are spread over the range and the others have one value;
/// or ascending.
__global__ void fill_floats(float* keys, std::uint64_t count, std::uint32_t spread) {
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint32_t word = hash(static_cast<std::uint32_t>(i));
    const bool is_spread = word % 4096 < spread;
    keys[i] = is_spread ? static_cast<float>(hash(word) >> 8) * 0x1p-24f : 0.5f;
  }
}
/// Fills each run of `run` vectors with ascending keys.
__global__ void fill_runs(float4* vectors, std::uint64_t count, std::uint64_t run) {
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    // Both runs have the same spacing of keys, with random differences between them.
    const float at =
        static_cast<float>(i % run) + static_cast<float>(hash(static_cast<std::uint32_t>(i)) >> 8) * 0x1p-25f;
    vectors[i] = {at, at + 0.125f, at + 0.25f, at + 0.375f};
  }
}

/// Floats and the sort's state before it merges. `share`: share of the keys in one bin and division.
class MadeKeys {
 public:
  MadeKeys(std::uint64_t n, double share, cudaStream_t stream)
      : n_(n),
        blocks_(block_count(n)),
        keys_(n * sizeof(float)),
        to_(n * sizeof(float) + kDivisions * sizeof(float4)),
        places_(n * sizeof(std::uint32_t)),
        block_counts_(std::uint64_t{blocks_} * kDivisions * sizeof(std::uint32_t)),
        counts_(kBins * sizeof(std::uint32_t)),
        points_(kDivisions * sizeof(float)),
        divisions_(kDivisions * sizeof(Division)) {
    fill_floats<<<1024, 256, 0, stream>>>(keys_.data<float>(), n, static_cast<std::uint32_t>((1 - share) * 4096));
    check_launch();
    std::array<float, kDivisions> points{};
    for (std::uint32_t i = 0; i < kDivisions; ++i) points[i] = static_cast<float>(i + 1) / kDivisions;
    check(cudaMemcpy(points_.data(), points.data(), points_.size(), cudaMemcpyHostToDevice));
  }

  void count_all_bins(cudaStream_t stream) const {
    count_bins<<<std::min(blocks_, kHistogramBlocks), kThreads, 0, stream>>>(keys_.data<float>(), n_, binning(0, 1),
                                                                             counts_.data<std::uint32_t>());
  }
  void count(cudaStream_t stream) const {
    count_divisions<<<blocks_, kThreads, 0, stream>>>(keys_.data<float>(), n_, points_.data<float>(),
                                                      places_.data<std::uint32_t>(),
                                                      block_counts_.data<std::uint32_t>());
  }
  void add_up(cudaStream_t stream) const {
    add_up_blocks<<<kDivisions / kThreads, kThreads, 0, stream>>>(block_counts_.data<std::uint32_t>(), blocks_,
                                                                  counts_.data<std::uint32_t>());
  }
  /// Prepares the divisions of scatter and pack.
  void place(cudaStream_t stream) const {
    count(stream);
    add_up(stream);
    check_launch();
    std::vector<std::uint32_t> counts(kDivisions);
    std::vector<Division> divisions(kDivisions);
    check(cudaMemcpyAsync(counts.data(), counts_.data(), counts_.size(), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    std::uint32_t begin = 0, vector = 0;
    for (std::uint32_t i = 0; i < kDivisions; ++i) {
      const auto vectors = static_cast<std::uint32_t>(vector_count(counts[i]));
      divisions[i] = {.vector = vector, .vectors = vectors, .begin = begin, .keys = counts[i]};
      begin += counts[i];
      vector += vectors;
    }
    check(cudaMemcpyAsync(divisions_.data(), divisions.data(), divisions_.size(), cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
  }
  void move(cudaStream_t stream) const {
    scatter<<<blocks_, kThreads, 0, stream>>>(keys_.data<float>(), n_, places_.data<std::uint32_t>(),
                                              block_counts_.data<std::uint32_t>(), divisions_.data<Division>(),
                                              to_.data<float>());
  }
  void sort_all_vectors(cudaStream_t stream) const {
    const std::uint64_t vectors = n_ / kVector;
    sort_vectors<<<static_cast<std::uint32_t>((vectors + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
        to_.data<float4>(), vectors);
  }
  void pack_all(cudaStream_t stream) const {
    pack<<<kDivisions, kThreads, 0, stream>>>(to_.data<float>(), divisions_.data<Division>(), places_.data<float>());
  }
  const float* keys() const { return keys_.data<float>(); }
  double blocks() const { return blocks_; }

 private:
  std::uint64_t n_;
  std::uint32_t blocks_;
  DeviceMemory keys_;
  DeviceMemory to_;
  DeviceMemory places_;
  DeviceMemory block_counts_;
  DeviceMemory before_;
  DeviceMemory counts_;
  DeviceMemory points_;
  DeviceMemory divisions_;
};

void add_passes(Rounds& rounds, DeviceBench& bench) {
  for (std::size_t bytes = kMinBytes; bytes <= kMaxBytes; bytes *= 16) {
    const std::uint64_t n = bytes / sizeof(float);
    const double size = static_cast<double>(bytes);
    const std::size_t times = times_for(bytes);
    for (const double share : {0.0, 1.0 / 16, 0.25, 1.0}) {
      const auto made = std::make_shared<MadeKeys>(n, share, bench.stream());
      const auto add = [&](const char* table, std::vector<double> at, auto prepare, auto work) {
        rounds.add(table, std::move(at), [=, &bench] {
          prepare(*made, bench.stream());
          return seconds_each(bench, times, [&](cudaStream_t stream) { work(*made, stream); }) / static_cast<double>(n);
        });
      };
      const auto nothing = [](const MadeKeys&, cudaStream_t) {};
      const auto place = [](const MadeKeys& keys, cudaStream_t stream) { keys.place(stream); };
      const auto place_and_move = [](const MadeKeys& keys, cudaStream_t stream) {
        keys.place(stream);
        keys.move(stream);
      };
      add("hybrid_sort.histogram", {size, share}, nothing,
          [](const MadeKeys& keys, cudaStream_t stream) { keys.count_all_bins(stream); });
      add("hybrid_sort.count", {size, share}, nothing,
          [](const MadeKeys& keys, cudaStream_t stream) { keys.count(stream); });
      add("hybrid_sort.scatter", {size, share}, place,
          [](const MadeKeys& keys, cudaStream_t stream) { keys.move(stream); });
      if (share > 0) continue;
      add("hybrid_sort.vectors", {size}, place_and_move,
          [](const MadeKeys& keys, cudaStream_t stream) { keys.sort_all_vectors(stream); });
      add("hybrid_sort.pack", {size}, place_and_move,
          [](const MadeKeys& keys, cudaStream_t stream) { keys.pack_all(stream); });
      rounds.add("hybrid_sort.prefix", {made->blocks()},
                 [=, &bench] { return seconds_each(bench, 4, [&](cudaStream_t stream) { made->add_up(stream); }); });
      const auto results = std::make_shared<DeviceMemory>(kReductionBlocks * sizeof(MinMax<std::uint32_t>));
      const auto blocks = static_cast<std::uint32_t>(
          std::min<std::uint64_t>((n + kReductionThreads - 1) / kReductionThreads, kReductionBlocks));
      rounds.add("hybrid_sort.least_and_most", {size}, [=, &bench] {
        return seconds_each(bench, times,
                            [&](cudaStream_t stream) {
                              find_min_max<<<blocks, kReductionThreads, 0, stream>>>(
                                  reinterpret_cast<const std::uint32_t*>(made->keys()), n, key_order<float>(),
                                  results->data<MinMax<std::uint32_t>>());
                            }) /
               static_cast<double>(n);
      });
    }
  }
}

/// Adds a merge with one division per 2^`log2_each` threads, all of their lists full.
void add_merge(Rounds& rounds, DeviceBench& bench, int log2_run, int log2_threads) {
  const std::uint64_t run = std::uint64_t{1} << log2_run,
                      threads_each = (std::uint64_t{1} << log2_threads) / kDivisions;
  const std::uint64_t vectors = run * 2 * threads_each * kDivisions;
  if (vectors * sizeof(float4) > std::min(bench.bytes() / 2, 1 * GiB)) return;
  std::vector<Division> list(kDivisions);
  for (std::uint32_t i = 0; i < kDivisions; ++i) {
    list[i] = {.vector = static_cast<std::uint32_t>(i * 2 * run * threads_each),
               .vectors = static_cast<std::uint32_t>(2 * run * threads_each),
               .begin = 0,
               .keys = 0};
  }
  const auto divisions = std::make_shared<DeviceMemory>(list.size() * sizeof(Division));
  check(cudaMemcpy(divisions->data(), list.data(), divisions->size(), cudaMemcpyHostToDevice));
  rounds.add("hybrid_sort.merge", {static_cast<double>(log2_run), static_cast<double>(log2_threads)}, [=, &bench] {
    // One array serves all points, and is filled before each.
    auto* const from = reinterpret_cast<float4*>(bench.out());
    const auto half = bench.bytes() / 2 / sizeof(float4);
    fill_runs<<<1024, 256, 0, bench.stream()>>>(from, vectors, run);
    check_launch();
    const auto blocks = static_cast<std::uint32_t>((kDivisions * threads_each + kMergeThreads - 1) / kMergeThreads);
    return seconds_each(bench, 1,
                        [&](cudaStream_t stream) {
                          merge<<<blocks, kMergeThreads, 0, stream>>>(from, divisions->data<Division>(), run,
                                                                      threads_each, from + half);
                        }) /
           static_cast<double>(2 * run);
  });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string what = "MB8: sintorn_hybrid_sort: 'bytes' of random keys ";
  const std::string shared = ", of which that share falls into one bin and division, the others evenly";
  rounds.declare("hybrid_sort.least_and_most", "s/element", what + "reduced to minimum and maximum", {"bytes"});
  rounds.declare("hybrid_sort.histogram", "s/element", what + "counted in 1024 bins" + shared, {"bytes", "share"});
  rounds.declare("hybrid_sort.count", "s/element", what + "counted in 1024 divisions" + shared, {"bytes", "share"});
  rounds.declare("hybrid_sort.prefix", "s", "MB8: sintorn_hybrid_sort: prefix sums over the counts of the blocks",
                 {"blocks"});
  rounds.declare("hybrid_sort.scatter", "s/element", what + "scattered to 1024 divisions" + shared, {"bytes", "share"});
  rounds.declare("hybrid_sort.vectors", "s/element", what + "sorted four by four", {"bytes"});
  rounds.declare(
      "hybrid_sort.merge", "s/vector",
      "MB8: sintorn_hybrid_sort: 2^log2_threads threads merge two lists of 2^log2_run vectors each: time of all, per "
      "vector of one thread",
      {"log2_run", "log2_threads"});
  rounds.declare("hybrid_sort.pack", "s/element", what + "in 1024 divisions written without padding", {"bytes"});
  add_passes(rounds, bench);
  for (int log2_threads = 10; log2_threads <= 24; log2_threads += bench.quick ? 2 : 1) {
    for (const int log2_run : {0, 2, 4, 6, 8, 10, 12, 14}) add_merge(rounds, bench, log2_run, log2_threads);
  }
}

const RegisterProbe registered{DeviceProbe{"sintorn_hybrid_sort", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
