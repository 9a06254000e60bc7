// Probes of the kernels of bbsort, each alone, on words that fall into given slices; and of the host's packing, with
// its copies.
#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "algorithms/bbsort/kernels.cuh"
#include "algorithms/common/cuda/pinned_memory.hpp"
#include "algorithms/common/cuda/repeated_launch.hpp"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/device_probe.hpp"
#include "algorithms/plugin.hpp"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

using bbsort::Bucket;
using bbsort::kThreads;
using bbsort::Slicing;

/// Slicing that spreads random words evenly over `slices` slices; ascending words fill one slice after the other.
template <class Word>
Slicing<Word> made_slices(std::uint32_t slices, double largest) {
  return {.origin = 0, .slices_per_unit = slices / largest, .min_key = 0, .last = slices - 1, .by_value = false};
}
template <class Word>
constexpr double kLargest = static_cast<double>(static_cast<Word>(~Word{0}));

std::uint32_t blocks_for(std::uint64_t n) {
  return static_cast<std::uint32_t>((n + kThreads - 1) / kThreads);
}

template <class Word>
__global__ void fill_ascending(Word* words, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    words[i] = static_cast<Word>(i);
  }
}

/// Elements with their slices counted: the state between count and scatter.
template <class Word>
class MadeRange {
 public:
  MadeRange(const Word* keys, std::uint64_t n, const Slicing<Word>& slicing)
      : keys_(keys),
        n_(static_cast<std::uint32_t>(n)),
        slicing_(slicing),
        counts_((slicing.last + std::size_t{1}) * sizeof(std::uint32_t)),
        starts_(counts_.size()),
        places_(n * sizeof(std::uint32_t)) {}

  void count(cudaStream_t stream) const {
    check(cudaMemsetAsync(counts_.data(), 0, counts_.size(), stream));
    bbsort::count_slices<<<blocks_for(n_), kThreads, 0, stream>>>(
        keys_, n_, key_order<Word>(), slicing_, counts_.data<std::uint32_t>(), places_.data<std::uint32_t>());
    check_launch();
  }

  /// Destinations for scatter().
  void place(cudaStream_t stream) const {
    count(stream);
    std::vector<std::uint32_t> counts(slicing_.last + std::size_t{1}), starts(counts.size());
    check(cudaMemcpyAsync(counts.data(), counts_.data(), counts_.size(), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    for (std::size_t i = 1; i < counts.size(); ++i) starts[i] = starts[i - 1] + counts[i - 1];
    check(cudaMemcpyAsync(starts_.data(), starts.data(), starts_.size(), cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
  }

  template <class V>
  void scatter(const V* values, Word* keys_out, V* values_out, cudaStream_t stream) const {
    bbsort::scatter<Word, V><<<blocks_for(n_), kThreads, 0, stream>>>(
        {keys_, values, keys_out, values_out}, n_, key_order<Word>(), slicing_, starts_.data<std::uint32_t>(),
        places_.data<std::uint32_t>());
    check_launch();
  }

 private:
  const Word* keys_;
  std::uint32_t n_;
  Slicing<Word> slicing_;
  DeviceMemory counts_;
  DeviceMemory starts_;
  DeviceMemory places_;
};

constexpr std::size_t kMinBytes = 1 * MiB;
constexpr std::size_t kMaxBytes = 256 * MiB;  ///< bytes of elements; their positions are additional

template <class Word>
void add_counts(Rounds& rounds, DeviceBench& bench) {
  constexpr double key = sizeof(Word);
  const auto* const words = reinterpret_cast<const Word*>(bench.words());
  const auto ascending = std::make_shared<DeviceMemory>(kMaxBytes);
  fill_ascending<<<1024, 256, 0, bench.stream()>>>(ascending->template data<Word>(), kMaxBytes / sizeof(Word));
  check_launch();
  for (std::size_t bytes = kMinBytes; bytes <= kMaxBytes; bytes *= 16) {
    const std::uint64_t n = bytes / sizeof(Word);
    const double size = static_cast<double>(bytes);
    const std::size_t times = times_for(bytes);
    const auto each = [&rounds, &bench, times, n](const char* table, std::vector<double> at,
                                                  const std::shared_ptr<MadeRange<Word>>& range,
                                                  const std::shared_ptr<DeviceMemory>& memory) {
      rounds.add(table, std::move(at), [=, &bench] {
        static_cast<void>(memory);  // same lifetime
        return seconds_each(bench, times, [&](cudaStream_t stream) { range->count(stream); }) / static_cast<double>(n);
      });
    };
    const std::uint32_t all = bbsort::slice_count(n);
    for (const std::uint32_t slices : {1u, 2u, 4u, 16u, 64u, 256u, 4096u, all}) {
      const double share = slices == all ? 0 : 1.0 / slices;
      each("bbsort.count", {key, size, share},
           std::make_shared<MadeRange<Word>>(words, n, made_slices<Word>(slices, kLargest<Word>)), nullptr);
    }
    each("bbsort.count_sorted", {key, size},
         std::make_shared<MadeRange<Word>>(ascending->template data<Word>(), n,
                                           made_slices<Word>(all, static_cast<double>(n))),
         ascending);
    const auto results = std::make_shared<DeviceMemory>(kReductionBlocks * sizeof(MinMax<Word>));
    const std::uint32_t blocks = std::min<std::uint32_t>(blocks_for(n), kReductionBlocks);
    rounds.add("bbsort.least_and_most", {key, size}, [=, &bench] {
      return seconds_each(bench, times,
                          [&](cudaStream_t stream) {
                            find_min_max<<<blocks, kReductionThreads, 0, stream>>>(
                                words, n, key_order<Word>(), results->template data<MinMax<Word>>());
                            check_launch();
                          }) /
             static_cast<double>(n);
    });
  }
}

template <class Word, class V>
void add_moves(Rounds& rounds, DeviceBench& bench) {
  constexpr double key = sizeof(Word), value = kTileValueBytes<V>;
  constexpr std::size_t element = sizeof(Word) + kTileValueBytes<V>;
  const std::size_t half = bench.bytes() / 2;
  const auto* const words = reinterpret_cast<const Word*>(bench.words());
  const auto* const values = reinterpret_cast<const V*>(bench.words() + half);
  auto* const keys_out = reinterpret_cast<Word*>(bench.out());
  auto* const values_out = reinterpret_cast<V*>(bench.out() + half);
  for (std::size_t bytes = kMinBytes; bytes <= kMaxBytes; bytes *= 16) {
    const std::uint64_t n = bytes / element;
    const std::uint32_t slices = bbsort::slice_count(n);
    const auto ascending = std::make_shared<DeviceMemory>(n * sizeof(Word));
    fill_ascending<<<1024, 256, 0, bench.stream()>>>(ascending->template data<Word>(), n);
    check_launch();
    for (const bool sorted : {false, true}) {
      const auto range = std::make_shared<MadeRange<Word>>(
          sorted ? ascending->template data<const Word>() : words, n,
          made_slices<Word>(slices, sorted ? static_cast<double>(n) : kLargest<Word>));
      rounds.add("bbsort.scatter", {key, value, static_cast<double>(bytes), sorted ? 1.0 : 0.0}, [=, &bench] {
        static_cast<void>(ascending);
        range->place(bench.stream());
        return seconds_each(bench, times_for(bytes),
                            [&](cudaStream_t stream) { range->scatter(values, keys_out, values_out, stream); }) /
               static_cast<double>(n);
      });
    }
  }
  // Buckets of the preset's size, one after the other.
  const auto bucket =
      static_cast<std::uint32_t>(resolve("bbsort", algorithm_named("bbsort").info().parameters, {}).integer("bucket"));
  constexpr std::uint32_t kBuckets = 32768;
  for (const std::uint32_t count : {64u, 128u, 256u, 257u, 384u, 512u}) {
    std::vector<Bucket> list(kBuckets);
    for (std::uint32_t i = 0; i < kBuckets; ++i) list[i] = {i * count, count};
    const auto buckets = std::make_shared<DeviceMemory>(list.size() * sizeof(Bucket));
    check(cudaMemcpy(buckets->data(), list.data(), buckets->size(), cudaMemcpyHostToDevice));
    rounds.add("bbsort.bucket", {key, value, static_cast<double>(count)}, [=, &bench] {
      return seconds_each(
                 bench, 2,
                 [&](cudaStream_t stream) {
                   bbsort::sort_buckets<Word, V>
                       <<<kBuckets, bbsort::bucket_threads(bucket), bbsort::bucket_bytes<Word, V>(bucket), stream>>>(
                           words, values, buckets->data<Bucket>(), key_order<Word>(), bucket, keys_out, values_out);
                   check_launch();
                 }) /
             kBuckets;
    });
  }
}

/// Adds probes of the host's packing: it fetches the slices' counts, packs them, and uploads starts and buckets.
void add_packing(Rounds& rounds, DeviceBench& bench) {
  constexpr std::uint32_t kMaxSlices = 1u << 23;
  struct Memory {
    PinnedArray<std::uint32_t> counts{kMaxSlices}, starts{kMaxSlices};
    PinnedArray<Bucket> buckets{kMaxSlices};
    DeviceMemory device_counts{kMaxSlices * sizeof(std::uint32_t)}, device_buckets{kMaxSlices * sizeof(Bucket)};
  };
  const auto memory = std::make_shared<Memory>();
  std::vector<std::uint32_t> counts(kMaxSlices);
  for (std::uint32_t i = 0; i < kMaxSlices; ++i) counts[i] = 40 + i * 2654435761u % 21;  // 50 on average
  check(cudaMemcpy(memory->device_counts.data(), counts.data(), memory->device_counts.size(), cudaMemcpyHostToDevice));
  for (std::uint32_t slices = 1; slices <= kMaxSlices; slices = slices == 1 ? 512 : slices * 4) {
    rounds.add("bbsort.pack", {4.0 * slices}, [=, &bench] {
      const cudaStream_t stream = bench.stream();
      check(cudaStreamSynchronize(stream));
      const auto begin = RawClock::now();
      check(cudaMemcpyAsync(memory->counts.data(), memory->device_counts.data(), slices * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
      std::uint32_t buckets = 0;
      bbsort::pack(
          memory->counts.data(), slices, 512,
          [&](std::uint32_t slice, std::uint32_t at) { memory->starts[slice] = at; },
          [&](const Bucket& bucket) { memory->buckets[buckets++] = bucket; }, [](const Bucket&) {});
      check(cudaMemcpyAsync(memory->device_buckets.data(), memory->starts.data(), slices * sizeof(std::uint32_t),
                            cudaMemcpyHostToDevice, stream));
      check(cudaMemcpyAsync(memory->device_buckets.data(), memory->buckets.data(), buckets * sizeof(Bucket),
                            cudaMemcpyHostToDevice, stream));
      check(cudaStreamSynchronize(stream));
      return std::chrono::duration<double>(RawClock::now() - begin).count() / slices;
    });
  }
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string what = "MB8: bbsort: 'bytes' of ";
  rounds.declare("bbsort.least_and_most", "s/element", what + "keys reduced to minimum and maximum",
                 {"key_bytes", "bytes"});
  rounds.declare("bbsort.count", "s/element",
                 what + "random keys counted by slices; share: of the keys in each slice (0: 50 keys)",
                 {"key_bytes", "bytes", "share"});
  rounds.declare("bbsort.count_sorted", "s/element", what + "ascending keys counted by slices of 50",
                 {"key_bytes", "bytes"});
  rounds.declare("bbsort.scatter", "s/element",
                 what + "elements scattered to their slices of 50, random (sorted 0) or ascending (1)",
                 {"key_bytes", "value_bytes", "bytes", "sorted"});
  rounds.declare("bbsort.bucket", "s", "MB8: bbsort: a bucket sorted by a network, per bucket of many",
                 {"key_bytes", "value_bytes", "elements"});
  rounds.declare("bbsort.pack", "s/slice", "the host packs slices whose counts take 'bytes', copies and waits included",
                 {"bytes"});
  add_counts<std::uint32_t>(rounds, bench);
  add_counts<std::uint64_t>(rounds, bench);
  for_tile_types([&]<class K, class V>() { add_moves<K, V>(rounds, bench); });
  add_packing(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"bbsort", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
