// Keys as unsigned integers in their order, for a library that sorts only these, or floats by operator< alone.
#pragma once

#include <bit>
#include <span>
#include <type_traits>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The key within an element of an array of keys, or of pairs.
template <class B>
B& bits_of(B& key) {
  return key;
}
template <class B, class V>
B& bits_of(Pair<B, V>& pair) {
  return pair.key;
}

/// An array of keys of type K, or of Pair<K, V> if V is a value, with its keys as bits.
template <class K, class V>
auto elements_as_bits(const Array& array) {
  using Element = std::conditional_t<std::is_same_v<V, NoValue>, Bits<K>, Pair<Bits<K>, V>>;
  return array.as<Element>();
}

/// Replaces each key of type K in an array of keys, or of Pair<K, V>, by to_ordered(key), in place.
template <class K, class Element>
void to_ordered_keys(std::span<Element> elements) {
  for (Element& element : elements) bits_of(element) = to_ordered(std::bit_cast<K>(bits_of(element)));
}
/// The inverse.
template <class K, class Element>
void from_ordered_keys(std::span<Element> elements) {
  for (Element& element : elements) bits_of(element) = std::bit_cast<Bits<K>>(from_ordered<K>(bits_of(element)));
}

}  // namespace sortlab
