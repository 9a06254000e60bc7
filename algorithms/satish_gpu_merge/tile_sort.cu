// Makes the first runs: tiles sorted by Batcher's odd-even merge sort.
#include "algorithms/satish_gpu_merge/tile_sort.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::gpu_merge {
namespace {

/// The next tile of `level`, padded at the end of the last one.
template <class Word, class V>
struct Tile {
  const Level<Word, V>& level;
  std::uint64_t first;
  std::uint32_t count;
  using Value = V;

  __device__ explicit Tile(const Level<Word, V>& level)
      : level(level),
        first(std::uint64_t{blockIdx.x} * level.tile),
        count(static_cast<std::uint32_t>(min(level.n - first, std::uint64_t{level.tile}))) {}
  __device__ Word load(std::uint32_t at) const {
    return at < count ? level.order.ordered(level.keys[first + at]) : ~Word{0};
  }
  __device__ V value(std::uint32_t at) const {
    return level.values != nullptr ? level.values[first + at] : static_cast<V>(first + at);
  }
  __device__ void store(std::uint32_t at, Word key, V value) const {
    level.keys_out[first + at] = level.order.restored(key);
    if constexpr (kHasValue<V>) level.values_out[first + at] = value;
  }
};

template <class Word, class V>
__global__ void __launch_bounds__(kMaxTile / 2) sort_by_network(Level<Word, V> level) {
  sort_tile_by_network<Word>(Tile<Word, V>(level));
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxPathThreads) sort_by_merging(Level<Word, V> level) {
  sort_tile_by_merging<Word>(Tile<Word, V>(level));
}

template <class Word, class V>
auto* choose_kernel(const Shape& shape) {
  return by_splitters(shape.method) ? sort_by_network<Word, V> : sort_by_merging<Word, V>;
}

}  // namespace

template <class Word, class V>
void sort_tiles(const Level<Word, V>& level, const Shape& shape, cudaStream_t stream) {
  const auto kernel = choose_kernel<Word, V>(shape);
  const std::uint32_t threads = tile_sort_threads(shape);
  const std::uint32_t bytes = tile_sort_bytes<Word>(shape, kHasValue<V>);
  allow_shared_memory(kernel, bytes);
  kernel<<<static_cast<std::uint32_t>((level.n + shape.tile - 1) / shape.tile), threads, bytes, stream>>>(level);
  check_launch();
}

template <class Word, class V>
int resident_tile_sorts(const Shape& shape) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, choose_kernel<Word, V>(shape),
                                                      static_cast<int>(tile_sort_threads(shape)),
                                                      tile_sort_bytes<Word>(shape, kHasValue<V>)));
  return blocks;
}

#define SORTLAB_INSTANTIATE(Word, V)                                           \
  template void sort_tiles(const Level<Word, V>&, const Shape&, cudaStream_t); \
  template int resident_tile_sorts<Word, V>(const Shape&)
SORTLAB_FOR_KEYS_AND_VALUES(SORTLAB_INSTANTIATE);

}  // namespace sortlab::gpu_merge
