// A level of the merge sort: cuts divide the merge of each pair of runs into independent pieces, which blocks merge in
// shared memory.
#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab::gpu_merge {
namespace {

constexpr std::uint32_t kCutThreads = 256;

/// Paper: every tile's first element is a splitter. Its ranks in both runs are a cut, and the cut's number among those
/// of the pair is its rank among the splitters: its own, and that of the splitters of the other run before it.
template <class Word, class V>
__global__ void __launch_bounds__(kCutThreads)
    rank_splitters(Level<Word, V> level, std::uint32_t tile, std::uint64_t tiles) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * kCutThreads + threadIdx.x;
  if (number >= tiles) return;
  const std::uint64_t at = number * tile;
  const Pair pair(at, level.run, level.n);
  const Word key = level.order.ordered(level.keys[at]);
  const auto other = [&](std::uint64_t i) { return level.order.ordered(level.keys[i]); };
  const auto splitters = [&](std::uint64_t elements) { return (elements + tile - 1) / tile; };
  if (at < pair.middle) {
    const std::uint64_t less =
        count_before(pair.last - pair.middle, [&](std::uint64_t i) { return other(pair.middle + i) < key; });
    level.cuts[number + splitters(less)] = {.a = at, .b = pair.middle + less};
  } else {
    const std::uint64_t not_more =
        count_before(pair.middle - pair.first, [&](std::uint64_t i) { return !(key < other(pair.first + i)); });
    level.cuts[(pair.first + at - pair.middle) / tile + splitters(not_more)] = {.a = pair.first + not_more, .b = at};
  }
}

/// A cut every `tile` elements of the merged run: where the merge's path crosses the diagonal.
template <class Word, class V>
__global__ void __launch_bounds__(kCutThreads)
    cross_diagonals(Level<Word, V> level, std::uint32_t tile, std::uint64_t tiles) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * kCutThreads + threadIdx.x;
  if (number >= tiles) return;
  const std::uint64_t at = number * tile;
  const Pair pair(at, level.run, level.n);
  const auto key = [&](std::uint64_t i) { return level.order.ordered(level.keys[i]); };
  const std::uint64_t diagonal = at - pair.first;
  const std::uint64_t of_a = path_crossing(
      diagonal, pair.middle - pair.first, pair.last - pair.middle, [&](std::uint64_t i) { return key(pair.first + i); },
      [&](std::uint64_t i) { return key(pair.middle + i); });
  level.cuts[number] = {.a = pair.first + of_a, .b = pair.middle + diagonal - of_a};
}

/// The piece of a block: elements of both runs, and where they go.
struct Piece {
  std::uint64_t a;  ///< where the first element of the one run lies
  std::uint64_t b;  ///< where that of the other would lie if it were not for the count_a elements before it
  std::uint64_t to;
  std::uint32_t count_a, count;

  template <class Word, class V>
  __device__ Piece(const Level<Word, V>& level, std::uint32_t tile) {
    const std::uint64_t at = std::uint64_t{blockIdx.x} * tile;
    const Pair pair(at, level.run, level.n);
    const Cut begin = level.cuts[blockIdx.x];
    const Cut end = at + tile < pair.last ? level.cuts[blockIdx.x + 1] : Cut{.a = pair.middle, .b = pair.last};
    to = begin.a + begin.b - pair.middle;
    count_a = static_cast<std::uint32_t>(end.a - begin.a);
    count = count_a + static_cast<std::uint32_t>(end.b - begin.b);
    a = begin.a;
    b = begin.b - count_a;
  }
  /// Where an element lies in global memory.
  __device__ std::uint64_t source(std::uint32_t i) const { return (i < count_a ? a : b) + i; }
};

/// Writes out a merged piece: keys in order, and where in the piece each came from.
template <class Word, class V>
__device__ void store_piece(const Level<Word, V>& level, const Piece& piece, const Word* keys,
                            const std::uint16_t* from) {
  for (std::uint32_t i = threadIdx.x; i < piece.count; i += blockDim.x) {
    level.keys_out[piece.to + i] = level.order.restored(keys[i]);
    if constexpr (kHasValue<V>) level.values_out[piece.to + i] = level.values[piece.source(from[i])];
  }
}

/// Paper, by as many threads as a tile has elements, two each: an element's rank is its own in its run and that in the
/// other, by binary search.
template <class Word, class V>
__global__ void __launch_bounds__(1024) merge_by_ranks(Level<Word, V> level) {
  extern __shared__ uint4 shared[];
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + 2 * blockDim.x);
  const Piece piece(level, blockDim.x);
  Word key[2];
  std::uint32_t rank[2];
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i < piece.count) keys[i] = key[each] = level.order.ordered(level.keys[piece.source(i)]);
  }
  __syncthreads();
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i < piece.count_a) {
      rank[each] = i + count_before(piece.count - piece.count_a,
                                    [&](std::uint32_t j) { return keys[piece.count_a + j] < key[each]; });
    } else if (i < piece.count) {
      rank[each] =
          i - piece.count_a + count_before(piece.count_a, [&](std::uint32_t j) { return !(key[each] < keys[j]); });
    }
  }
  __syncthreads();
#pragma unroll
  for (int each = 0; each < 2; ++each) {
    const std::uint32_t i = each * blockDim.x + threadIdx.x;
    if (i >= piece.count) break;
    keys[rank[each]] = key[each];
    if constexpr (kHasValue<V>) from[rank[each]] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();
  store_piece(level, piece, keys, from);
}

/// Each thread finds its own piece of the piece, and merges it element by element.
template <class Word, class V>
__global__ void __launch_bounds__(kMostPathThreads) merge_by_path(Level<Word, V> level) {
  constexpr int kItems = kPathItems<Word>;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = blockDim.x * kItems;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + size + kOverread);
  const Piece piece(level, size);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t at = i * blockDim.x + threadIdx.x;
    if (at < piece.count) keys[at] = level.order.ordered(level.keys[piece.source(at)]);
  }
  __syncthreads();
  const std::uint32_t diagonal = min(threadIdx.x * kItems, piece.count), count_b = piece.count - piece.count_a;
  const std::uint32_t of_a = path_crossing(
      diagonal, piece.count_a, count_b, [&](std::uint32_t i) { return keys[i]; },
      [&](std::uint32_t i) { return keys[piece.count_a + i]; });
  Word key[kItems];
  std::uint32_t from[kItems];
  merge_from(keys, of_a, piece.count_a, piece.count_a + diagonal - of_a, piece.count, key, from);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    keys[threadIdx.x * kItems + i] = key[i];
    if constexpr (kHasValue<V>) places[threadIdx.x * kItems + i] = static_cast<std::uint16_t>(from[i]);
  }
  __syncthreads();
  store_piece(level, piece, keys, places);
}

template <class Word, class V>
std::uint64_t tiles_of(const Level<Word, V>& level, const Shape& shape) {
  return (level.n + shape.tile - 1) / shape.tile;
}

}  // namespace

template <class Word, class V>
void find_cuts(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream) {
  const std::uint64_t tiles = tiles_of(level, shape);
  const auto blocks = static_cast<std::uint32_t>((tiles + kCutThreads - 1) / kCutThreads);
  const auto kernel = shape.method == Method::ranks ? rank_splitters<Word, V> : cross_diagonals<Word, V>;
  kernel<<<blocks, kCutThreads, 0, stream>>>(level, shape.tile, tiles);
  check_launch();
}

template <class Word, class V>
void merge_pieces(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream) {
  const bool by_ranks = shape.method == Method::ranks;
  const auto kernel = by_ranks ? merge_by_ranks<Word, V> : merge_by_path<Word, V>;
  const std::uint32_t most = by_ranks ? 2 * shape.tile : shape.tile;  // elements of a piece
  const auto bytes = static_cast<std::uint32_t>((most + (by_ranks ? 0 : kOverread)) * sizeof(Word) +
                                                (kHasValue<V> ? most * sizeof(std::uint16_t) : 0));
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<static_cast<std::uint32_t>(tiles_of(level, shape)), shape.threads, bytes, stream>>>(level);
  check_launch();
}

SORTLAB_FOR_KEYS_AND_VALUES(find_cuts);
SORTLAB_FOR_KEYS_AND_VALUES(merge_pieces);

}  // namespace sortlab::gpu_merge
