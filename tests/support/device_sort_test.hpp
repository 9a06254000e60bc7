// Fixture for tests of a device sort with special inputs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/plugin.hpp"
#include "generators/distribution.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {

template <class K>
KeyType key_type() {
  for (const KeyType type : kKeyTypes) {
    if (with_key_type(type, []<class T>() { return std::is_same_v<T, K>; })) return type;
  }
  throw std::logic_error("no key type");
}

class DeviceSortTest : public DeviceTest {
 protected:
  /// Sorts `keys` twice on the device, alone and with their positions as values. Fails the test if a result is not in
  /// order or a value is not with its key.
  template <class K>
  static void expect_sorts(const std::string& name, const std::vector<K>& keys, const GivenParameters& given = {}) {
    std::vector<K> wanted = keys;
    std::ranges::sort(wanted, KeyLess{});
    const Info& info = algorithm_named(name).info();
    for (const ValueType value : info.values) {
      with_value_type(value, [&]<class V>() { expect_sorts_with<K, V>(name, keys, wanted, given, value); });
    }
  }

  /// The keys of a distribution such as "zipf:theta=1".
  template <class K>
  static std::vector<K> made(const std::string& text, std::uint64_t n) {
    const NamedDistribution named = parse_distribution(text);
    std::vector<K> keys(n);
    named.distribution->fill({.key = key_type<K>(), .n = n, .seed = 1, .parameters = named.parameters}, keys.data(), 2);
    return keys;
  }

  /// Keys `key(i)`.
  template <class K, class Key>
  static std::vector<K> listed(std::size_t n, const Key& key) {
    std::vector<K> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<K>(key(i));
    return keys;
  }

 private:
  template <class K, class V>
  static void expect_sorts_with(const std::string& name, const std::vector<K>& keys, const std::vector<K>& wanted,
                                const GivenParameters& given, ValueType value) {
    constexpr bool has_value = !std::is_same_v<V, NoValue>;
    const std::size_t n = keys.size();
    const Algorithm& algorithm = algorithm_named(name);
    const Problem problem{.key = key_type<K>(), .value = value, .residency = Residency::device, .n = n};
    const Parameters parameters = resolve(name, algorithm.info().parameters, given);
    SCOPED_TRACE(std::string{to_name(problem.key)} + "/" + std::string{to_name(value)});
    ASSERT_EQ(refusal(algorithm, problem, parameters, {}), std::nullopt);
    const auto sorter = algorithm.prepare(problem, parameters, {});
    const DeviceMemory key_memory{n * sizeof(K)}, value_memory{has_value ? n * sizeof(V) : 0};
    std::vector<V> values(has_value ? n : 0);
    if constexpr (has_value) {
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<V>(i);
    }
    PhaseTimer phases;
    for (int time = 0; time < 2; ++time) {
      copy_to_device(key_memory.data(), keys.data(), key_memory.size());
      copy_to_device(value_memory.data(), values.data(), value_memory.size());
      const Buffers result = sorter->sort({.keys = {.data = key_memory.data(), .count = n},
                                           .values = {.data = value_memory.data(), .count = has_value ? n : 0}},
                                          phases);
      check(cudaDeviceSynchronize());
      std::vector<K> found(n);
      copy_to_host(found.data(), result.keys.data, n * sizeof(K));
      for (std::size_t i = 0; i < n; ++i) {
        if (to_ordered(found[i]) != to_ordered(wanted[i])) FAIL() << "key " << i << " of " << n << ", time " << time;
      }
      if constexpr (has_value) {
        std::vector<V> places(n);
        std::vector<bool> seen(n);
        copy_to_host(places.data(), result.values.data, n * sizeof(V));
        for (std::size_t i = 0; i < n; ++i) {
          const auto place = static_cast<std::size_t>(places[i]);
          if (place >= n || seen[place] || to_ordered(keys[place]) != to_ordered(found[i])) {
            FAIL() << "value " << i << " of " << n << ", time " << time;
          }
          seen[place] = true;
        }
      }
    }
  }
};

}  // namespace sortlab
