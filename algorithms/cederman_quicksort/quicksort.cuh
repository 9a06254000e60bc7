// Data exchanged between the quicksort's host code and its kernels. Keys are compared as KeyOrder::ordered.
#pragma once

#include "algorithms/cederman_quicksort/plan.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/plugin.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::gpu_quicksort {

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;

/// A sequence that phase one partitions, and the blocks of the level assigned to it.
template <class Word>
struct Sequence {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t share;  ///< elements per block; the last takes the remainder
  std::uint32_t first_block;
  std::uint32_t blocks;
  Word pivot;
};

/// Per block: number of its keys less and greater than the pivot; after the scan, the sums over the preceding blocks of
/// the sequence. Per sequence: the totals. Also the minimum and maximum key.
template <class Word>
struct Parts {
  std::uint64_t less;
  std::uint64_t greater;
  Word smallest;
  Word largest;
};

/// Per thread: sums over the preceding threads of the block.
struct Places {
  std::uint32_t less;
  std::uint32_t greater;
};

/// A sequence left for phase two.
struct Rest {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t side;  ///< array that holds it
};

/// The caller's arrays (side 0), which receive the result, and those of the sort (side 1).
template <class Word, class V>
struct Arrays {
  Word* keys[2];
  V* values[2];
};

/// One level of phase one, on the device.
template <class Word>
struct Level {
  const Sequence<Word>* sequences;
  const std::uint32_t* sequence_of_block;
  Parts<Word>* parts;   ///< one per block
  Parts<Word>* totals;  ///< one per sequence
  Places* places;       ///< one per thread of a block
  KeyOrder<Word> order;
  std::uint32_t count;   ///< number of sequences
  std::uint32_t blocks;  ///< number of blocks of all sequences
  std::uint32_t threads;
  std::uint32_t side;  ///< array that holds its keys; they are moved to the other
};

template <class Word>
void count_parts(const Word* keys, const Level<Word>& level, cudaStream_t stream);
template <class Word>
void scan_parts(const Level<Word>& level, cudaStream_t stream);
template <class Word, class V>
void scatter_parts(const Arrays<Word, V>& arrays, const Level<Word>& level, cudaStream_t stream);
template <class Word, class V>
void fill_gaps(const Arrays<Word, V>& arrays, const Level<Word>& level, cudaStream_t stream);
template <class Word, class V>
void sort_sequences(const Arrays<Word, V>& arrays, const Rest* rests, std::uint32_t count, const KeyOrder<Word>& order,
                    const Shape& shape, cudaStream_t stream);

}  // namespace sortlab::gpu_quicksort
