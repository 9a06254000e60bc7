// Stable partition of a level's tiles: ranks the tile's keys, orders the tile by digit in shared memory, and writes its
// runs to the positions that follow from the counts of the preceding tiles.
//
// A block takes its next tile from a counter when it has finished the last one. With a fixed assignment, or if it took
// the next one ahead, neighbouring runs, which share a sector, would be written too far apart in time to be combined in
// L2.
#pragma once

#include "algorithms/msd_radix_gpu/stable_rank.cuh"

namespace sortlab::msd_gpu::stable {

/// Layout of a tile in a block's dynamic shared memory.
template <class Word, class V>
struct Stage {
  static constexpr int kItems = tile_items(sizeof(Word), sizeof(V));
  static constexpr std::uint32_t kElements = kThreads * kItems;
  using BlockRanks = Ranks<kThreads / kWarp>;
  static constexpr std::uint32_t kBasesAt = kElements * (sizeof(Word) + sizeof(V));
  static constexpr std::uint32_t kRanksAt = kBasesAt + 2 * kDigits * sizeof(unsigned long long);
  static constexpr std::uint32_t kNextAt = kRanksAt + BlockRanks::kBytes;
  static constexpr std::uint32_t kBytes = kNextAt + 16;
  static_assert(kElements <= 0xFFFF, "ranks have 16 bits");
  static_assert(kBytes == tile_stage_bytes(kItems, sizeof(Word), sizeof(V)) && kBytes <= kMaxDynamicBytes);

  Word* keys;
  V* values;
  /// Per digit: global position that corresponds to the stage's first position; two alternating tiles
  unsigned long long* bases;
  BlockRanks ranks;
  std::uint32_t* next;  ///< index of the block's next tile

  __device__ explicit Stage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bases(reinterpret_cast<unsigned long long*>(reinterpret_cast<std::byte*>(shared) + kBasesAt)),
        ranks(reinterpret_cast<std::byte*>(shared) + kRanksAt),
        next(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kNextAt)) {}
};

/// Moves one tile. `chunk_row`, `tile_counts`: entries of the tile. `bases`: this tile's bases, which must stay valid
/// until the next tile but one.
template <bool kFull, class Word, class V>
__device__ void move_tile(const Arrays<Word, V>& arrays, const Segment& segment, std::uint64_t begin,
                          std::uint32_t count, const unsigned long long* chunk_row, const std::uint32_t* tile_counts,
                          unsigned long long* bases, const Stage<Word, V>& stage) {
  constexpr int kItems = Stage<Word, V>::kItems;
  const Digit<Word> digit{arrays.order, segment.shift(), segment.bits};
  const std::uint32_t rows = kFull ? kItems : (count + kThreads - 1) / kThreads;
  const std::uint32_t first = threadIdx.x / kWarp * rows * kWarp + threadIdx.x % kWarp;
  const auto position = [&](int i) { return first + static_cast<std::uint32_t>(i) * kWarp; };
  const auto is_over = [&](int i) { return !kFull && static_cast<std::uint32_t>(i) >= rows; };
  const auto is_key = [&](int i) { return kFull || (!is_over(i) && position(i) < count); };

  // Initialised, since uninitialised registers would be kept live from tile to tile.
  Word keys[kItems] = {};
  std::uint32_t ranks[kItems] = {};  // rank in the warp, and from bit 16 on the digit; then the position in the stage
  V values[kItems] = {};
  const Word* const keys_in = arrays.keys_on(segment.buffer) + begin;
  const V* const values_in = arrays.values_on(segment.buffer) + begin;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_key(i)) keys[i] = keys_in[position(i)];
  }
  if (threadIdx.x < kDigits) bases[threadIdx.x] = chunk_row[threadIdx.x] + tile_counts[threadIdx.x];
  stage.ranks.clear();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    const std::uint32_t key_digit = digit(keys[i]);
    ranks[i] = stage.ranks.template next<kFull>(key_digit, is_key(i)) | key_digit << 16;
    forget(ranks[i]);  // otherwise the compiler keeps both halves, each in a register
  }
  stage.ranks.place([&](std::uint32_t d, std::uint32_t place) { bases[d] -= place; });
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    if (!is_key(i)) continue;
    ranks[i] = stage.ranks.position(ranks[i] >> 16, ranks[i] & 0xFFFF);
    stage.keys[ranks[i]] = keys[i];
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    if (is_key(i)) values[i] = values_in[position(i)];
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    if (is_key(i)) stage.values[ranks[i]] = values[i];
  }
  __syncthreads();
  Word* const keys_out = arrays.keys_on(1 - segment.buffer);
  V* const values_out = arrays.values_on(1 - segment.buffer);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t place = threadIdx.x + static_cast<std::uint32_t>(i) * kThreads;
    if (!kFull && place >= count) break;
    const Word key = stage.keys[place];
    const unsigned long long out = bases[digit(key)] + place;
    keys_out[out] = key;
    values_out[out] = stage.values[place];
  }
}

template <class Word, class V>
__device__ void copy_tile(const Arrays<Word, V>& arrays, std::uint64_t begin, std::uint32_t count) {
  for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
    arrays.keys[0][begin + i] = arrays.keys[1][begin + i];
    arrays.values[0][begin + i] = arrays.values[1][begin + i];
  }
}

template <class Word, class V>
__device__ void move_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, const Stage<Word, V>& stage) {
  const std::uint32_t tiles = lists.state->tiles[level];
  unsigned long long* bases = stage.bases;
  while (true) {
    __syncthreads();  // wait until all threads have finished the last tile
    if (threadIdx.x == 0) *stage.next = atomicAdd(lists.state->next_tile + level, 1U);
    __syncthreads();
    const std::uint32_t t = *stage.next;
    if (t >= tiles) break;
    const Segment& segment = lists.level_segments(level)[lists.level_tiles(level)[t]];
    if (segment.kind == Kind::done) continue;
    const std::uint32_t number = t - segment.first_tile;
    const std::uint64_t before = std::uint64_t{number} * lists.tile_elements, rest = segment.count - before;
    const std::uint32_t count = rest < lists.tile_elements ? static_cast<std::uint32_t>(rest) : lists.tile_elements;
    if (segment.kind == Kind::copy) {
      copy_tile(arrays, segment.begin + before, count);
      continue;
    }
    const std::uint64_t chunk = segment.first_chunk + number / segment.chunk_tiles;
    const unsigned long long* const chunk_row = lists.chunk_row + chunk * kDigits;
    const std::uint32_t* const tile_counts = lists.tile_counts + std::uint64_t{t} * kDigits;
    const std::uint64_t begin = segment.begin + before;
    if (count == Stage<Word, V>::kElements) {
      move_tile<true>(arrays, segment, begin, count, chunk_row, tile_counts, bases, stage);
    } else {
      move_tile<false>(arrays, segment, begin, count, chunk_row, tile_counts, bases, stage);
    }
    bases = stage.bases + (bases == stage.bases ? kDigits : 0);
  }
}

}  // namespace sortlab::msd_gpu::stable
