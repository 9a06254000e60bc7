// MB8, tile primitives of satish_gpu_merge: its kernels' work within a multiprocessor, by its own device code in the
// shapes of its presets. Keys come from registers, or from the L1 cache if they must be sorted.
#include <random>

#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/common/cuda/two_runs.hpp"
#include "algorithms/device_probe.hpp"
#include "algorithms/plugin.hpp"
#include "algorithms/satish_gpu_merge/merge_piece.cuh"
#include "algorithms/satish_gpu_merge/tile_sort.cuh"

namespace sortlab::calibration {
namespace {

using namespace gpu_merge;

/// Data that a sort moves with its keys: nothing, or an element's original position.
template <class V>
using Moved = std::conditional_t<kHasValue<V>, std::uint32_t, NoValue>;

/// A tile of words from registers: random ones, or in order.
template <class Word, class V, bool kSorted>
struct MadeTile {
  using Value = Moved<V>;
  KeyOrder<Word> order;
  std::uint32_t count;
  RandomWords& words;
  Discard& discard;

  __device__ Word load(std::uint32_t at) const {
    return order.ordered(kSorted ? static_cast<Word>(at) : words.next<Word>());
  }
  __device__ Value value(std::uint32_t at) const { return at; }
  __device__ void store(std::uint32_t, Word key, Value value) const {
    discard.take(order.restored(key));
    if constexpr (kHasValue<V>) discard.take(value);
  }
};

template <class Word, class V, bool kSorted>
__global__ void __launch_bounds__(512) network_tile(KeyOrder<Word> order, std::uint32_t* out) {
  RandomWords words;
  Discard discard;
  sort_tile_by_network<Word>(MadeTile<Word, V, kSorted>{order, 2 * blockDim.x, words, discard});
  discard.finish(out);
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxPathThreads) merging_tile(KeyOrder<Word> order, std::uint32_t* out) {
  RandomWords words;
  Discard discard;
  sort_tile_by_merging<Word>(MadeTile<Word, V, false>{order, blockDim.x * kPathItems<Word>, words, discard});
  discard.finish(out);
}

/// Size of a piece of two runs: the number of elements, and of those from the first run.
struct PieceSize {
  std::uint32_t count, count_a;
};
constexpr std::uint32_t kPieceSizes = 1024;  ///< pieces that blocks take in turn

/// The smallest elements of two adjacent runs of `length`. All blocks read the same arrays.
template <class Word>
struct Pieces {
  const Word* keys;
  std::uint32_t length;
  const PieceSize* sizes;
};

template <class Word, class V>
struct CachedPiece {
  using Value = Moved<V>;
  KeyOrder<Word> order;
  const Pieces<Word>& pieces;
  Discard& discard;
  std::uint32_t count, count_a;

  __device__ CachedPiece(KeyOrder<Word> order, const Pieces<Word>& pieces, Discard& discard)
      : order(order), pieces(pieces), discard(discard) {
    const PieceSize size = pieces.sizes[blockIdx.x % kPieceSizes];
    count = size.count;
    count_a = size.count_a;
  }
  __device__ std::uint32_t source(std::uint32_t i) const { return (i < count_a ? 0 : pieces.length - count_a) + i; }
  __device__ Word load(std::uint32_t i) const { return order.ordered(pieces.keys[source(i)]); }
  __device__ Value value(std::uint32_t i) const { return source(i); }
  __device__ void store(std::uint32_t, Word ordered, Value value) const {
    discard.take(order.restored(ordered));
    if constexpr (kHasValue<V>) discard.take(value);
  }
};

template <class Word, class V>
__global__ void __launch_bounds__(1024) ranks_piece(KeyOrder<Word> order, Pieces<Word> pieces, std::uint32_t* out) {
  Discard discard;
  merge_piece_by_ranks<Word>(CachedPiece<Word, V>{order, pieces, discard});
  discard.finish(out);
}

template <class Word, class V>
__global__ void __launch_bounds__(1024) bitonic_piece(KeyOrder<Word> order, Pieces<Word> pieces, std::uint32_t* out) {
  Discard discard;
  merge_piece_by_network<Word>(CachedPiece<Word, V>{order, pieces, discard});
  discard.finish(out);
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxPathThreads, kPathBlocks<V>)
    path_piece(KeyOrder<Word> order, Pieces<Word> pieces, std::uint32_t* out) {
  Discard discard;
  merge_piece_by_path<Word>(CachedPiece<Word, V>{order, pieces, discard});
  discard.finish(out);
}

/// Value of a parameter in a preset of the sort.
std::uint32_t preset(std::string_view name, const std::string& parameter) {
  for (const auto& [preset, parameters] : algorithm_named("satish_gpu_merge").info().presets) {
    if (preset == name) return static_cast<std::uint32_t>(std::stoul(parameters.at(parameter)));
  }
  throw std::logic_error("satish_gpu_merge has no such preset");
}

/// Launch configuration of a sort's kernel.
struct Blocks {
  std::uint32_t threads;
  std::uint32_t bytes;     ///< bytes of shared memory
  int resident;            ///< resident blocks per multiprocessor
  std::uint32_t elements;  ///< average number of elements per block
};

/// Adds a point for all resident blocks of a kernel, and one for one block per multiprocessor. `arguments`: all but the
/// last, `out`; they may point into `memory`.
template <class Kernel, class... Arguments>
void add_tiles(Rounds& rounds, DeviceBench& bench, const char* table, std::vector<double> at, Kernel* kernel,
               const Blocks& of, const std::shared_ptr<void>& memory, Arguments... arguments) {
  const int threads = static_cast<int>(of.threads);
  const std::uint32_t bytes = bytes_to_hold(bench, kernel, threads, of.bytes, of.resident);
  const int blocks = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, threads, bytes);
  rounds.add(tile_table(table), std::move(at), [=, &bench] {
    return cycles_per_element(bench, std::int64_t{blocks} * of.elements, [&, memory](cudaStream_t stream) {
      kernel<<<blocks, of.threads, bytes, stream>>>(arguments..., probe_output(bench));
    });
  });
}
template <class Kernel, class... Arguments>
void add_lone_tile(Rounds& rounds, DeviceBench& bench, const char* table, std::vector<double> at, Kernel* kernel,
                   const Blocks& of, const std::shared_ptr<void>& memory, Arguments... arguments) {
  add_alone(rounds, bench, table, std::move(at), of.threads, [=, &bench](cudaStream_t stream, unsigned blocks) {
    static_cast<void>(memory);
    kernel<<<blocks, of.threads, of.bytes, stream>>>(arguments..., probe_output(bench));
  });
}

template <class Word, class V>
void add_sorts(Rounds& rounds, DeviceBench& bench, const Shape& paper, const Shape& tuned) {
  constexpr bool kValues = kHasValue<V>;
  const std::size_t key = sizeof(Word), value = kTileValueBytes<V>;
  const KeyOrder<Word> order = key_order<Word>();
  const auto blocks = [](const Shape& shape, int resident) {
    return Blocks{.threads = tile_sort_threads(shape),
                  .bytes = tile_sort_bytes<Word>(shape, kValues),
                  .resident = resident,
                  .elements = shape.tile};
  };
  const Blocks network = blocks(paper, resident_tile_sorts<Word, V>(paper));
  const auto random_words = network_tile<Word, V, false>;
  add_tiles(rounds, bench, "network", point(key, value, 0), random_words, network, nullptr, order);
  add_tiles(rounds, bench, "network", point(key, value, 1), network_tile<Word, V, true>, network, nullptr, order);
  add_lone_tile(rounds, bench, "network", point(key, value), random_words, network, nullptr, order);
  const Blocks merging = blocks(tuned, resident_tile_sorts<Word, V>(tuned));
  add_tiles(rounds, bench, "path_sort", point(key, value), merging_tile<Word, V>, merging, nullptr, order);
  add_lone_tile(rounds, bench, "path_sort", point(key, value), merging_tile<Word, V>, merging, nullptr, order);
}

/// Lengths of pieces between the splitters of both runs. The splitters are a tile apart in their own run, and random
/// relative to each other: lengths of neighbours are random, their sum is not.
std::vector<std::uint32_t> random_lengths(std::uint32_t tile) {
  std::mt19937 random{tile};
  std::vector<std::uint32_t> lengths(kPieceSizes);
  for (std::uint32_t i = 0; i < kPieceSizes; i += 2) {
    lengths[i] = random() % (2 * tile + 1);
    lengths[i + 1] = 2 * tile - lengths[i];
  }
  return lengths;
}

/// Two runs, and their pieces.
template <class Word>
class PieceMemory {
 public:
  PieceMemory(const Shape& shape, bool in_order, const std::vector<std::uint32_t>& lengths)
      : runs_(largest_piece(shape), in_order) {
    std::vector<PieceSize> sizes;
    for (const std::uint32_t length : lengths) sizes.push_back({length, runs_.firsts()[length]});
    sizes_ = on_device(sizes);
  }
  Pieces<Word> pieces() const { return {runs_.words(), runs_.length(), sizes_.template data<const PieceSize>()}; }

 private:
  TwoRuns<Word> runs_;
  DeviceMemory sizes_;
};

/// Merges of randomly interleaved runs, in pieces of `mixed_lengths`, and of runs without overlap.
template <class Word, class V, class Kernel>
void add_merges(Rounds& rounds, DeviceBench& bench, const char* table, Kernel* kernel, const Shape& shape,
                const std::vector<std::uint32_t>& mixed_lengths) {
  const std::size_t key = sizeof(Word), value = kTileValueBytes<V>;
  const Blocks blocks{.threads = shape.threads,
                      .bytes = merge_bytes<Word>(shape, kHasValue<V>),
                      .resident = resident_merges<Word, V>(shape),
                      .elements = shape.tile};
  const auto memory = [&](bool in_order, const std::vector<std::uint32_t>& lengths) {
    return std::make_shared<PieceMemory<Word>>(shape, in_order, lengths);
  };
  const std::vector<std::uint32_t> equal_lengths(kPieceSizes, shape.tile);
  const auto mixed = memory(false, mixed_lengths), even = memory(false, equal_lengths),
             in_order = memory(true, equal_lengths);
  const KeyOrder<Word> order = key_order<Word>();
  add_tiles(rounds, bench, table, point(key, value, 0), kernel, blocks, mixed, order, mixed->pieces());
  add_tiles(rounds, bench, table, point(key, value, 1), kernel, blocks, in_order, order, in_order->pieces());
  add_lone_tile(rounds, bench, table, point(key, value), kernel, blocks, even, order, even->pieces());
}

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  const Shape paper = splitters_shape(Method::ranks, preset("paper", "tile"));
  const Shape bitonic = splitters_shape(Method::bitonic, preset("paper_2010", "tile"));
  const Shape tuned = path_shape<Word>(preset("tuned", "threads"));
  add_sorts<Word, V>(rounds, bench, paper, tuned);
  add_merges<Word, V>(rounds, bench, "merge_ranks", ranks_piece<Word, V>, paper, random_lengths(paper.tile));
  add_merges<Word, V>(rounds, bench, "merge_bitonic", bitonic_piece<Word, V>, bitonic, random_lengths(bitonic.tile));
  add_merges<Word, V>(rounds, bench, "merge_path", path_piece<Word, V>, tuned,
                      std::vector<std::uint32_t>(kPieceSizes, tuned.tile));
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const auto declare = [&](const char* table, const std::string& what, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"key_bytes", "value_bytes"};
    declare_alone(rounds, table, arguments);
    arguments.insert(arguments.end(), more.begin(), more.end());
    rounds.declare(tile_table(table), "cycles/element", "MB8: satish_gpu_merge: " + what, std::move(arguments));
  };
  const std::string merges = "a piece of two runs in the first-level cache, merged ";
  const std::string mixed = "; sorted: 1 where the runs follow each other, 0 where their words are mixed at random";
  declare("network",
          "a tile of words from registers, sorted by a network in shared memory (presets paper and paper_2010); "
          "sorted: 1 where they are in order, 0 where at random",
          {"sorted"});
  declare("path_sort", "a tile of random words from registers, sorted by merging (preset tuned)");
  declare("merge_ranks", merges + "by ranks (preset paper)" + mixed, {"sorted"});
  declare("merge_bitonic", merges + "by a bitonic network (preset paper_2010)" + mixed, {"sorted"});
  declare("merge_path", merges + "along its path (preset tuned)" + mixed, {"sorted"});
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

const RegisterProbe registered{DeviceProbe{"satish_gpu_merge", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
