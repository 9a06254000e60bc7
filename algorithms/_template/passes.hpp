// The data movement of a pass: the sort runs it, and the probe times it alone.
#pragma once

#include <array>

#include "algorithms/_template/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::_template {

/// Next output position of each digit.
using Offsets = std::array<std::uint64_t, kRadix>;

/// A digit of the key's ordered image, whose unsigned order is that of the keys for any key type, floats included.
template <class K>
std::size_t digit(K key, int pass) {
  return static_cast<std::size_t>(to_ordered(key) >> lsd_digits(sizeof(K)).shift(pass)) % kRadix;
}

template <class K>
Offsets histogram(std::span<const K> keys, int pass) {
  Offsets offsets{};
  for (const K key : keys) ++offsets[digit(key, pass)];
  std::uint64_t sum = 0;
  for (std::uint64_t& offset : offsets) sum += std::exchange(offset, sum);
  return offsets;
}

/// Moves each element to the next place of its digit. V is NoValue if there are no values.
template <class K, class V>
void scatter(const Buffers& from, const Buffers& to, Offsets offsets, int pass) {
  const auto keys = from.keys.as<K>();
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t target = offsets[digit(keys[i], pass)]++;
    to.keys.as<K>()[target] = keys[i];
    if constexpr (!std::is_same_v<V, NoValue>) to.values.as<V>()[target] = from.values.as<V>()[i];
  }
}

}  // namespace sortlab::_template
