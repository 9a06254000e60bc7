// Step 3 without splits: the CPU's scalar buffer code, as a thread block would run it (sections 2.1 and 3.1 call it
// slow on a GPU, since one lane of 32 works). One lane of a warp appends the tile's keys, one by one, to a buffer for
// each digit in shared memory. The whole warp reads the tile and writes full buffers, as a CPU's cache lines do both.
//
// The first slot used in a buffer follows from its digit's first place in the output, so that full buffers end where
// the places are multiples of kBufferElements.
#pragma once

#include "algorithms/satish_split_radix/pass.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::split_radix::buffers {

/// A warp's part of shared memory: the buffers of its digits, and a row of 32 elements of its tile.
template <class Word, class V>
struct BufferedTile {
  std::uint64_t number;
  std::uint64_t first;
  std::uint32_t count;  ///< 0 beyond the last tile
  Word* keys;           ///< kBufferElements for each digit
  Word* row_keys;
  V* values;
  V* row_values;
  std::uint64_t* places;  ///< for each digit, the place of its buffer's slot 0
  std::uint32_t* begins;  ///< for each digit, the first slot of its buffer that is not written out
  std::uint32_t* slots;   ///< for each digit, the next free slot of its buffer

  template <class Memory>
  __device__ BufferedTile(void* shared, const Pass<Word, V, Memory>& pass, std::uint32_t size)
      : number(std::uint64_t{blockIdx.x} * (blockDim.x / kWarp) + threadIdx.x / kWarp),
        first(number * size),
        count(pass.tile_count(number, size)) {
    const std::uint32_t digits = pass.digit.count(), elements = digits * kBufferElements + kWarp;
    char* const mine =
        static_cast<char*>(shared) + threadIdx.x / kWarp * buffer_bytes(digits, sizeof(Word) + kValueBytes<V>);
    keys = reinterpret_cast<Word*>(mine);
    row_keys = keys + digits * kBufferElements;
    values = reinterpret_cast<V*>(keys + elements);
    row_values = values + digits * kBufferElements;
    places = reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(values) + elements * kValueBytes<V>);
    begins = reinterpret_cast<std::uint32_t*>(places + digits);
    slots = begins + digits;
  }
};

/// Points each digit's empty buffer at the digit's first place in the output.
template <class Word, class V, class Memory>
__device__ void open_buffers(const Pass<Word, V, Memory>& pass, const BufferedTile<Word, V>& tile) {
  for (std::uint32_t d = threadIdx.x % kWarp; d < pass.digit.count(); d += kWarp) {
    const std::uint64_t offset = pass.offsets[d * pass.tiles + tile.number];
    const auto slot = static_cast<std::uint32_t>(offset % kBufferElements);
    tile.places[d] = offset - slot;
    tile.begins[d] = tile.slots[d] = slot;
  }
}

/// Writes the slots of the buffer of digit d from its begin to `end`.
template <class Word, class V, class Memory>
__device__ void write_out(const Pass<Word, V, Memory>& pass, const BufferedTile<Word, V>& tile, std::uint32_t d,
                          std::uint32_t end) {
  for (std::uint32_t slot = tile.begins[d] + threadIdx.x % kWarp; slot < end; slot += kWarp) {
    const std::uint32_t at = d * kBufferElements + slot;
    pass.keys_out[tile.places[d] + slot] = tile.keys[at];
    if constexpr (kHasValue<V>) pass.values_out[tile.places[d] + slot] = tile.values[at];
  }
}

/// One lane's scalar code: appends the row's elements from `next` on, up to the one that fills a buffer or to the end.
/// Returns the digit whose buffer is full, or the number of digits.
template <class Word, class V, class Memory>
__device__ std::uint32_t append(const Pass<Word, V, Memory>& pass, const BufferedTile<Word, V>& tile,
                                std::uint32_t& next, std::uint32_t end) {
  while (next < end) {
    const Word key = tile.row_keys[next];
    const unsigned d = pass.digit(key);
    const std::uint32_t slot = tile.slots[d], at = d * kBufferElements + slot;
    tile.keys[at] = key;
    if constexpr (kHasValue<V>) tile.values[at] = tile.row_values[next];
    tile.slots[d] = slot + 1;
    ++next;
    if (slot + 1 == kBufferElements) return d;
  }
  return pass.digit.count();
}

template <class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) scatter_tiles(Pass<Word, V, Memory> pass, std::uint32_t items) {
  extern __shared__ uint4 shared[];
  const BufferedTile<Word, V> tile(shared, pass, items * kWarp);
  if (tile.count == 0) return;
  const std::uint32_t lane = threadIdx.x % kWarp, digits = pass.digit.count();
  const auto keys = pass.keys + tile.first + lane;
  const auto values = pass.values + tile.first + lane;
  Word key{};
  V value{};
  const auto load = [&](std::uint32_t row) {
    if (row + lane >= tile.count) return;
    key = keys[row];
    if constexpr (kHasValue<V>) value = values[row];
  };

  load(0);
  open_buffers(pass, tile);
  for (std::uint32_t row = 0; row < tile.count; row += kWarp) {
    tile.row_keys[lane] = key;
    if constexpr (kHasValue<V>) tile.row_values[lane] = value;
    __syncwarp();
    load(row + kWarp);  // in flight while this row is appended
    const std::uint32_t end = min(tile.count - row, std::uint32_t{kWarp});
    std::uint32_t next = 0;
    while (next < end) {
      std::uint32_t full = digits;
      if (lane == 0) full = append(pass, tile, next, end);
      __syncwarp();
      next = __shfl_sync(~0u, next, 0);
      full = __shfl_sync(~0u, full, 0);
      if (full == digits) continue;
      write_out(pass, tile, full, kBufferElements);
      __syncwarp();
      if (lane == 0) {
        tile.places[full] += kBufferElements;
        tile.begins[full] = tile.slots[full] = 0;
      }
    }
  }
  __syncwarp();
  for (std::uint32_t d = 0; d < digits; ++d) write_out(pass, tile, d, tile.slots[d]);
}

template <class Word, class V, class Memory>
void launch(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream) {
  const auto warps = static_cast<std::uint32_t>(shape.warps);
  const std::uint32_t bytes = warps * buffer_bytes(pass.digit.count(), sizeof(Word) + kValueBytes<V>);
  const auto kernel = scatter_tiles<Word, V, Memory>;
  allow_shared_memory(kernel, bytes);
  kernel<<<grid_size(shape, pass.tiles), warps * kWarp, bytes, stream>>>(pass, static_cast<std::uint32_t>(shape.items));
  check_launch();
}

}  // namespace sortlab::split_radix::buffers
