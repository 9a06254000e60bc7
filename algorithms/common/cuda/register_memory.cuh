// Replaces global memory (algorithms/common/cuda/global_memory.cuh) in a sort's kernel to time the rest of it: elements
// are computed in registers from their index, and stores never happen. An element takes two or three instructions and a
// store one, about as many as a load and a store.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab::calibration {

/// Never set, which the compiler cannot know.
static __constant__ std::uint32_t stores_happen;

__device__ inline void store_never(std::uint16_t* to, std::uint16_t element) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u16 [%0], %1;}" ::"l"(to), "h"(element),
               "r"(stores_happen));
}
__device__ inline void store_never(std::uint32_t* to, std::uint32_t element) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u32 [%0], %1;}" ::"l"(to), "r"(element),
               "r"(stores_happen));
}
__device__ inline void store_never(std::uint64_t* to, std::uint64_t element) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u64 [%0], %1;}" ::"l"(to), "l"(element),
               "r"(stores_happen));
}
__device__ inline void store_never(Pair<std::uint32_t, std::uint32_t>* to, Pair<std::uint32_t, std::uint32_t> pair) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.v2.u32 [%0], {%1, %2};}" ::"l"(to), "r"(pair.value),
               "r"(pair.key), "r"(stores_happen));
}
__device__ inline void store_never(Pair<std::uint64_t, std::uint64_t>* to, Pair<std::uint64_t, std::uint64_t> pair) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.v2.u64 [%0], {%1, %2};}" ::"l"(to), "l"(pair.value),
               "l"(pair.key), "r"(stores_happen));
}

/// Stands in for a pointer to write to; discards what is written.
template <class T>
class Discarded {
 public:
  struct Element {
    T* at;
    __device__ void operator=(const T& element) const { store_never(at, element); }
  };

  Discarded() = default;
  __host__ __device__ explicit Discarded(T* at) : at_(at) {}

  __device__ Discarded operator+(std::uint64_t places) const { return Discarded(at_ + places); }
  __device__ Element operator[](std::uint64_t place) const { return {at_ + place}; }
  __device__ bool operator==(std::nullptr_t) const { return at_ == nullptr; }

 private:
  T* at_ = nullptr;
};
template <>
class Discarded<NoValue> {
 public:
  __device__ Discarded operator+(std::uint64_t) const { return *this; }
};

/// Pseudo-random words: the upper bits of a quadratic sequence, as in RC6 (Rivest and others, 1998). One takes two
/// multiplications, in units that the sorts do not use.
struct QuadraticWords {
  static constexpr std::uint32_t kStep = 0x9e3779b1;
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t linear) { return linear * linear + linear; }
};

/// Words whose upper bits are evenly distributed, for kernels whose time does not depend on the order.
struct LinearWords {
  static constexpr std::uint32_t kStep = 0x9e3779b1;
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t linear) { return linear; }
};

/// Words that ascend in every tile of kWords, a power of two.
template <std::uint32_t kWords>
struct Ascending {
  static constexpr std::uint32_t kTile = kWords;
  static constexpr std::uint32_t kStep = (1u << 31) / (kTile / 2);
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t linear) { return linear; }
};

using AscendingTiles = Ascending<1024>;

/// Stands in for a pointer to such words; if kMasked, only the bits of a mask vary.
template <class T, class Words, bool kMasked>
class Made {
 public:
  Made() = default;
  __host__ __device__ explicit Made(T mask) : mask_(mask) {}

  __device__ Made operator+(std::uint64_t places) const {
    Made moved = *this;
    moved.linear_ += static_cast<std::uint32_t>(places) * Words::kStep;
    return moved;
  }
  __host__ __device__ T operator[](std::uint64_t place) const {
    const std::uint32_t word = Words::word(linear_ + static_cast<std::uint32_t>(place) * Words::kStep);
    T made;
    if constexpr (sizeof(T) == 8) made = std::uint64_t{word} << 32 | word;
    if constexpr (sizeof(T) == 4) made = word;
    if constexpr (sizeof(T) == 2) made = static_cast<T>(word >> 16);
    return kMasked ? static_cast<T>(made & mask_) : made;
  }

 private:
  std::uint32_t linear_ = 0;
  T mask_ = static_cast<T>(~T{0});
};
template <class Words, bool kMasked>
class Made<NoValue, Words, kMasked> {
 public:
  __device__ Made operator+(std::uint64_t) const { return *this; }
};
/// A null pointer: generated keys and values are always in separate arrays.
template <class K, class V, class Words, bool kMasked>
class Made<Pair<K, V>, Words, kMasked> {
 public:
  __device__ Pair<K, V> operator[](std::uint64_t) const { return {}; }
  __device__ constexpr bool operator==(std::nullptr_t) const { return true; }
};

template <class Words, bool kMasked = false>
struct RegisterMemory {
  template <class T>
  using Source = Made<T, Words, kMasked>;
  template <class T>
  using Target = Discarded<T>;
};

/// Mask of a key: keeps the bits below its highest digit of `bits` bits, and of that digit the `entropy` lowest bits,
/// so that random digits have this entropy; or the highest, so that ascending digits stay ascending.
enum class Keep { lowest, highest };
template <class Word>
constexpr Word digit_mask(int bits, int entropy, Keep keep) {
  const int shift = 8 * static_cast<int>(sizeof(Word)) - bits;
  const Word kept = ((Word{1} << entropy) - 1) << (keep == Keep::highest ? bits - entropy : 0);
  return (kept << shift) | ((Word{1} << shift) - 1);
}

}  // namespace sortlab::calibration
