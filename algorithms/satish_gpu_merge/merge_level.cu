// One level of the merge sort: cuts divide the merge of each pair of runs into independent pieces, which blocks merge
// in shared memory.
#include "algorithms/satish_gpu_merge/merge_piece.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::gpu_merge {
namespace {

constexpr std::uint32_t kCutThreads = 256;

/// IPDPS 2009: every tile's first element is a splitter. Its ranks in both runs are a cut, and the cut's index within
/// the pair is its rank among the splitters: its own index plus the number of the other run's splitters before it.
template <class Word, class V>
__global__ void __launch_bounds__(kCutThreads) rank_splitters(Level<Word, V> level, std::uint64_t tiles) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * kCutThreads + threadIdx.x;
  if (number >= tiles) return;
  const std::uint64_t at = number * level.tile;
  const Pair pair(level, number);
  const Word key = level.order.ordered(level.keys[at]);
  const auto other = [&](std::uint64_t i) { return level.order.ordered(level.keys[i]); };
  const auto splitters = [&](std::uint64_t elements) { return (elements + level.tile - 1) / level.tile; };
  if (at < pair.middle) {
    const std::uint64_t less =
        count_before(pair.last - pair.middle, [&](std::uint64_t i) { return other(pair.middle + i) < key; });
    level.cuts[number + splitters(less)] = {.a = at, .b = pair.middle + less};
  } else {
    const std::uint64_t not_more =
        count_before(pair.middle - pair.first, [&](std::uint64_t i) { return !(key < other(pair.first + i)); });
    level.cuts[(pair.first + at - pair.middle) / level.tile + splitters(not_more)] = {.a = pair.first + not_more,
                                                                                      .b = at};
  }
}

/// A cut every `tile` elements of the merged run, where the merge path crosses the diagonal.
template <class Word, class V>
__global__ void __launch_bounds__(kCutThreads) cross_diagonals(Level<Word, V> level, std::uint64_t tiles) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * kCutThreads + threadIdx.x;
  if (number >= tiles) return;
  const std::uint64_t at = number * level.tile;
  const Pair pair(level, number);
  const auto key = [&](std::uint64_t i) { return level.order.ordered(level.keys[i]); };
  const std::uint64_t diagonal = at - pair.first;
  const std::uint64_t of_a = path_crossing(
      diagonal, pair.middle - pair.first, pair.last - pair.middle, [&](std::uint64_t i) { return key(pair.first + i); },
      [&](std::uint64_t i) { return key(pair.middle + i); });
  level.cuts[number] = {.a = pair.first + of_a, .b = pair.middle + diagonal - of_a};
}

/// A block's piece: elements of both runs, and their destination.
template <class Word, class V>
struct Piece {
  const Level<Word, V>& level;
  std::uint64_t a;  ///< position of the first run's first element
  std::uint64_t b;  ///< position of the second run's first element, minus count_a
  std::uint64_t to;
  std::uint32_t count_a, count;

  using Value = V;

  __device__ explicit Piece(const Level<Word, V>& level) : level(level) {
    const std::uint64_t at = std::uint64_t{blockIdx.x} * level.tile;
    const Pair pair(level, blockIdx.x);
    const Cut begin = level.cuts[blockIdx.x];
    const Cut end = at + level.tile < pair.last ? level.cuts[blockIdx.x + 1] : Cut{.a = pair.middle, .b = pair.last};
    to = begin.a + begin.b - pair.middle;
    count_a = static_cast<std::uint32_t>(end.a - begin.a);
    count = count_a + static_cast<std::uint32_t>(end.b - begin.b);
    a = begin.a;
    b = begin.b - count_a;
  }
  /// Position of an element in global memory.
  __device__ std::uint64_t source(std::uint32_t i) const { return (i < count_a ? a : b) + i; }
  __device__ Word load(std::uint32_t i) const { return level.order.ordered(level.keys[source(i)]); }
  __device__ V value(std::uint32_t i) const { return level.values[source(i)]; }
  __device__ void store(std::uint32_t i, Word ordered, V value) const {
    level.keys_out[to + i] = level.order.restored(ordered);
    if constexpr (kHasValue<V>) level.values_out[to + i] = value;
  }
};

template <class Word, class V>
__global__ void __launch_bounds__(kMaxTile) merge_by_ranks(Level<Word, V> level) {
  merge_piece_by_ranks<Word>(Piece<Word, V>(level));
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxTile) merge_by_network(Level<Word, V> level) {
  merge_piece_by_network<Word>(Piece<Word, V>(level));
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxPathThreads, kPathBlocks<V>) merge_by_path(Level<Word, V> level) {
  merge_piece_by_path<Word>(Piece<Word, V>(level));
}

template <class Word, class V>
std::uint64_t tile_count(const Level<Word, V>& level) {
  return (level.n + level.tile - 1) / level.tile;
}

template <class Word, class V>
auto* choose_merge_kernel(const Shape& shape) {
  switch (shape.method) {
    case Method::ranks: return merge_by_ranks<Word, V>;
    case Method::bitonic: return merge_by_network<Word, V>;
    case Method::path: break;
  }
  return merge_by_path<Word, V>;
}

}  // namespace

template <class Word, class V>
void find_cuts(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream) {
  const std::uint64_t tiles = tile_count(level);
  const auto blocks = static_cast<std::uint32_t>((tiles + kCutThreads - 1) / kCutThreads);
  const auto kernel = by_splitters(shape.method) ? rank_splitters<Word, V> : cross_diagonals<Word, V>;
  kernel<<<blocks, kCutThreads, 0, stream>>>(level, tiles);
  check_launch();
}

template <class Word, class V>
void merge_pieces(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream) {
  const auto kernel = choose_merge_kernel<Word, V>(shape);
  const std::uint32_t bytes = merge_bytes<Word>(shape, kHasValue<V>);
  allow_shared_memory(kernel, bytes);
  kernel<<<static_cast<std::uint32_t>(tile_count(level)), shape.threads, bytes, stream>>>(level);
  check_launch();
}

template <class Word, class V>
int resident_merges(const Shape& shape) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, choose_merge_kernel<Word, V>(shape),
                                                      static_cast<int>(shape.threads),
                                                      merge_bytes<Word>(shape, kHasValue<V>)));
  return blocks;
}

#define SORTLAB_INSTANTIATE(Word, V)                                             \
  template void find_cuts(const Level<Word, V>&, const Shape&, cudaStream_t);    \
  template void merge_pieces(const Level<Word, V>&, const Shape&, cudaStream_t); \
  template int resident_merges<Word, V>(const Shape&)
SORTLAB_FOR_KEYS_AND_VALUES(SORTLAB_INSTANTIATE);

}  // namespace sortlab::gpu_merge
