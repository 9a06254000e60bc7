// The kernels of one instruction set that depend on the type of keys: their order, and their conversion to words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/msd_radix_cpu/in_order.hpp"
#include "core/key_types.hpp"

namespace sortlab::msd {

/// The key of an element: itself, or that of a pair in one word, which is its upper half.
template <class E>
struct KeyOf {
  using type = E;
};
template <class K, class V>
struct KeyOf<Pair<K, V>> {
  static_assert(sizeof(Pair<K, V>) == 2 * sizeof(K));
  using type = K;
};

/// Kernels of one type of element.
struct KeyKernels {
  InOrder in_order;
  /// Elements to words of their width, and back. Both may be the same memory.
  void (*enter)(const void* elements, std::size_t n, void* words) = nullptr;
  void (*leave)(const void* words, std::size_t n, void* elements) = nullptr;
  /// 32-bit keys and values to words that hold both, and back. Null for other elements.
  void (*join)(const void* keys, const std::uint32_t* values, std::size_t n, std::uint64_t* words) = nullptr;
  void (*split)(const std::uint64_t* words, std::size_t n, void* keys, std::uint32_t* values) = nullptr;
};

/// The kernels of all types.
struct AllKeyKernels {
  /// Kernels of unsigned integers, signed integers and floats of a width, in this order.
  using Types = KeyKernels[3];
  Types of_32_bits;
  Types of_64_bits;
  Types of_pairs;  ///< pairs of 32-bit keys and values that lie together

  template <class E>
  const KeyKernels& of() const {
    using K = typename KeyOf<E>::type;
    const Types& types = !std::is_same_v<K, E> ? of_pairs : sizeof(K) == 4 ? of_32_bits : of_64_bits;
    return types[std::is_floating_point_v<K> ? 2 : std::is_signed_v<K> ? 1 : 0];
  }
};

/// The kernels of an instruction set, by Highway's bit.
const AllKeyKernels& key_kernels(std::int64_t target);

}  // namespace sortlab::msd
