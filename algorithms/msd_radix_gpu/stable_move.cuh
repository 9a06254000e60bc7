// Moves the elements of a level's tiles to where their digits go, in order: ranks of the tile's keys, the tile ordered
// by digit in shared memory, and runs written from there to the places that the counts of the tiles before leave them.
//
// Blocks take tiles from a counter. Where each took every so many instead, some would fall behind, and neighbouring
// runs, which share a sector, would be written too far apart in time to meet in the L2 cache: the kernel takes a third
// longer.
#pragma once

#include "algorithms/msd_radix_gpu/stable_rank.cuh"

namespace sortlab::msd_gpu::stable {

/// A tile as its block needs it.
struct Tile {
  unsigned long long begin;
  std::uint32_t number;  ///< of the level's
  std::uint32_t chunk;
  std::uint32_t count;
  std::uint16_t shift;
  std::uint8_t bits;
  std::uint8_t side;
  Kind kind;
};

__device__ inline Tile tile_of(const Lists& lists, const Segment& segment, std::uint32_t number) {
  const std::uint32_t in_segment = number - segment.first_tile;
  const std::uint64_t before = std::uint64_t{in_segment} * lists.tile_elements, rest = segment.count - before;
  return {.begin = segment.begin + before,
          .number = number,
          .chunk = segment.first_chunk + in_segment / segment.chunk_tiles,
          .count = rest < lists.tile_elements ? static_cast<std::uint32_t>(rest) : lists.tile_elements,
          .shift = static_cast<std::uint16_t>(segment.shift()),
          .bits = segment.bits,
          .side = segment.side,
          .kind = segment.kind};
}

/// Where a block stages its tile; in dynamic shared memory.
template <class Word, class V>
struct Stage {
  static constexpr int kItems = tile_items(sizeof(Word), sizeof(V));
  static constexpr std::uint32_t kElements = kThreads * kItems;
  using OfRanks = Ranks<kThreads / kWarp>;
  static constexpr std::uint32_t kBasesAt = kElements * (sizeof(Word) + sizeof(V));
  static constexpr std::uint32_t kRanksAt = kBasesAt + 2 * kDigits * sizeof(unsigned long long);
  static constexpr std::uint32_t kNextAt = kRanksAt + OfRanks::kBytes;
  static constexpr std::uint32_t kBytes = kNextAt + sizeof(Tile);
  static_assert(kElements <= 0xFFFF, "ranks have 16 bits");

  Word* keys;
  V* values;
  unsigned long long* bases;  ///< of a digit: where in memory the stage's first place would go; of tiles in turn
  OfRanks ranks;
  Tile* next;  ///< the block's next tile

  __device__ explicit Stage(uint4* shared) : Stage(reinterpret_cast<std::byte*>(shared)) {}
  __device__ explicit Stage(std::byte* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bases(reinterpret_cast<unsigned long long*>(shared + kBasesAt)),
        ranks(shared + kRanksAt),
        next(reinterpret_cast<Tile*>(shared + kNextAt)) {}
};

/// The tiles of a level, which blocks take one after the other; a thread looks ahead for its block.
class Tiles {
 public:
  __device__ Tiles(const Lists& lists, int level) : lists_(lists), level_(level), count_(lists.state->tiles[level]) {}

  __device__ bool has(std::uint32_t number) const { return number < count_; }
  __device__ Tile at(std::uint32_t number) const { return tile_of(lists_, segment_at(segment_of(number)), number); }
  // The steps from one tile to the next, apart, so that no step waits for the one before.
  __device__ void take() {
    if (looks()) number_ = gridDim.x + atomicAdd(lists_.state->next_tile + level_, 1U);
  }
  __device__ void find_segment() {
    if (looks() && has(number_)) segment_ = segment_of(number_);
  }
  __device__ void write(Tile* next) const {
    if (!looks()) return;
    if (has(number_)) {
      *next = tile_of(lists_, segment_at(segment_), number_);
    } else {
      next->number = number_;
    }
  }

 private:
  /// Of a warp that has little else to do while the first ones sum up counters.
  __device__ static bool looks() { return threadIdx.x == kThreads - 1; }
  __device__ std::uint32_t segment_of(std::uint32_t number) const { return lists_.tiles_of(level_)[number]; }
  __device__ const Segment& segment_at(std::uint32_t segment) const { return lists_.segments_of(level_)[segment]; }

  const Lists& lists_;
  int level_;
  std::uint32_t count_;
  std::uint32_t number_ = 0;
  std::uint32_t segment_ = 0;
};

/// `bases`: for this tile; they stay until the next tile but one. Returns the next tile.
template <bool kFull, class Word, class V>
__device__ Tile move_tile(const Arrays<Word, V>& arrays, const Lists& lists, const Tile& tile, Tiles& tiles,
                          unsigned long long* bases, const Stage<Word, V>& stage) {
  constexpr int kItems = Stage<Word, V>::kItems;
  const Digit<Word> digit{arrays.order, tile.shift, tile.bits};
  const std::uint32_t count = tile.count;
  const std::uint32_t rows = kFull ? kItems : (count + kThreads - 1) / kThreads;
  const std::uint32_t first = threadIdx.x / kWarp * rows * kWarp + threadIdx.x % kWarp;
  const auto place_of = [&](int i) { return first + static_cast<std::uint32_t>(i) * kWarp; };
  const auto is_key = [&](int i) { return kFull || place_of(i) < count; };
  const auto is_over = [&](int i) { return !kFull && static_cast<std::uint32_t>(i) >= rows; };

  Word keys[kItems];
  const Word* const keys_in = arrays.keys_on(tile.side) + tile.begin;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    keys[i] = is_key(i) ? keys_in[place_of(i)] : Word{0};
  }
  tiles.find_segment();
  if (threadIdx.x < kDigits) {
    bases[threadIdx.x] = lists.chunk_row[std::uint64_t{tile.chunk} * kDigits + threadIdx.x] +
                         lists.tile_counts[std::uint64_t{tile.number} * kDigits + threadIdx.x];
  }
  stage.ranks.clear();
  std::uint32_t ranks[kItems];  // from bit 16 on the digit; then places in the stage
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    const std::uint32_t of_key = digit(keys[i]);
    ranks[i] = stage.ranks.template next<kFull>(of_key, is_key(i)) | of_key << 16;
    forget(ranks[i]);  // or the compiler would keep both halves, each in a register
  }
  stage.ranks.place([&](std::uint32_t d, std::uint32_t place) { bases[d] -= place; });
  tiles.write(stage.next);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_over(i)) break;
    if (!is_key(i)) continue;
    ranks[i] = stage.ranks.place_of(ranks[i] >> 16, ranks[i] & 0xFFFF);
    forget(ranks[i]);
    stage.keys[ranks[i]] = keys[i];
  }
  const V* const values_in = arrays.values_on(tile.side) + tile.begin;
  constexpr int kBatch = (kItems + 1) / 2;
#pragma unroll
  for (int from = 0; from < kItems; from += kBatch) {
    V values[kBatch];
#pragma unroll
    for (int i = from; i < min(from + kBatch, kItems); ++i) {
      if (is_over(i)) break;
      if (is_key(i)) values[i - from] = values_in[place_of(i)];
    }
#pragma unroll
    for (int i = from; i < min(from + kBatch, kItems); ++i) {
      if (is_over(i)) break;
      if (is_key(i)) stage.values[ranks[i]] = values[i - from];
    }
  }
  __syncthreads();
  const Tile next = *stage.next;
  tiles.take();
  if (tiles.has(next.number) && next.kind == Kind::divide) {
    prefetch(arrays.keys_on(next.side) + next.begin, next.count);
    prefetch(arrays.values_on(next.side) + next.begin, next.count);
  }
  Word* const keys_out = arrays.keys_on(1 - tile.side);
  V* const values_out = arrays.values_on(1 - tile.side);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t place = threadIdx.x + static_cast<std::uint32_t>(i) * kThreads;
    if (!kFull && place >= count) break;
    const Word key = stage.keys[place];
    const unsigned long long out = bases[digit(key)] + place;
    keys_out[out] = key;
    values_out[out] = stage.values[place];
  }
  return next;
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
  Tiles tiles{lists, level};
  if (!tiles.has(blockIdx.x)) return;
  Tile tile = tiles.at(blockIdx.x);
  tiles.take();
  unsigned long long* bases = stage.bases;
  while (true) {
    if (tile.kind == Kind::divide) {
      tile = tile.count == Stage<Word, V>::kElements ? move_tile<true>(arrays, lists, tile, tiles, bases, stage)
                                                     : move_tile<false>(arrays, lists, tile, tiles, bases, stage);
      bases = stage.bases + (bases == stage.bases ? kDigits : 0);
    } else {
      if (tile.kind == Kind::copy) copy_tile(arrays, tile.begin, tile.count);
      __syncthreads();  // all have read the last one
      tiles.find_segment();
      tiles.write(stage.next);
      __syncthreads();
      tile = *stage.next;
      tiles.take();
    }
    if (!tiles.has(tile.number)) break;
  }
}

}  // namespace sortlab::msd_gpu::stable
