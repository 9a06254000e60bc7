// Loads a tile of keys and values into shared memory, laid out so that blocked reads have no bank conflicts.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <type_traits>

#include "algorithms/common/cuda/global_memory.cuh"
#include "core/key_types.hpp"

namespace sortlab::ha {

/// Keys and values in two arrays, or as pairs in one.
template <class Word, class V, template <class> class Pointer = GlobalMemory::Target>
struct Elements {
  Pointer<Word> keys{};
  Pointer<V> values{};
  Pointer<Pair<Word, V>> pairs{};  ///< not null: holds keys and values

  template <template <class> class Other>
  operator Elements<Word, V, Other>() const {
    return {keys, values, pairs};
  }
};
template <class Word, template <class> class Pointer>
struct Elements<Word, NoValue, Pointer> {
  Pointer<Word> keys{};

  template <template <class> class Other>
  operator Elements<Word, NoValue, Other>() const {
    return {keys};
  }
};

/// True if 16-byte vectors may be read from the beginning of each tile of this array.
template <class Source>
__device__ bool reads_vectors(Source array) {
  if constexpr (std::is_pointer_v<Source>) return reinterpret_cast<std::uintptr_t>(array) % sizeof(uint4) == 0;
  return true;
}

/// Reads the 16 bytes at `from`.
template <class Source>
__device__ uint4 read_vector(Source from) {
  uint4 vector;
  if constexpr (std::is_pointer_v<Source>) {
    vector = *reinterpret_cast<const uint4*>(from);
  } else {
    using T = std::remove_cvref_t<decltype(from[0])>;
    T elements[sizeof(uint4) / sizeof(T)];
#pragma unroll
    for (unsigned i = 0; i < sizeof(uint4) / sizeof(T); ++i) elements[i] = from[i];
    memcpy(&vector, elements, sizeof vector);
  }
  return vector;
}

/// An array of a tile in shared memory with 16 bytes left free after each 128. A thread's items are adjacent, so
/// without the gaps the vector reads of eight threads would hit the same banks (section 3.2, bank-conflict-free
/// access).
template <class T, int Count>
class PaddedArray {
  static constexpr unsigned kRow = 128 / sizeof(T);
  static constexpr unsigned kGap = 16 / sizeof(T);

 public:
  static constexpr int kPerVector = sizeof(uint4) / sizeof(T);

  __device__ T& operator[](unsigned i) { return data_[padded(i)]; }
  /// The same memory without the gaps, for readers whose threads access adjacent elements.
  __device__ T& dense(unsigned i) { return data_[i]; }

  /// Starts to copy a whole array from an address on a 16-byte boundary. __pipeline_wait_prior and a barrier must
  /// follow.
  template <int Threads, class Source>
  __device__ void copy_async(Source from) {
    constexpr int per_round = Threads * kPerVector;
    static_assert(Count % per_round == 0);
#pragma unroll
    for (int round = 0; round < Count / per_round; ++round) {
      const unsigned i = round * per_round + threadIdx.x * kPerVector;
      if constexpr (std::is_pointer_v<Source>) {
        __pipeline_memcpy_async(&data_[padded(i)], from + i, sizeof(uint4));
      } else {
        *reinterpret_cast<uint4*>(&data_[padded(i)]) = read_vector(from + i);
      }
    }
  }

  template <int Items>
  __device__ void read_blocked(unsigned first, T (&items)[Items]) const {
    static_assert(Items % kPerVector == 0);
#pragma unroll
    for (int i = 0; i < Items; i += kPerVector) {
      const uint4 vector = *reinterpret_cast<const uint4*>(&data_[padded(first + i)]);
      memcpy(&items[i], &vector, sizeof vector);
    }
  }

 private:
  __device__ static unsigned padded(unsigned i) {
    return i + i / kRow * kGap;
  }

  alignas(16) T data_[Count + Count / kRow * kGap];
};
template <int Count>
class PaddedArray<NoValue, Count> {
 public:
  __device__ NoValue operator[](unsigned) const { return {}; }
  __device__ NoValue dense(unsigned) const { return {}; }
};

}  // namespace sortlab::ha
