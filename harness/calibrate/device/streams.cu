// Micro-benchmark MB1: streams over working sets in cache and in memory.
#include <algorithm>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kStreamsThreads = 256;

__device__ void mix(std::uint32_t& sum, std::uint32_t word) {
  sum ^= word;
}
__device__ void mix(uint2& sum, uint2 word) {
  sum.x ^= word.x;
  sum.y ^= word.y;
}
__device__ void mix(uint4& sum, uint4 word) {
  sum.x ^= word.x;
  sum.y ^= word.y;
  sum.z ^= word.z;
  sum.w ^= word.w;
}
__device__ bool is_zero(std::uint32_t word) {
  return word == 0;
}
__device__ bool is_zero(uint2 word) {
  return (word.x | word.y) == 0;
}
__device__ bool is_zero(uint4 word) {
  return (word.x | word.y | word.z | word.w) == 0;
}
template <class Word>
__device__ Word hashed(std::uint32_t place) {
  const std::uint32_t h = hash(place);
  if constexpr (sizeof(Word) == 4) return h;
  if constexpr (sizeof(Word) == 8) return {h, ~h};
  if constexpr (sizeof(Word) == 16) return {h, ~h, h + 1, h - 1};
}

/// Each block reads its tile of `reads` streams, `thread_bytes` of each per thread, and writes the combined words to
/// one. Further blocks sweep over all tiles again. Loads bypass the first-level cache, which cannot hold data that
/// another kernel wrote.
template <class Word, int reads, bool writes, int thread_bytes>
__global__ void __launch_bounds__(kStreamsThreads) stream(const Word* from, Word* to, std::uint32_t tiles) {
  constexpr int items = thread_bytes / sizeof(Word);
  const std::size_t stride = std::size_t{tiles} * kStreamsThreads * items;  // distance between streams
  const std::size_t first = std::size_t{blockIdx.x % tiles} * kStreamsThreads * items + threadIdx.x;
  Word words[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if constexpr (reads > 0) words[i] = __ldcg(from + first + i * kStreamsThreads);
    if constexpr (reads == 0) words[i] = hashed<Word>(static_cast<std::uint32_t>(first) + i);
  }
  if constexpr (reads == 2) {
#pragma unroll
    for (int i = 0; i < items; ++i) mix(words[i], __ldcg(from + stride + first + i * kStreamsThreads));
  }
  if constexpr (writes) {
#pragma unroll
    for (int i = 0; i < items; ++i) to[first + i * kStreamsThreads] = words[i];
  } else {
#pragma unroll
    for (int i = 1; i < items; ++i) mix(words[0], words[i]);
    if (is_zero(words[0])) to[first] = words[0];  // hardly ever
  }
}

/// Bytes per second over a working set of `set` bytes.
template <class Word, int reads, bool writes, int thread_bytes>
double rate(DeviceBench& bench, std::size_t set) {
  constexpr std::size_t least = 4 * GiB;  // minimum number of bytes moved
  constexpr std::size_t streams = reads + (writes ? 1 : 0);
  constexpr std::size_t tile = std::size_t{kStreamsThreads} * thread_bytes;
  const std::size_t tiles = set / streams / tile;
  const std::size_t once = streams * tiles * tile;
  const std::size_t sweeps = std::max<std::size_t>(1, least / once);
  const double seconds = bench.time_launches([&](cudaStream_t s) {
    stream<Word, reads, writes, thread_bytes><<<static_cast<unsigned>(tiles * sweeps), kStreamsThreads, 0, s>>>(
        reinterpret_cast<const Word*>(bench.words()), reinterpret_cast<Word*>(bench.out()),
        static_cast<std::uint32_t>(tiles));
  });
  return static_cast<double>(once * sweeps) / seconds;
}

/// The better of two forms. Few bytes per thread suit memory, where blocks begin in the order of their tiles. More
/// bytes suit the cache, where starting blocks takes most of the time.
template <class Word, int reads, bool writes>
void add_stream(Rounds& rounds, DeviceBench& bench, const char* table) {
  for (const std::size_t set : {64 * KiB, 1 * MiB, 16 * MiB, 32 * MiB, 64 * MiB, 256 * MiB, 1 * GiB, 8 * GiB}) {
    if (set > bench.bytes()) continue;
    const auto best = [&](double (*form)(DeviceBench&, std::size_t)) {
      double most = 0;
      for (int i = 0; i < 3; ++i) most = std::max(most, form(bench, set));
      return most;
    };
    const auto little = rate<Word, reads, writes, 16>;
    const auto more = rate<Word, reads, writes, 64>;
    const auto form = best(little) > best(more) ? little : more;
    rounds.add(table, {sizeof(Word), static_cast<double>(set)}, [&bench, set, form] { return form(bench, set); });
  }
}

template <class Word>
void add_streams(Rounds& rounds, DeviceBench& bench) {
  add_stream<Word, 1, false>(rounds, bench, "read");
  add_stream<Word, 0, true>(rounds, bench, "write");
  add_stream<Word, 1, true>(rounds, bench, "copy");
  add_stream<Word, 2, true>(rounds, bench, "read2_write1");
}

void add_streams_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string source =
      "MB1: bytes read and written over a working set of 'bytes', in equal parts for each stream read or written, "
      "'access_bytes' a thread and instruction; sets in cache are swept over again and again, small ones by several "
      "blocks at once; the better of 16 and 64 bytes a thread and stream";
  for (const char* table : {"read", "write", "copy", "read2_write1"}) {
    rounds.declare(table, "B/s", source, {"access_bytes", "bytes"});
  }
  add_streams<std::uint32_t>(rounds, bench);
  add_streams<uint2>(rounds, bench);
  add_streams<uint4>(rounds, bench);
}

const RegisterProbe streams_probes{DeviceProbe{"streams", TableKind::hardware, add_streams_probes}};

}  // namespace

}  // namespace sortlab::calibration
