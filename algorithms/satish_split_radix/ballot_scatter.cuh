// Step 3 by warps: each sorts a tile of its own by 1-bit splits, without barriers between warps. The digit counts of
// step 1 give the begin of the ones of each split, so that a split is one sweep: a ballot is the scan of a row of 32.
#pragma once

#include "algorithms/satish_split_radix/warp_tile.cuh"

namespace sortlab::split_radix::ballots {

/// Number of the tile's elements whose bit is 0, from the starts of its digits. Padding sorts last.
inline __device__ std::uint32_t count_zeros(const std::uint32_t* starts, std::uint32_t digits, std::uint32_t count,
                                            int bit) {
  std::uint32_t zeros = 0;
  for (std::uint32_t d = threadIdx.x % kWarp; d < digits; d += kWarp) {
    const std::uint32_t end = d + 1 < digits ? starts[d + 1] : count;
    if ((d >> bit & 1) == 0) zeros += end - starts[d];
  }
  return __reduce_add_sync(~0u, zeros);
}

/// Splits a tile of words in registers by each of `bits` bits, and writes it to `moved`.
template <int kItems>
__device__ void split_words(std::uint32_t (&word)[kItems], std::uint32_t* moved, const std::uint32_t* starts,
                            std::uint32_t count, int shift, int bits) {
  const std::uint32_t lane = threadIdx.x % kWarp, before_me = lanes_before();
  for (int bit = 0; bit < bits; ++bit) {
    const std::uint32_t zeros = count_zeros(starts, 1u << bits, count, bit);
    const std::uint32_t mask = 1u << (shift + bit);
    std::uint32_t ones_before = 0;  // ones in the preceding rows
#pragma unroll
    for (int row = 0; row < kItems; ++row) {
      const bool is_one = (word[row] & mask) != 0;
      const std::uint32_t ones = ballot(word[row], mask);
      const std::uint32_t before = ones_before + __popc(ones & before_me);
      moved[is_one ? zeros + before : row * kWarp + lane - before] = word[row];
      ones_before += __popc(ones);
    }
    __syncwarp();
    if (bit + 1 == bits) return;
#pragma unroll
    for (int row = 0; row < kItems; ++row) word[row] = moved[row * kWarp + lane];
    __syncwarp();
  }
}

/// True if a split moves the key itself. A split moves 32 bits per element: the key if there is nothing else, otherwise
/// its digit and original position in the tile, by which keys and values are gathered at the end.
template <class Word, class V>
inline constexpr bool kMovesKeys = moves_keys(sizeof(Word), kValueBytes<V>);

template <int kItems, class Word, class V>
__host__ __device__ constexpr std::uint32_t moved_bytes() {
  return kMovesKeys<Word, V> ? 0 : kItems * kWarp * kMovedBytes;
}

template <int kItems, class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) scatter_tiles(Pass<Word, V, Memory> pass) {
  extern __shared__ uint4 shared[];
  constexpr std::uint32_t size = kItems * kWarp;
  const WarpTile<Word, V> tile(shared, pass, size, moved_bytes<kItems, Word, V>());
  if (tile.count == 0) return;
  const std::uint32_t lane = threadIdx.x % kWarp;

  std::uint32_t word[kItems];
  const auto keys = pass.keys + tile.first;
  const auto values = pass.values + tile.first;
  constexpr int kLoads = 8;  // rows in flight
#pragma unroll
  for (int first = 0; first < kItems; first += kLoads) {
    Word key[kLoads];
    V value[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const std::uint32_t at = (first + i) * kWarp + lane;
      key[i] = at < tile.count ? keys[at] : pass.digit.last_key();
      if constexpr (kHasValue<V>) value[i] = at < tile.count ? values[at] : V{};
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const std::uint32_t at = (first + i) * kWarp + lane;
      if constexpr (kMovesKeys<Word, V>) {
        word[first + i] = pass.digit.order().ordered(key[i]);
      } else {
        word[first + i] = at << 8 | pass.digit(key[i]);
        tile.keys[at] = key[i];
        if constexpr (kHasValue<V>) tile.values[at] = value[i];
      }
    }
  }
  find_places(pass, tile.number, tile.bases, tile.starts);
  __syncwarp();
  if constexpr (kMovesKeys<Word, V>) {
    split_words(word, tile.keys, tile.starts, tile.count, pass.digit.shift(), pass.digit.bits());
    store_tile(pass, tile, [&](std::uint32_t at) {
      const Word key = pass.digit.order().restored(tile.keys[at]);
      return Found<Word>{.key = key, .digit = pass.digit(key), .at = at};
    });
  } else {
    auto* const moved = reinterpret_cast<std::uint32_t*>(tile.rest);
    split_words(word, moved, tile.starts, tile.count, 0, pass.digit.bits());
    store_tile(pass, tile, [&](std::uint32_t at) {
      const std::uint32_t from = moved[at] >> 8;
      return Found<Word>{.key = tile.keys[from], .digit = moved[at] & 0xFF, .at = from};
    });
  }
}

template <int kItems, class Word, class V, class Memory>
void launch(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream) {
  launch_by_warps(scatter_tiles<kItems, Word, V, Memory>, pass, shape, moved_bytes<kItems, Word, V>(), stream);
}

}  // namespace sortlab::split_radix::ballots
