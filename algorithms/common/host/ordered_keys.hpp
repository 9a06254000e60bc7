// Order-preserving map of keys to unsigned integers, for libraries that sort only these, or floats by operator<.
#pragma once

#include <bit>
#include <span>
#include <type_traits>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The key of an element, which is a key or a pair, as bits.
template <class B>
B& key_bits(B& key) {
  return key;
}
template <class B, class V>
B& key_bits(Pair<B, V>& pair) {
  return pair.key;
}

/// The elements of an array of keys of type K, or of Pair<K, V> if V is a value type, with their keys as bits.
template <class K, class V>
auto elements_as_bits(const Array& array) {
  using Element = std::conditional_t<std::is_same_v<V, NoValue>, Bits<K>, Pair<Bits<K>, V>>;
  return array.as<Element>();
}

/// Replaces each key of type K in an array of keys, or of Pair<K, V>, by to_ordered(key), in place.
template <class K, class Element>
void to_ordered_keys(std::span<Element> elements) {
  for (Element& element : elements) key_bits(element) = to_ordered(std::bit_cast<K>(key_bits(element)));
}
/// The inverse of to_ordered_keys().
template <class K, class Element>
void from_ordered_keys(std::span<Element> elements) {
  for (Element& element : elements) key_bits(element) = std::bit_cast<Bits<K>>(from_ordered<K>(key_bits(element)));
}

/// Sorts keys of type K by `sort`, which sorts unsigned integers, in the phases "map", "sort" and "map"; in "sort"
/// alone unless `mapped`.
template <class K, class Element, class Sort>
void sort_mapped(bool mapped, std::span<Element> elements, PhaseTimer& phases, const Sort& sort) {
  if (mapped) {
    const auto phase = phases.phase("map");
    to_ordered_keys<K>(elements);
  }
  {
    const auto phase = phases.phase("sort");
    sort();
  }
  if (mapped) {
    const auto phase = phases.phase("map", 1);
    from_ordered_keys<K>(elements);
  }
}

}  // namespace sortlab
