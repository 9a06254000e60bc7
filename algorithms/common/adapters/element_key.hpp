// The key of an element of an array: a key, or a Pair<K, V>.
#pragma once

#include "core/key_types.hpp"

namespace sortlab {

/// The key of an element: the element itself, or the key of a pair.
template <class T>
constexpr const auto& element_key(const T& element) {
  if constexpr (requires { element.key; }) {
    return element.key;
  } else {
    return element;
  }
}

/// Extracts the unsigned integer by whose order an element of key type K is sorted.
template <class K>
struct OrderedKey {
  template <class T>
  Bits<K> operator()(const T& element) const {
    return to_ordered(element_key(element));
  }
};

}  // namespace sortlab
