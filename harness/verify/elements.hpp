// Typed access to the elements of an input or output, whatever their layout in host or device memory.
#pragma once

#include "algorithms/plugin.hpp"
#include "core/host_device.hpp"

namespace sortlab {

// The layouts of elements in memory, behind one interface: key(i) and value(i).
template <class K>
struct KeysAlone {
  static constexpr bool paired = false;
  explicit KeysAlone(const Buffers& buffers) : keys(buffers.keys.as<const K>().data()) {}
  SORTLAB_HOST_DEVICE K key(std::uint64_t i) const { return keys[i]; }
  const K* keys;
};
template <class K, class V>
struct Separate {
  static constexpr bool paired = true;
  explicit Separate(const Buffers& buffers)
      : keys(buffers.keys.as<const K>().data()), values(buffers.values.as<const V>().data()) {}
  SORTLAB_HOST_DEVICE K key(std::uint64_t i) const { return keys[i]; }
  SORTLAB_HOST_DEVICE V value(std::uint64_t i) const { return values[i]; }
  const K* keys;
  const V* values;
};
template <class K, class V>
struct Together {
  static constexpr bool paired = true;
  explicit Together(const Buffers& buffers) : pairs(buffers.keys.as<const Pair<K, V>>().data()) {}
  SORTLAB_HOST_DEVICE K key(std::uint64_t i) const { return pairs[i].key; }
  SORTLAB_HOST_DEVICE V value(std::uint64_t i) const { return pairs[i].value; }
  const Pair<K, V>* pairs;
};

/// Calls `f` with the elements of `buffers`, typed.
template <class F>
auto with_elements(const Buffers& buffers, const Problem& problem, F&& f) {
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, [&]<class V>() {
      if constexpr (std::is_same_v<V, NoValue>) {
        return f(KeysAlone<K>{buffers});
      } else if (problem.layout == Layout::together) {
        return f(Together<K, V>{buffers});
      } else {
        return f(Separate<K, V>{buffers});
      }
    });
  });
}

}  // namespace sortlab
