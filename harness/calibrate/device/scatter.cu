// Micro-benchmark MB2: tiles scattered in runs, each to its own place, as in a partition with equal buckets.
#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kMaxThreads = 1024;
constexpr int kMaxItems = 16;  ///< per thread; with more items, even plain copies from and to memory become slower

enum class To : std::uint8_t {
  frontiers,  ///< run j of each tile follows run j of the tile before
  anywhere,   ///< each run goes to a random place
};

/// log2 of sizes, in elements.
struct Shape {
  int run = 0;   ///< a run
  int tile = 0;  ///< a tile
  int all = 0;   ///< the whole array
};

/// Each block reads its whole tile in order before it writes its runs. Neighbouring threads have neighbouring elements.
/// Runs are aligned only by chance.
template <class Word, int items, To to>
__global__ void __launch_bounds__(kMaxThreads) scatter(const Word* from, Word* out, Shape shape) {
  constexpr std::uint32_t line = 128 / sizeof(Word);
  const std::uint32_t tile = blockIdx.x;
  const std::uint32_t in_run = (1U << shape.run) - 1;
  const int runs = shape.tile - shape.run;  // log2 of the runs of a tile
  from += std::size_t{tile} << shape.tile;
  Word words[items];
#pragma unroll
  for (int i = 0; i < items; ++i) words[i] = from[threadIdx.x + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t element = threadIdx.x + i * blockDim.x;
    const std::uint32_t run = element >> shape.run;
    std::uint32_t place;
    if constexpr (to == To::frontiers) {
      place = (run << (shape.all - runs)) + (tile << shape.run) + (run * 7 + 3) % line;
    } else {
      place = hash((tile << runs) + run) & ((1U << shape.all) - 1);
    }
    out[place + (element & in_run)] = words[i];
  }
}

/// Launches blocks of 256 threads, or more if a thread would have more than 64 bytes.
template <class Word, To to>
void launch(DeviceBench& bench, cudaStream_t stream, Shape shape) {
  const int threads = std::clamp((1 << shape.tile) / static_cast<int>(64 / sizeof(Word)), 256, kMaxThreads);
  const auto with = [&]<int items>(std::integral_constant<int, items>) {
    scatter<Word, items, to><<<1U << (shape.all - shape.tile), threads, 0, stream>>>(
        reinterpret_cast<const Word*>(bench.words()), reinterpret_cast<Word*>(bench.out()), shape);
  };
  switch ((1 << shape.tile) / threads) {
    case 1: return with(std::integral_constant<int, 1>{});
    case 2: return with(std::integral_constant<int, 2>{});
    case 4: return with(std::integral_constant<int, 4>{});
    case 8: return with(std::integral_constant<int, 8>{});
    default: return with(std::integral_constant<int, kMaxItems>{});
  }
}

template <class Word, To to>
void add_scatter(Rounds& rounds, DeviceBench& bench, const char* table, std::size_t run_bytes, std::size_t runs) {
  const auto log = [](std::size_t size) { return std::countr_zero(size); };
  const std::size_t tile = runs * run_bytes;
  if (run_bytes < sizeof(Word) || tile < 4 * KiB || tile > 128 * KiB) return;
  if (tile > kMaxThreads * kMaxItems * sizeof(Word)) return;
  const std::size_t all = std::min(bench.bytes(), to == To::anywhere ? 256 * MiB : 1 * GiB);
  const Shape shape{
      .run = log(run_bytes / sizeof(Word)), .tile = log(tile / sizeof(Word)), .all = log(all / sizeof(Word))};
  rounds.add(table, {sizeof(Word), static_cast<double>(runs), static_cast<double>(run_bytes)}, [&bench, shape, all] {
    const double seconds = bench.time_launches([&](cudaStream_t stream) { launch<Word, to>(bench, stream, shape); });
    return 2.0 * static_cast<double>(all) / seconds;
  });
}

template <class Word>
void add_scatters(Rounds& rounds, DeviceBench& bench) {
  for (const std::size_t runs : {16, 32, 64, 128, 256, 1024}) {
    if (bench.quick && (runs == 32 || runs == 128)) continue;
    for (std::size_t run_bytes = 4; run_bytes <= 4 * KiB; run_bytes *= 2) {
      add_scatter<Word, To::frontiers>(rounds, bench, "scatter", run_bytes, runs);
      if (runs == 64 || runs == 1024) add_scatter<Word, To::anywhere>(rounds, bench, "scatter_random", run_bytes, runs);
    }
  }
}

void add_scatter_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string tiles =
      "MB2: bytes read and written by blocks that each read a tile of 'runs' runs and write each ";
  rounds.declare("scatter", "B/s", tiles + "behind the same run of the tile before, unaligned, over 1 GiB",
                 {"element_bytes", "runs", "run_bytes"});
  rounds.declare("scatter_random", "B/s", tiles + "to a random place of 1/4 GiB, aligned to an element",
                 {"element_bytes", "runs", "run_bytes"});
  add_scatters<std::uint32_t>(rounds, bench);
  add_scatters<uint2>(rounds, bench);
  add_scatters<uint4>(rounds, bench);
}

const RegisterProbe scatter_probes{DeviceProbe{"scatter", TableKind::hardware, add_scatter_probes}};

}  // namespace

}  // namespace sortlab::calibration
