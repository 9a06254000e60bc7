// Step 3 by warps, with the splits of a row of 32 keys fused: in registers, each ballot splits the row by one more bit,
// and the row moves only once. Each lane keeps the next position of one digit in the sorted tile, which starts at the
// digit's begin known from step 1. A tile is thus read, split and moved in one sweep.
//
// The integer pipe is the bottleneck, not memory: hence digits are flipped in the lanes instead of in the keys.
#pragma once

#include "algorithms/satish_split_radix/warp_tile.cuh"

namespace sortlab::split_radix::fused {

/// Rows loaded at a time, while earlier ones are split.
template <class Word, class V>
inline constexpr int kRows = sizeof(Word) + kValueBytes<V> <= 8 ? 8 : 4;

/// State of the digit that a lane counts: lane modulo the number of digits, of which there are at most 32. A key's
/// digit is therefore a lane's number, and the bits above it need not be masked off.
struct LaneDigit {
  std::uint32_t next;  ///< position of its next element in the tile

  /// Mask of the row's lanes that have this lane's digit. `kBits` is 0 if not known at compile time.
  template <int kBits>
  __device__ std::uint32_t lanes(unsigned row_digit, int bits) const {
    std::uint32_t others = 0;
#pragma unroll
    for (int bit = 0; bit < (kBits != 0 ? kBits : bits); ++bit) {
      others |= ballot(row_digit, 1u << bit) ^ ((threadIdx.x & 1u << bit) != 0 ? ~0u : 0u);
    }
    return ~others;
  }

  /// Destination of the lane's element of this row.
  template <int kBits>
  __device__ std::uint32_t place(unsigned row_digit, int bits, std::uint32_t before_me) {
    const std::uint32_t of_lane = lanes<kBits>(row_digit, bits);
    const std::uint32_t of_mine = __shfl_sync(~0u, of_lane, row_digit);
    const std::uint32_t to = __shfl_sync(~0u, next, row_digit) + __popc(of_mine & before_me);
    next += __popc(of_lane);
    return to;
  }
};

template <class Word, class V>
struct Rows {
  Word key[kRows<Word, V>];
  V value[kRows<Word, V>];

  /// Loads rows from `row` on.
  template <class Memory>
  __device__ void load(const Pass<Word, V, Memory>& pass, const WarpTile<Word, V>& tile, std::uint32_t row) {
    const std::uint32_t first = row * kWarp + threadIdx.x % kWarp;
    const auto keys = pass.keys + tile.first + first;
    const auto values = pass.values + tile.first + first;
    if ((row + kRows<Word, V>)*kWarp <= tile.count) {
#pragma unroll
      for (int i = 0; i < kRows<Word, V>; ++i) {
        key[i] = keys[i * kWarp];
        if constexpr (kHasValue<V>) value[i] = values[i * kWarp];
      }
    } else {
#pragma unroll
      for (int i = 0; i < kRows<Word, V>; ++i) {
        const bool is_there = first + i * kWarp < tile.count;
        key[i] = is_there ? keys[i * kWarp] : pass.digit.last_key();
        if constexpr (kHasValue<V>) value[i] = is_there ? values[i * kWarp] : V{};
      }
    }
  }

  /// Splits row by row, and moves each into the tile.
  template <int kBits, bool kReal>
  __device__ void split(const Digit<Word>& digit, const WarpTile<Word, V>& tile, LaneDigit& mine) const {
    const std::uint32_t before_me = lanes_before();
#pragma unroll
    for (int i = 0; i < kRows<Word, V>; ++i) {
      const std::uint32_t to =
          mine.template place<kBits>(digit.template unflipped<kReal>(key[i]), digit.bits(), before_me);
      tile.keys[to] = key[i];
      if constexpr (kHasValue<V>) tile.values[to] = value[i];
    }
  }
};

/// Destinations of a digit's keys and values, minus their positions in the tile: constant per lane.
template <class Word, class V, class Memory>
struct Place {
  typename Memory::template Target<Word> keys;
  typename Memory::template Target<V> values;
};

template <class To, class T>
__device__ void store(To to, std::uint32_t at, T element) {
  if constexpr (std::is_pointer_v<To>) __builtin_assume(__isGlobal(to + at));
  to[at] = element;
}

template <int kBits, bool kReal, class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) scatter_tiles(Pass<Word, V, Memory> pass, std::uint32_t items) {
  extern __shared__ uint4 shared[];
  const std::uint32_t digits = pass.digit.count();
  const WarpTile<Word, V> tile(shared, pass, items * kWarp, digits * sizeof(Place<Word, V, Memory>));
  if (tile.count == 0) return;
  const std::uint32_t lane = threadIdx.x % kWarp;

  Rows<Word, V> rows;
  rows.load(pass, tile, 0);
  find_places(pass, tile.number, tile.bases, tile.starts);
  __syncwarp();
  const unsigned digit = (lane % digits) ^ pass.digit.flip();
  auto* const places = static_cast<Place<Word, V, Memory>*>(tile.rest);
  if (lane < digits) places[lane] = {pass.keys_out + tile.bases[digit], pass.values_out + tile.bases[digit]};
  LaneDigit mine{.next = tile.starts[digit]};
  for (std::uint32_t row = 0; row < items; row += kRows<Word, V>) {
    const Rows<Word, V> now = rows;
    if (row + kRows<Word, V> < items) rows.load(pass, tile, row + kRows<Word, V>);
    now.template split<kBits, kReal>(pass.digit, tile, mine);
  }
  __syncwarp();

  const auto store_at = [&](std::uint32_t at) {
    const Word key = tile.keys[at];
    const auto& place = places[pass.digit.template unflipped<kReal>(key) & (digits - 1)];
    store(place.keys, at, key);
    if constexpr (kHasValue<V>) store(place.values, at, tile.values[at]);
  };
  constexpr std::uint32_t kStores = 8;
  std::uint32_t at = lane;
  for (; at + (kStores - 1) * kWarp < tile.count; at += kStores * kWarp) {
#pragma unroll
    for (std::uint32_t row = 0; row < kStores; ++row) store_at(at + row * kWarp);
  }
  for (; at < tile.count; at += kWarp) store_at(at);
}

template <bool kReal, class Word, class V, class Memory>
void launch(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream) {
  const int bits = pass.digit.bits();
  const auto kernel = bits == 4   ? scatter_tiles<4, kReal, Word, V, Memory>
                      : bits == 5 ? scatter_tiles<5, kReal, Word, V, Memory>
                                  : scatter_tiles<0, kReal, Word, V, Memory>;
  const auto rest = static_cast<std::uint32_t>(pass.digit.count() * sizeof(Place<Word, V, Memory>));
  launch_by_warps(kernel, pass, shape, rest, stream, static_cast<std::uint32_t>(shape.items));
}

}  // namespace sortlab::split_radix::fused
