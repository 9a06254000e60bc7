// The pre-sort: orders a tile in shared memory by the digit of a pass, in sub-splits of a scan and an exchange each.
#pragma once

#include <type_traits>

#include "algorithms/common/cuda/counting_pass/plan.hpp"
#include "algorithms/common/cuda/counting_pass/tile.cuh"

namespace sortlab::ha {

/// Method of loading a tile into shared memory: element by element through registers, or by asynchronous 16-byte copies
/// where alignment allows.
enum class Load : std::uint8_t { elements, async };

/// A pass over keys of type Word with values V. It consists of Splits sub-splits; Rank orders a tile by the digit of
/// one of them. Map extracts digits from keys.
template <class Word_, class V_, class Map_, template <int, int> class RankOf, TileSize Size, int Splits, Load Loads,
          class Memory_ = GlobalMemory>
struct Pass {
  using Word = Word_;
  using V = V_;
  using Map = Map_;
  using Memory = Memory_;
  static constexpr bool kHasValues = !std::is_same_v<V, NoValue>;
  static constexpr int kThreads = Size.threads;
  static constexpr int kItems = Size.items;
  static constexpr int kTile = Size.elements();
  static constexpr int kSplits = Splits;
  static constexpr int kSplitBits = ha::kSplitBits;
  static constexpr int kDigitBits = kSplits * kSplitBits;
  static constexpr int kDigits = 1 << kDigitBits;
  static constexpr Load kLoad = Loads;
  /// Resident blocks to aim for, 24 or 32 warps: limits a thread to 80 or 64 registers, which suffice.
  static constexpr int kBlocks = (kItems > 8 ? 3 : 4) * kPaperTile.threads / kThreads;
  using Rank = RankOf<kThreads, kItems>;
};

template <class P>
struct TileStorage {
  PaddedArray<typename P::Word, P::kTile> keys;
  PaddedArray<typename P::V, P::kTile> values;
  typename P::Rank::Storage rank;
};

/// A kernel's input and output.
template <class P>
using SourceOf = Elements<typename P::Word, typename P::V, P::Memory::template Source>;
template <class P>
using TargetOf = Elements<typename P::Word, typename P::V, P::Memory::template Target>;

/// Loads a tile into shared memory. `valid` of its elements exist; the rest is padded with a key that sorts last.
template <class P>
__device__ void load(const SourceOf<P>& from, std::uint64_t tile_begin, int valid, typename P::Word beyond,
                     TileStorage<P>& storage) {
  if constexpr (P::kLoad == Load::async) {
    bool whole = valid == P::kTile && reads_vectors(from.keys);
    if constexpr (P::kHasValues) whole = whole && from.pairs == nullptr && reads_vectors(from.values);
    if (whole) {
      storage.keys.template copy_async<P::kThreads>(from.keys + tile_begin);
      if constexpr (P::kHasValues) storage.values.template copy_async<P::kThreads>(from.values + tile_begin);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
      return;
    }
  }
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < P::kTile; i += P::kThreads) {
    if (i >= valid) {
      storage.keys[i] = beyond;
      continue;
    }
    if constexpr (P::kHasValues) {
      if (from.pairs != nullptr) {
        const Pair<typename P::Word, typename P::V> pair = from.pairs[tile_begin + i];
        storage.keys[i] = pair.key;
        storage.values[i] = pair.value;
        continue;
      }
      storage.values[i] = from.values[tile_begin + i];
    }
    storage.keys[i] = from.keys[tile_begin + i];
  }
  __syncthreads();
}

/// Orders the tile in `storage` stably by the digit at bit `shift`, for all threads to read; the result is dense.
template <class P>
__device__ void sort_tile(const typename P::Map& map, int shift, int valid, bool first_pass, TileStorage<P>& storage) {
  const unsigned first = threadIdx.x * P::kItems;
#pragma unroll
  for (int split = 0; split < P::kSplits; ++split) {
    const bool dense = split == P::kSplits - 1;
    typename P::Word keys[P::kItems];
    storage.keys.read_blocked(first, keys);
    if (split == 0 && first_pass) {
#pragma unroll
      for (int i = 0; i < P::kItems; ++i) {
        if (static_cast<int>(first) + i < valid) keys[i] = map.enter(keys[i]);
      }
    }
    unsigned digit[P::kItems];
    unsigned place[P::kItems];
#pragma unroll
    for (int i = 0; i < P::kItems; ++i) {
      digit[i] = map.template digit<P::kSplitBits>(keys[i], shift + split * P::kSplitBits);
    }
    P::Rank::rank(digit, place, storage.rank);  // after its barrier all keys have been read
#pragma unroll
    for (int i = 0; i < P::kItems; ++i) (dense ? storage.keys.dense(place[i]) : storage.keys[place[i]]) = keys[i];
    if constexpr (P::kHasValues) {  // read only now, so that keys and values do not occupy registers at the same time
      typename P::V values[P::kItems];
      storage.values.read_blocked(first, values);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < P::kItems; ++i) {
        (dense ? storage.values.dense(place[i]) : storage.values[place[i]]) = values[i];
      }
    }
    __syncthreads();
  }
}

}  // namespace sortlab::ha
