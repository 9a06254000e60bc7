// Keys that depend only on their position.
#pragma once

#include "generators/key_space.hpp"

namespace sortlab {

/// Keys that are the integer `sequence.value(position)`.
template <class K, class Sequence>
struct SequenceKeys {
  using Pattern = Bits<K>;
  static constexpr int kWords = 0;
  Sequence sequence;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t first, std::uint64_t count, const std::uint32_t*,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) store(chunk, i, key_of_integer<K>(sequence.value(first + i)));
  }
};

struct ConstantSequence {
  constexpr explicit ConstantSequence(std::uint64_t integer) : constant(integer) {}
  constexpr std::uint64_t value(std::uint64_t) const { return constant; }
  std::uint64_t constant;
};

/// 0, 1, 2, ...
struct IotaSequence {
  constexpr explicit IotaSequence(std::uint64_t) {}
  constexpr std::uint64_t value(std::uint64_t i) const { return i; }
  static constexpr std::uint64_t largest(std::uint64_t n) { return n == 0 ? 0 : n - 1; }
};

/// 0, 1, 2, ..., 2, 1, 0
struct OrganPipeSequence {
  constexpr explicit OrganPipeSequence(std::uint64_t elements) : n(elements) {}
  constexpr std::uint64_t value(std::uint64_t i) const { return std::min(i, n - 1 - i); }
  static constexpr std::uint64_t largest(std::uint64_t n) { return n == 0 ? 0 : (n - 1) / 2; }
  std::uint64_t n;
};

}  // namespace sortlab
