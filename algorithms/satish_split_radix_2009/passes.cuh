// The four kernels of a pass, with the memory that they need: what the sort launches one after the other, and a
// component alone.
#pragma once

#include <algorithm>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/common/cuda/tile_split.cuh"
#include "generators/parameters.hpp"

namespace sortlab::satish_2009 {

/// The tile of a block: elements `first` to `first + count`.
struct Tile {
  std::uint64_t first;
  std::uint32_t count;
  __device__ Tile(std::uint64_t n, std::uint32_t size)
      : first(std::uint64_t{blockIdx.x} * size),
        count(static_cast<std::uint32_t>(min(n - first, std::uint64_t{size}))) {}
};

template <class V>
__host__ __device__ constexpr std::uint32_t value_bytes() {
  return std::is_same_v<V, NoValue> ? 0 : sizeof(V);
}

/// Step 1: sorts each tile by the digit, in shared memory.
template <int kItems, class Word, class V>
__global__ void __launch_bounds__(512)
    sort_tiles(const Word* keys, const V* values, Word* keys_out, V* values_out, std::uint64_t n, Digit<Word> digit) {
  extern __shared__ uint4 shared[];
  const std::uint32_t size = blockDim.x * kItems, slots = tile_slot<kItems>(size);
  auto* const tile_keys = reinterpret_cast<Word*>(shared);
  auto* const tile_values = reinterpret_cast<V*>(tile_keys + slots);
  auto* const sums = reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(tile_values) + slots * value_bytes<V>());

  const Tile tile(n, size);
  load_tile<kItems>(keys + tile.first, values + tile.first, tile.count, tile_keys, tile_values, digit);
  __syncthreads();
  split_tile<kItems>(tile_keys, tile_values, sums, digit);
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    keys_out[tile.first + at] = tile_keys[tile_slot<kItems>(at)];
    if constexpr (value_bytes<V>() != 0) values_out[tile.first + at] = tile_values[tile_slot<kItems>(at)];
  }
}

/// Step 2: a digit starts where it differs from its neighbour's. A tile of 512 x 8 keys has starts below 2^16.
template <class Word>
__global__ void __launch_bounds__(512) find_offsets(const Word* keys, std::uint64_t n, std::uint32_t items,
                                                    Digit<Word> digit, std::uint16_t* starts, std::uint32_t* counts) {
  extern __shared__ std::uint32_t found[];  // where each digit starts, where it ends, and the digits of the tile
  const std::uint32_t digits = digit.count();
  std::uint32_t* const start = found;
  std::uint32_t* const end = start + digits;
  auto* const tile_digits = reinterpret_cast<std::uint8_t*>(end + digits);

  const Tile tile(n, blockDim.x * items);
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x)
    tile_digits[at] = digit(keys[tile.first + at]);
  for (std::uint32_t d = threadIdx.x; d < 2 * digits; d += blockDim.x) found[d] = 0;
  __syncthreads();
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    const unsigned d = tile_digits[at];
    if (at == 0 || tile_digits[at - 1] != d) start[d] = at;
    if (at + 1 == tile.count || tile_digits[at + 1] != d) end[d] = at + 1;
  }
  __syncthreads();
  for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) {
    starts[std::uint64_t{blockIdx.x} * digits + d] = static_cast<std::uint16_t>(start[d]);
    counts[std::uint64_t{d} * gridDim.x + blockIdx.x] = end[d] - start[d];
  }
}

/// Step 4: moves the run of each digit of each tile to its place.
template <class Word, class V>
__global__ void __launch_bounds__(512)
    scatter_runs(const Word* keys, const V* values, Word* keys_out, V* values_out, std::uint64_t n, std::uint32_t items,
                 Digit<Word> digit, const std::uint16_t* starts, const std::uint64_t* offsets) {
  extern __shared__ std::uint64_t base[];  // what to add to an index in the tile, modulo 2^64
  const std::uint32_t digits = digit.count();
  for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) {
    base[d] = offsets[std::uint64_t{d} * gridDim.x + blockIdx.x] - starts[std::uint64_t{blockIdx.x} * digits + d];
  }
  __syncthreads();
  const Tile tile(n, blockDim.x * items);
#pragma unroll 4
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    const Word key = keys[tile.first + at];
    const std::uint64_t to = base[digit(key)] + at;
    keys_out[to] = key;
    if constexpr (value_bytes<V>() != 0) values_out[to] = values[tile.first + at];
  }
}

/// Tiles go from the arrays of the input to second ones, sorted, and from there back, each run to its place.
template <int kItems, class Word, class V>
class Passes {
 public:
  Passes(const Problem& problem, KeyOrder<Word> order, const Parameters& parameters, const Resources& resources)
      : stream_(stream_of(resources)),
        order_(order),
        digit_bits_(static_cast<int>(parameters.integer("digit_bits"))),
        threads_(static_cast<std::uint32_t>(parameters.integer("threads"))),
        tiles_((problem.n + tile() - 1) / tile()),
        second_(problem),
        counters_(1 << digit_bits_, tiles_),
        starts_(tiles_ * sizeof(std::uint16_t) << digit_bits_) {
    check(cudaFuncSetAttribute(sort_tiles<kItems, Word, V>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(tile_bytes())));
  }

  std::uint64_t scratch_bytes() const { return second_.bytes() + counters_.bytes() + starts_.size(); }
  std::uint32_t tile() const { return threads_ * kItems; }
  int count() const { return (kKeyBits + digit_bits_ - 1) / digit_bits_; }
  /// Of a pass.
  Digit<Word> digit(int pass) const {
    const int shift = pass * digit_bits_;
    return {order_, shift, std::min(digit_bits_, kKeyBits - shift)};
  }
  /// Where the sorted tiles are.
  const Buffers& second() const { return second_.buffers(); }

  void launch_sort_tiles(int pass, const Buffers& data) const {
    sort_tiles<kItems><<<blocks(), threads_, tile_bytes(), stream_>>>(keys(data), values(data), keys(second()),
                                                                      values(second()), data.keys.count, digit(pass));
    check_launch();
  }
  void launch_find_offsets(int pass, std::uint64_t n) const {
    const std::uint32_t bytes = 2 * digit(pass).count() * sizeof(std::uint32_t) + tile();
    find_offsets<<<blocks(), threads_, bytes, stream_>>>(keys(second()), n, kItems, digit(pass),
                                                         starts_.data<std::uint16_t>(), counters_.counts());
    check_launch();
  }
  void launch_scan() const { counters_.scan(stream_); }
  /// Forgets counts, offsets and starts: all are 0.
  void clear_ranks() const {
    counters_.clear(stream_);
    check(cudaMemsetAsync(starts_.data(), 0, starts_.size(), stream_));
  }
  void launch_scatter(int pass, const Buffers& data) const {
    scatter_runs<<<blocks(), threads_, digit(pass).count() * sizeof(std::uint64_t), stream_>>>(
        keys(second()), values(second()), keys(data), values(data), data.keys.count, kItems, digit(pass),
        starts_.data<std::uint16_t>(), counters_.offsets());
    check_launch();
  }

 private:
  static constexpr int kKeyBits = 8 * sizeof(Word);

  static Word* keys(const Buffers& buffers) { return static_cast<Word*>(buffers.keys.data); }
  static V* values(const Buffers& buffers) { return static_cast<V*>(buffers.values.data); }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(tiles_); }
  std::uint32_t tile_bytes() const {
    return tile_slot<kItems>(tile()) * (sizeof(Word) + value_bytes<V>()) +
           block_sum_words(threads_) * sizeof(std::uint32_t);
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  int digit_bits_;
  std::uint32_t threads_;
  std::uint64_t tiles_;
  DeviceBuffers second_;
  DigitCounters counters_;
  DeviceMemory starts_;
};

/// Calls `f.template operator()<kItems>()` with the elements a thread that the parameters name.
template <class F>
auto with_items(const Parameters& parameters, const F& f) {
  switch (parameters.integer("items")) {
    case 2: return f.template operator()<2>();
    case 8: return f.template operator()<8>();
    default: return f.template operator()<4>();
  }
}

}  // namespace sortlab::satish_2009
