// MB8, tile primitives of satish_gpu_merge: what its kernels do in a multiprocessor, by its own device code in the
// shapes of its presets, with keys from registers, or from the first-level cache where they must be sorted.
#include "algorithms/plugin.hpp"
#include "algorithms/satish_gpu_merge/merge_piece.cuh"
#include "algorithms/satish_gpu_merge/tile_sort.cuh"
#include "harness/cuda/calibration/probes.hpp"
#include "harness/cuda/calibration/tile_input.cuh"
#include "harness/cuda/calibration/tile_probe.hpp"
#include "harness/cuda/calibration/two_runs.hpp"

namespace sortlab::calibration {
namespace {

using namespace gpu_merge;

/// A tile of random words.
template <class Word, bool kStable>
struct RandomTile {
  KeyOrder<Word> order;
  RandomWords& words;
  Discard& discard;

  __device__ Word load(std::uint32_t) const { return order.ordered(words.next<Word>()); }
  __device__ void store(std::uint32_t, Word key, std::uint32_t from) const {
    discard.take(order.restored(key));
    if constexpr (kStable) discard.take(from);
  }
};

template <class Word, bool kStable>
__global__ void __launch_bounds__(512) network_tile(KeyOrder<Word> order, std::uint32_t* out) {
  RandomWords words;
  Discard discard;
  sort_tile_by_network<Word, kStable>(RandomTile<Word, kStable>{order, words, discard});
  discard.finish(out);
}

template <class Word, bool kStable>
__global__ void __launch_bounds__(kMostPathThreads) merging_tile(KeyOrder<Word> order, std::uint32_t* out) {
  RandomWords words;
  Discard discard;
  sort_tile_by_merging<Word, kStable>(RandomTile<Word, kStable>{order, words, discard});
  discard.finish(out);
}

/// The `count` smallest elements of two runs of `length`, one after the other. All blocks read the same arrays.
template <class Word, class V>
struct CachedPiece {
  KeyOrder<Word> order;
  const Word* keys;
  Discard& discard;
  std::uint32_t length;
  std::uint32_t count_a, count;

  __device__ std::uint64_t source(std::uint32_t i) const { return (i < count_a ? 0 : length - count_a) + i; }
  __device__ Word load(std::uint32_t i) const { return order.ordered(keys[source(i)]); }
  __device__ void store(std::uint32_t i, const Word* ordered, const std::uint16_t* from) const {
    discard.take(order.restored(ordered[i]));
    if constexpr (kHasValue<V>) discard.take(source(from[i]));  // where the value would come from
  }
};

/// `firsts`: by a piece's length, how many of its elements are of the first run. Pieces end at the splitters of both
/// runs, which lie as far apart as a tile is long in their own run, and at random to each other: of two neighbours the
/// lengths are random, their sum is not.
template <class Word, class V>
__global__ void __launch_bounds__(1024) ranks_piece(KeyOrder<Word> order, const Word* keys, const std::uint32_t* firsts,
                                                    std::uint32_t length, std::uint32_t* out) {
  Discard discard;
  const std::uint32_t one = hash(blockIdx.x / 2) % (length + 1);
  const std::uint32_t count = blockIdx.x % 2 == 0 ? one : length - one;
  merge_piece_by_ranks<Word, kHasValue<V>>(CachedPiece<Word, V>{order, keys, discard, length, firsts[count], count});
  discard.finish(out);
}

template <class Word, class V>
__global__ void __launch_bounds__(kMostPathThreads)
    path_piece(KeyOrder<Word> order, const Word* keys, const std::uint32_t* firsts, std::uint32_t* out) {
  Discard discard;
  const std::uint32_t size = blockDim.x * kPathItems<Word>;
  merge_piece_by_path<Word, kHasValue<V>>(CachedPiece<Word, V>{order, keys, discard, size, firsts[size], size});
  discard.finish(out);
}

/// What a preset of the sort sets a parameter to.
std::uint32_t preset(std::string_view name, const std::string& parameter) {
  for (const auto& [preset, parameters] : algorithm_named("satish_gpu_merge").info().presets) {
    if (preset == name) return static_cast<std::uint32_t>(std::stoul(parameters.at(parameter)));
  }
  throw std::logic_error("satish_gpu_merge has no such preset");
}

/// Adds points for blocks of `threads` threads with `bytes` of shared memory, of which a multiprocessor holds
/// `resident`, and each of which works on `elements` elements in the mean; `launch(kernel)`. Where `alone_at` is given,
/// one for a block alone, too.
template <class Kernel, class Launch>
void add_tiles(Rounds& rounds, DeviceBench& bench, const char* table, std::vector<double> at,
               const std::optional<std::vector<double>>& alone_at, Kernel* kernel, std::uint32_t threads,
               std::uint32_t bytes, int resident, std::uint32_t elements, Launch launch) {
  bytes = bytes_to_hold(bench, kernel, static_cast<int>(threads), bytes, resident);
  const int blocks = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, static_cast<int>(threads), bytes);
  const auto run = [=, &bench](cudaStream_t stream, unsigned count) {
    launch([&](auto... arguments) { kernel<<<count, threads, bytes, stream>>>(arguments..., out_of(bench)); });
  };
  rounds.add(tile_table(table), std::move(at), [=, &bench] {
    return cycles_an_element(bench, std::int64_t{blocks} * elements,
                             [&](cudaStream_t stream) { run(stream, static_cast<unsigned>(blocks)); });
  });
  if (alone_at) add_alone(rounds, bench, table, *alone_at, threads, run);
}

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  constexpr bool kValues = kHasValue<V>;
  const std::vector<double> at = point(sizeof(Word), kTileValueBytes<V>);
  const KeyOrder<Word> order = key_order<Word>();
  const Shape paper = ranks_shape(preset("paper", "tile")), tuned = path_shape<Word>(preset("tuned", "threads"));
  const auto sort = [order](const auto& launch) { launch(order); };
  add_tiles(rounds, bench, "network", at, at, network_tile<Word, kValues>, tile_sort_threads(paper),
            tile_sort_bytes<Word>(paper, kValues), resident_tile_sorts<Word, V>(paper), paper.tile, sort);
  add_tiles(rounds, bench, "path_sort", at, at, merging_tile<Word, kValues>, tile_sort_threads(tuned),
            tile_sort_bytes<Word>(tuned, kValues), resident_tile_sorts<Word, V>(tuned), tuned.tile, sort);

  const auto add_merge = [&](const char* table, std::vector<double> point, auto* kernel, const Shape& shape,
                             bool in_order, auto... length) {
    const auto runs = std::make_shared<TwoRuns<Word>>(largest_piece(shape), in_order);
    const auto firsts = std::make_shared<DeviceMemory>(on_device(runs->firsts()));
    add_tiles(rounds, bench, table, std::move(point), in_order ? std::nullopt : std::optional{at}, kernel,
              shape.threads, merge_bytes<Word>(shape, kValues), resident_merges<Word, V>(shape), shape.tile,
              [=](const auto& launch) {
                launch(order, runs->words(), firsts->template data<const std::uint32_t>(), length...);
              });
  };
  add_merge("merge_ranks", at, ranks_piece<Word, V>, paper, false, largest_piece(paper));
  for (const bool in_order : {false, true}) {
    add_merge("merge_path", point(at[0], at[1], in_order), path_piece<Word, V>, tuned, in_order);
  }
}

}  // namespace

void add_merge_tile_probes(Rounds& rounds, DeviceBench& bench) {
  const auto declare = [&](const char* table, const std::string& what, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"key_bytes", "value_bytes"};
    declare_alone(rounds, table, arguments);
    arguments.insert(arguments.end(), more.begin(), more.end());
    rounds.declare(tile_table(table), "cycles/element", "MB8: satish_gpu_merge: " + what, std::move(arguments));
  };
  const std::string merges = "a piece of two runs in the first-level cache, merged ";
  declare("network", "a tile of random words from registers, sorted by a network in shared memory (preset paper)");
  declare("path_sort", "a tile of random words from registers, sorted by merging (preset tuned)");
  declare("merge_ranks", merges + "by ranks; their words are mixed at random (preset paper)");
  declare("merge_path",
          merges +
              "along its path (preset tuned); sorted: 1 where the runs follow each other, 0 where their words are "
              "mixed at random",
          {"sorted"});
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

}  // namespace sortlab::calibration
