// Probes of the kernels of phase one, each alone on one sequence of random words; and of the two steps that a block of
// phase two repeats, a partition and a bitonic sort.
#include <algorithm>
#include <memory>
#include <set>

#include "algorithms/cederman_quicksort/kernels.cuh"
#include "algorithms/common/cuda/repeated_launch.hpp"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

using namespace gpu_quicksort;

constexpr int kTypicalBlocks = 3;  ///< blocks per multiprocessor, as in phase two of a long input

/// Arrays in the bench's memory: words to read on side 1, which is never written; side 0 is written.
template <class Word, class V>
Arrays<Word, V> bench_arrays(const DeviceBench& bench) {
  const std::size_t half = bench.bytes() / 2;
  auto* const words = const_cast<std::byte*>(bench.words());
  return {.keys = {reinterpret_cast<Word*>(bench.out()), reinterpret_cast<Word*>(words)},
          .values = {reinterpret_cast<V*>(bench.out() + half), reinterpret_cast<V*>(words + half)}};
}

template <class Word>
constexpr Word kMiddle = Word{1} << (8 * sizeof(Word) - 1);

/// A level with one sequence of `n` words, partitioned in the middle, whose last block has `longest` times the even
/// share.
template <class Word>
class MadeLevel {
 public:
  MadeLevel(const Shape& shape, std::uint64_t n, std::uint32_t longest) {
    const std::uint64_t share = block_share(n, shape);
    const auto blocks = static_cast<std::uint32_t>(blocks_of_sequence(n, share)) + 1 - longest;
    const Sequence<Word> sequence{
        .begin = 0, .end = n, .share = share, .first_block = 0, .blocks = blocks, .pivot = kMiddle<Word>};
    sequence_ = DeviceMemory{sizeof sequence};
    check(cudaMemcpy(sequence_.data(), &sequence, sizeof sequence, cudaMemcpyHostToDevice));
    sequence_of_block_ = DeviceMemory{blocks * sizeof(std::uint32_t)};
    check(cudaMemset(sequence_of_block_.data(), 0, sequence_of_block_.size()));
    parts_ = DeviceMemory{blocks * sizeof(Parts<Word>)};
    total_ = DeviceMemory{sizeof(Parts<Word>)};
    places_ = DeviceMemory{std::uint64_t{blocks} * shape.threads * sizeof(Places)};
    level_ = {.sequences = sequence_.data<Sequence<Word>>(),
              .sequence_of_block = sequence_of_block_.data<std::uint32_t>(),
              .parts = parts_.data<Parts<Word>>(),
              .totals = total_.data<Parts<Word>>(),
              .places = places_.data<Places>(),
              .order = key_order<Word>(),
              .count = 1,
              .blocks = blocks,
              .threads = shape.threads,
              .side = 1};
  }
  const Level<Word>& operator()() const { return level_; }

 private:
  DeviceMemory sequence_;
  DeviceMemory sequence_of_block_;
  DeviceMemory parts_;
  DeviceMemory total_;
  DeviceMemory places_;
  Level<Word> level_;
};

template <class Word, class V>
void add_levels(Rounds& rounds, DeviceBench& bench, const Shape& shape) {
  constexpr double key = sizeof(Word), value = kTileValueBytes<V>;
  constexpr std::size_t element = sizeof(Word) + kTileValueBytes<V>;
  const Arrays<Word, V> arrays = bench_arrays<Word, V>(bench);
  const std::size_t max_bytes = std::min(bench.bytes() / 2, 1 * GiB);
  for (std::size_t bytes = 256 * KiB; bytes <= max_bytes; bytes *= 8) {
    const std::uint64_t n = bytes / element;
    for (const std::uint32_t longest : {1U, 2U}) {
      const auto level = std::make_shared<MadeLevel<Word>>(shape, n, longest);
      const double threads = shape.threads, size = static_cast<double>(bytes), longest_part = longest;
      const std::size_t times = times_for(bytes);
      rounds.add("quicksort.scatter", {threads, key, value, longest_part, size}, [=, &bench] {
        count_parts(static_cast<const Word*>(arrays.keys[1]), (*level)(), bench.stream());
        scan_parts((*level)(), bench.stream());
        return seconds_each(bench, times, [&](cudaStream_t stream) { scatter_parts(arrays, (*level)(), stream); }) /
               static_cast<double>(n);
      });
      if constexpr (kHasValue<V>) continue;
      rounds.add("quicksort.count", {threads, key, longest_part, size}, [=, &bench] {
        const auto* const keys = static_cast<const Word*>(arrays.keys[1]);
        return seconds_each(bench, times, [&](cudaStream_t stream) { count_parts(keys, (*level)(), stream); }) /
               static_cast<double>(n);
      });
    }
  }
  if constexpr (!kHasValue<V>) {
    const auto level = std::make_shared<MadeLevel<Word>>(shape, bench.bytes() / 16 / sizeof(Word), 1);
    rounds.add("quicksort.scan", {static_cast<double>(shape.threads), key}, [=, &bench] {
      count_parts(static_cast<const Word*>(arrays.keys[1]), (*level)(), bench.stream());
      return seconds_each(bench, 16, [&](cudaStream_t stream) { scan_parts((*level)(), stream); });
    });
  }
}

/// Partitions parts of `length` elements, one per block.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads)
    partition_once(Arrays<Word, V> arrays, std::uint64_t length, KeyOrder<Word> order) {
  const std::uint64_t begin = blockIdx.x * length;
  partition_part(arrays, {begin, begin + length, 1}, order, kMiddle<Word>);
}
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads)
    sort_small_once(Arrays<Word, V> arrays, std::uint64_t length, KeyOrder<Word> order, std::uint32_t small) {
  const std::uint64_t begin = blockIdx.x * length;
  sort_small(arrays, {begin, begin + length, 1}, order, small);
}

/// Adds probes of blocks alone on their multiprocessor, with a few others, and at the occupancy of the sort's own
/// kernel.
template <class Word, class V>
void add_blocks(Rounds& rounds, DeviceBench& bench, const Shape& shape) {
  constexpr double key = sizeof(Word), value = kTileValueBytes<V>;
  constexpr std::size_t element = sizeof(Word) + kTileValueBytes<V>;
  const Arrays<Word, V> arrays = bench_arrays<Word, V>(bench);
  const KeyOrder<Word> order = key_order<Word>();
  const std::size_t shared = small_bytes<Word, V>(shape);
  const double threads = shape.threads;
  const int resident = bench.resident_blocks(sort_kernel<Word, V>, static_cast<int>(shape.threads), shared);
  rounds.add("quicksort.resident", {threads, key, value}, [=] { return static_cast<double>(resident); });
  for (const int held : std::set{1, std::min(kTypicalBlocks, resident), resident}) {
    const auto blocks = static_cast<std::uint32_t>(held * bench.multiprocessors);
    const double beside = held;
    for (const std::uint64_t length : {2048, 16384, 131072}) {
      if (blocks * length * element > bench.bytes() / 2) continue;
      rounds.add(
          "quicksort.partition", {threads, key, value, beside, static_cast<double>(length * element)}, [=, &bench] {
            const std::size_t times = std::clamp<std::size_t>(262144 / length, 2, 32);
            return seconds_each(bench, times,
                                [&](cudaStream_t stream) {
                                  partition_once<<<blocks, shape.threads, shared, stream>>>(arrays, length, order);
                                }) /
                   static_cast<double>(length);
          });
    }
    for (const std::uint32_t length : {128, 256, 257, 512, 513, 768, 1024}) {
      if (length > shape.small) continue;
      rounds.add("quicksort.small", {threads, key, value, beside, static_cast<double>(length)}, [=, &bench] {
        return seconds_each(bench, 16, [&](cudaStream_t stream) {
          sort_small_once<<<blocks, shape.threads, shared, stream>>>(arrays, length, order, shape.small);
        });
      });
    }
  }
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string one = "MB8: cederman_quicksort: one sequence of random words, 'bytes' in all: ";
  const std::string longest = ", one block of which has 'longest' times an even share";
  rounds.declare("quicksort.count", "s/element", one + "keys counted by the pivot" + longest,
                 {"threads", "key_bytes", "longest", "bytes"});
  rounds.declare("quicksort.scan", "s",
                 "MB8: cederman_quicksort: prefix sums over the counts of a level with the maximum number of blocks",
                 {"threads", "key_bytes"});
  rounds.declare("quicksort.scatter", "s/element", one + "moved to both sides of the pivot" + longest,
                 {"threads", "key_bytes", "value_bytes", "longest", "bytes"});
  const std::string block = "; blocks: per multiprocessor, from one to full occupancy; time of all of them, per block";
  rounds.declare("quicksort.resident", "blocks",
                 "resident blocks per multiprocessor of the kernel that sorts sequences",
                 {"threads", "key_bytes", "value_bytes"});
  rounds.declare("quicksort.partition", "s/element",
                 "MB8: cederman_quicksort: a block partitions 'bytes' of random words" + block,
                 {"threads", "key_bytes", "value_bytes", "blocks", "bytes"});
  rounds.declare("quicksort.small", "s", "MB8: cederman_quicksort: a block sorts random words by a network" + block,
                 {"threads", "key_bytes", "value_bytes", "blocks", "elements"});
  for (const char* preset : {"paper", "tuned"}) {
    const Info& info = algorithm_named("cederman_quicksort").info();
    const auto named = std::ranges::find(info.presets, preset, &std::pair<std::string, GivenParameters>::first);
    const Parameters parameters = resolve(info.name, info.parameters, named->second);
    const Shape shape =
        make_shape(parameters.integer("threads"), parameters.integer("blocks"), parameters.integer("small_sort"));
    for_tile_types([&]<class K, class V>() {
      add_levels<K, V>(rounds, bench, shape);
      add_blocks<K, V>(rounds, bench, shape);
    });
  }
}

const RegisterProbe registered{DeviceProbe{"cederman_quicksort", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
