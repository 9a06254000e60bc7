// Splits pairs of one array into keys and values before the sort, and joins them after it (section 4.6).
#pragma once

#include "algorithms/plugin.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::hybrid_radix {

inline constexpr unsigned kPairThreads = 256;
inline constexpr unsigned kPairBlocks = 4096;  ///< maximum number of blocks

template <class Word, class V>
__global__ void __launch_bounds__(kPairThreads)
    decompose(const Pair<Word, V>* pairs, Word* keys, V* values, std::uint64_t n) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const Pair<Word, V> pair = pairs[i];
    keys[i] = pair.key;
    values[i] = pair.value;
  }
}

template <class Word, class V>
__global__ void __launch_bounds__(kPairThreads)
    recompose(const Word* keys, const V* values, Pair<Word, V>* pairs, std::uint64_t n) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    pairs[i] = {values[i], keys[i]};
  }
}

inline unsigned pair_blocks(std::uint64_t n) {
  return static_cast<unsigned>(std::min<std::uint64_t>((n + kPairThreads - 1) / kPairThreads, kPairBlocks));
}

template <class Word, class V>
void decompose_pairs(const Buffers& pairs, const Buffers& apart, cudaStream_t stream) {
  const std::uint64_t n = pairs.keys.count;
  decompose<<<pair_blocks(n), kPairThreads, 0, stream>>>(static_cast<const Pair<Word, V>*>(pairs.keys.data),
                                                         static_cast<Word*>(apart.keys.data),
                                                         static_cast<V*>(apart.values.data), n);
  check_launch();
}
template <class Word, class V>
void recompose_pairs(const Buffers& apart, const Buffers& pairs, cudaStream_t stream) {
  const std::uint64_t n = pairs.keys.count;
  recompose<<<pair_blocks(n), kPairThreads, 0, stream>>>(static_cast<const Word*>(apart.keys.data),
                                                         static_cast<const V*>(apart.values.data),
                                                         static_cast<Pair<Word, V>*>(pairs.keys.data), n);
  check_launch();
}

}  // namespace sortlab::hybrid_radix
