// Step 3 for Hopper: each warp sorts a tile of its own, and no barrier waits for another warp. The digit counts of step 1
// tell where the ones of each split and the keys of each digit begin, so that every position is known at once.
#include "algorithms/satish_split_radix/pass.cuh"

namespace sortlab::split_radix {
namespace {

__device__ std::uint32_t lanes_before() {
  std::uint32_t lanes;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  return lanes;
}

/// A warp's part of shared memory.
template <int kItems, bool kFused, class Word, class V>
struct WarpTile {
  static constexpr std::uint32_t kSize = kItems * kWarp;
  /// A ballot split moves 32 bits an element: the key if that is all, or the digit with the element's first position.
  static constexpr bool kMovesKeys = kFused || (sizeof(Word) == 4 && !kHasValue<V>);

  Word* keys;
  V* values;
  std::uint64_t* bases;
  std::uint32_t* starts;
  std::uint32_t* moved;  ///< what the splits move

  __host__ __device__ static constexpr std::uint32_t bytes(std::uint32_t digits) {
    const std::uint32_t all = kSize * (sizeof(Word) + kValueBytes<V> + (kMovesKeys ? 0 : sizeof(*moved))) +
                              digits * (sizeof(*bases) + sizeof(*starts));
    return (all + 15) / 16 * 16;
  }
  __device__ WarpTile(char* shared, std::uint32_t digits) {
    char* const mine = shared + threadIdx.x / kWarp * bytes(digits);
    keys = reinterpret_cast<Word*>(mine);
    values = reinterpret_cast<V*>(keys + kSize);
    bases = reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(values) + kSize * kValueBytes<V>);
    starts = reinterpret_cast<std::uint32_t*>(bases + digits);
    moved = kMovesKeys ? reinterpret_cast<std::uint32_t*>(keys) : starts + digits;
  }
};

/// The keys of the tile whose bit is 0, from the counts of its digits; what is missing counts as last.
inline __device__ std::uint32_t zeros_of(const std::uint32_t* starts, std::uint32_t digits, std::uint32_t count, int bit) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t zeros = 0;
  for (std::uint32_t d = lane; d < digits; d += kWarp) {
    const std::uint32_t end = d + 1 < digits ? starts[d + 1] : count;
    if ((d >> bit & 1) == 0) zeros += end - starts[d];
  }
  return __reduce_add_sync(~0u, zeros);
}

/// D splits of words, row by row of 32: a ballot is the scan of a row, and tells each lane where its word goes.
template <int kItems>
__device__ void split_words(std::uint32_t (&word)[kItems], std::uint32_t* moved, const std::uint32_t* starts,
                            std::uint32_t count, int shift, int bits) {
  const std::uint32_t lane = threadIdx.x % kWarp, before_me = lanes_before();
  for (int bit = 0; bit < bits; ++bit) {
    const std::uint32_t zeros = zeros_of(starts, 1u << bits, count, bit);
    const std::uint32_t mask = 1u << (shift + bit);
    std::uint32_t ones_before = 0;  // in the rows before
#pragma unroll
    for (int row = 0; row < kItems; ++row) {
      const bool is_one = (word[row] & mask) != 0;
      const std::uint32_t ones = __ballot_sync(~0u, is_one);
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

/// The lanes of a row whose digit is mine, by as many 1-bit splits as it has bits. `kBits` is 0 where it is not known
/// when compiled.
template <int kBits>
__device__ std::uint32_t lanes_of_digit(unsigned digit, int bits) {
  std::uint32_t lanes = ~0u;
#pragma unroll
  for (int bit = 0; bit < (kBits != 0 ? kBits : bits); ++bit) {
    const bool is_one = (digit >> bit & 1) != 0;
    const std::uint32_t ones = __ballot_sync(~0u, is_one);
    lanes &= is_one ? ones : ~ones;
  }
  return lanes;
}

/// Moves the elements of a tile to their sorted positions; `starts` counts up as rows are placed.
template <int kBits, int kItems, class Word, class V>
__device__ void split_rows(const Word (&key)[kItems], const V (&value)[kItems], std::uint32_t* starts, Word* keys_to,
                           V* values_to, const Digit<Word>& digit) {
  const std::uint32_t before_me = lanes_before(), after_me = ~before_me << 1;
#pragma unroll
  for (int row = 0; row < kItems; ++row) {
    const unsigned d = digit(key[row]);
    const std::uint32_t lanes = lanes_of_digit<kBits>(d, digit.bits);
    const std::uint32_t to = starts[d] + __popc(lanes & before_me);
    __syncwarp();
    if ((lanes & after_me) == 0) starts[d] = to + 1;
    __syncwarp();
    keys_to[to] = key[row];
    if constexpr (kHasValue<V>) values_to[to] = value[row];
  }
}

template <int kItems, bool kFused, class Word, class V>
__global__ void __launch_bounds__(kMostThreads) scatter_tiles(Pass<Word, V> pass) {
  extern __shared__ uint4 shared[];
  using Tile = WarpTile<kItems, kFused, Word, V>;
  const Tile tile(reinterpret_cast<char*>(shared), pass.digit.mask() + 1);
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint64_t number = std::uint64_t{blockIdx.x} * (blockDim.x / kWarp) + threadIdx.x / kWarp;
  const std::uint32_t count = pass.tile_count(number, Tile::kSize);
  if (count == 0) return;
  const Word* const keys = pass.keys + number * Tile::kSize;
  const V* const values = pass.values + number * Tile::kSize;

  Word key[kItems];
#pragma unroll
  for (int row = 0; row < kItems; ++row) {
    key[row] = row * kWarp + lane < count ? keys[row * kWarp + lane] : pass.digit.last_key();
  }
  V value[kItems];
  if constexpr (kHasValue<V>) {
#pragma unroll
    for (int row = 0; row < kItems; ++row) {
      value[row] = row * kWarp + lane < count ? values[row * kWarp + lane] : V{};
    }
  }
  find_places(pass, number, tile.bases, tile.starts);
  __syncwarp();
  if constexpr (kFused) {
    if (pass.digit.bits == 4) {
      split_rows<4>(key, value, tile.starts, tile.keys, tile.values, pass.digit);
    } else {
      split_rows<0>(key, value, tile.starts, tile.keys, tile.values, pass.digit);
    }
    __syncwarp();
  } else {
    std::uint32_t word[kItems];
    const auto& order = pass.digit.order;
#pragma unroll
    for (int row = 0; row < kItems; ++row) {
      if constexpr (Tile::kMovesKeys) {
        word[row] = order.ordered(key[row]);
      } else {
        const std::uint32_t at = row * kWarp + lane;
        word[row] = at << 8 | pass.digit(key[row]);
        tile.keys[at] = key[row];
        if constexpr (kHasValue<V>) tile.values[at] = value[row];
      }
    }
    split_words(word, tile.moved, tile.starts, count, Tile::kMovesKeys ? pass.digit.shift : 0, pass.digit.bits);
  }

#pragma unroll 8
  for (std::uint32_t at = lane; at < count; at += kWarp) {
    Word out;
    std::uint32_t from = at;
    std::uint64_t to;
    if constexpr (Tile::kMovesKeys) {
      out = tile.keys[at];
      if constexpr (!kFused) out = pass.digit.order.restored(out);
      to = tile.bases[pass.digit(out)] + at;
    } else {
      const std::uint32_t word = tile.moved[at];
      from = word >> 8;
      out = tile.keys[from];
      to = tile.bases[word & 0xFF] + at;
    }
    pass.keys_out[to] = out;
    if constexpr (kHasValue<V>) pass.values_out[to] = tile.values[from];
  }
}

template <int kItems, bool kFused, class Word, class V>
void launch(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  const auto threads = static_cast<std::uint32_t>(shape.warps * kWarp);
  const std::uint32_t bytes =
      WarpTile<kItems, kFused, Word, V>::bytes(pass.digit.mask() + 1) * static_cast<std::uint32_t>(shape.warps);
  const auto kernel = scatter_tiles<kItems, kFused, Word, V>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<shape.blocks(pass.tiles), threads, bytes, stream>>>(pass);
  check_launch();
}

}  // namespace

template <class Word, class V>
void scatter_by_warps(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  const bool fused = shape.split == Split::fused;
  switch (shape.items) {
    case 8: return fused ? launch<8, true>(pass, shape, stream) : launch<8, false>(pass, shape, stream);
    case 16: return fused ? launch<16, true>(pass, shape, stream) : launch<16, false>(pass, shape, stream);
    default: return fused ? launch<32, true>(pass, shape, stream) : launch<32, false>(pass, shape, stream);
  }
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_by_warps);

}  // namespace sortlab::split_radix
