#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/common/cuda/tile_split.cuh"

namespace sortlab {
namespace {

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

template <int kItems, class Word, class V>
class SplitSorter2009 final : public Sorter {
 public:
  SplitSorter2009(const Problem& problem, KeyOrder<Word> order, const Parameters& parameters,
                  const Resources& resources)
      : stream_(stream_of(resources)),
        order_(order),
        digit_bits_(static_cast<int>(parameters.integer("digit_bits"))),
        threads_(static_cast<std::uint32_t>(parameters.integer("threads"))),
        tiles_((problem.n + threads_ * kItems - 1) / (threads_ * kItems)),
        second_(problem),
        counters_(1 << digit_bits_, tiles_),
        starts_(tiles_ * sizeof(std::uint16_t) << digit_bits_) {
    check(cudaFuncSetAttribute(sort_tiles<kItems, Word, V>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(tile_bytes())));
  }

  std::uint64_t scratch_bytes() const override { return second_.bytes() + counters_.bytes() + starts_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count < 2) return data;
    constexpr int key_bits = 8 * sizeof(Word);
    for (int pass = 0; pass * digit_bits_ < key_bits; ++pass) {
      const int shift = pass * digit_bits_;
      run_pass(data, {order_, shift, std::min(digit_bits_, key_bits - shift)}, pass, phases);
    }
    return data;
  }

 private:
  std::uint32_t tile_bytes() const {
    return tile_slot<kItems>(threads_ * kItems) * (sizeof(Word) + value_bytes<V>()) +
           block_sum_words(threads_) * sizeof(std::uint32_t);
  }

  /// From `data` to the second buffers, tile by tile, and back.
  void run_pass(const Buffers& data, const Digit<Word>& digit, int pass, PhaseTimer& phases) {
    auto* const keys = static_cast<Word*>(data.keys.data);
    auto* const values = static_cast<V*>(data.values.data);
    auto* const sorted_keys = static_cast<Word*>(second_.buffers().keys.data);
    auto* const sorted_values = static_cast<V*>(second_.buffers().values.data);
    auto* const starts = starts_.data<std::uint16_t>();
    const std::uint64_t n = data.keys.count;
    const auto blocks = static_cast<std::uint32_t>(tiles_);
    const std::uint32_t digits = digit.count();
    {
      const auto phase = phases.phase("sort tiles", pass);
      sort_tiles<kItems>
          <<<blocks, threads_, tile_bytes(), stream_>>>(keys, values, sorted_keys, sorted_values, n, digit);
      check_launch();
    }
    {
      const auto phase = phases.phase("find offsets", pass);
      const std::uint32_t bytes = 2 * digits * sizeof(std::uint32_t) + threads_ * kItems;
      find_offsets<<<blocks, threads_, bytes, stream_>>>(sorted_keys, n, kItems, digit, starts, counters_.counts());
      check_launch();
    }
    {
      const auto phase = phases.phase("scan", pass);
      counters_.scan(stream_);
    }
    const auto phase = phases.phase("scatter", pass);
    scatter_runs<<<blocks, threads_, digits * sizeof(std::uint64_t), stream_>>>(
        sorted_keys, sorted_values, keys, values, n, kItems, digit, starts, counters_.offsets());
    check_launch();
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

}  // namespace

std::unique_ptr<Sorter> make_satish_split_radix_2009(const Problem& problem, const Parameters& parameters,
                                                     const Resources& resources) {
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      switch (parameters.integer("items")) {
        case 2: return std::make_unique<SplitSorter2009<2, Word, V>>(problem, order, parameters, resources);
        case 8: return std::make_unique<SplitSorter2009<8, Word, V>>(problem, order, parameters, resources);
        default: return std::make_unique<SplitSorter2009<4, Word, V>>(problem, order, parameters, resources);
      }
    });
  });
}

}  // namespace sortlab
