// Reader of a few neighbouring elements at a time, 16 bytes in one instruction where alignment allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/verify/elements.hpp"

namespace sortlab {

/// Neighbours as bit patterns. A value is 0 where there are none.
template <class B, class V, int kCount>
struct Neighbours {
  B key[kCount];
  V value[kCount];
};

template <class T, int kCount>
struct Run {
  T at[kCount];
};

/// Reads elements [first, first + kCount) of `array`. `aligned`: `array` begins at a multiple of 16 bytes, and `first`
/// is a multiple of kCount.
template <int kCount, class T>
__device__ Run<T, kCount> read_run(const T* array, std::uint64_t first, bool aligned) {
  constexpr int bytes = kCount * sizeof(T);
  using Word = std::conditional_t<bytes % 16 == 0, uint4, std::conditional_t<bytes % 8 == 0, uint2, std::uint32_t>>;
  constexpr int words = bytes / sizeof(Word);
  Run<T, kCount> run;
  if (aligned) {
    Word read[words];
    const auto* from = reinterpret_cast<const Word*>(array + first);
#pragma unroll
    for (int w = 0; w < words; ++w) read[w] = from[w];
    std::memcpy(&run, read, bytes);
  } else {
#pragma unroll
    for (int e = 0; e < kCount; ++e) run.at[e] = array[first + e];
  }
  return run;
}

// For each layout: the number of elements read at a time, a test for the alignment of 16 bytes, and the reading.

inline bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

template <class K>
struct Reader {};

template <class K>
struct Reader<KeysAlone<K>> {
  static constexpr int kCount = 16 / sizeof(K);
  using Read = Neighbours<Bits<K>, std::uint32_t, kCount>;
  static bool aligned(const KeysAlone<K>& elements) { return is_aligned(elements.keys); }
  static __device__ Read read(const KeysAlone<K>& elements, std::uint64_t first, bool aligned) {
    const auto keys = read_run<kCount>(reinterpret_cast<const Bits<K>*>(elements.keys), first, aligned);
    Read read{};
#pragma unroll
    for (int e = 0; e < kCount; ++e) read.key[e] = keys.at[e];
    return read;
  }
};

template <class K, class V>
struct Reader<Separate<K, V>> {
  static constexpr int kCount = 16 / sizeof(K);
  using Read = Neighbours<Bits<K>, V, kCount>;
  static bool aligned(const Separate<K, V>& elements) {
    return is_aligned(elements.keys) && is_aligned(elements.values);
  }
  static __device__ Read read(const Separate<K, V>& elements, std::uint64_t first, bool aligned) {
    const auto keys = read_run<kCount>(reinterpret_cast<const Bits<K>*>(elements.keys), first, aligned);
    const auto values = read_run<kCount>(elements.values, first, aligned);
    Read read;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      read.key[e] = keys.at[e];
      read.value[e] = values.at[e];
    }
    return read;
  }
};

template <class K, class V>
struct Reader<Together<K, V>> {
  using P = Pair<K, V>;
  static constexpr int kCount = std::max<int>(1, 16 / sizeof(P));
  using Read = Neighbours<Bits<K>, V, kCount>;
  /// Padding of a pair is indeterminate, and not read.
  static bool aligned(const Together<K, V>& elements) {
    return sizeof(P) == sizeof(K) + sizeof(V) && is_aligned(elements.pairs);
  }
  static __device__ Read read(const Together<K, V>& elements, std::uint64_t first, bool aligned) {
    const auto pairs = read_run<kCount>(elements.pairs, first, aligned);
    Read read;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      read.key[e] = std::bit_cast<Bits<K>>(pairs.at[e].key);
      read.value[e] = pairs.at[e].value;
    }
    return read;
  }
};

}  // namespace sortlab
