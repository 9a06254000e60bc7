// Compares the sort and one multisplit with a stable sort on the host, on inputs that stress histograms by ballots and
// partial tiles: only one order is correct.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "algorithms/component.hpp"
#include "algorithms/multisplit_radix/plan.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

using multisplit::Shape;

struct Setting {
  GivenParameters given;
  std::uint64_t tile;
};

/// All settings that have kernels, for digits of these widths.
std::vector<Setting> settings(const std::vector<int>& widths) {
  std::vector<Setting> all;
  for (const auto& [level_word, level] : multisplit::kLevels) {
    for (const auto& [counters_word, counters] : multisplit::kCounters) {
      for (const int threads : multisplit::compiled_threads(counters)) {
        for (const int items : multisplit::compiled_items(counters)) {
          for (const int bits : widths) {
            const Shape shape{.level = level, .counters = counters, .threads = threads, .items = items};
            if (multisplit::declines(shape, bits)) continue;
            all.push_back({.given = {{"level", std::string{level_word}},
                                     {"counters", std::string{counters_word}},
                                     {"threads", std::to_string(threads)},
                                     {"items", std::to_string(items)},
                                     {"digit_bits", std::to_string(bits)}},
                           .tile = shape.tile()});
          }
        }
      }
    }
  }
  return all;
}

template <class V>
inline constexpr bool kHasValues = !std::is_same_v<V, NoValue>;

template <class K, class V>
struct Elements {
  std::vector<K> keys;
  std::vector<V> values;  ///< empty, or each key's original index

  explicit Elements(std::vector<K> from) : keys(std::move(from)) {
    if constexpr (kHasValues<V>) {
      values.resize(keys.size());
      std::iota(values.begin(), values.end(), V{0});
    }
  }
  /// The elements in stable order by `bits` bits of the keys' order from `shift` on.
  Elements ordered(int shift, int bits) const {
    std::vector<std::size_t> at(keys.size());
    std::iota(at.begin(), at.end(), std::size_t{0});
    using B = Bits<K>;
    const B mask = bits == 8 * sizeof(B) ? static_cast<B>(~B{0}) : static_cast<B>((B{1} << bits) - 1);
    std::ranges::stable_sort(at, {},
                             [&](std::size_t i) { return static_cast<B>(to_ordered(keys[i]) >> shift) & mask; });
    Elements sorted = *this;
    for (std::size_t i = 0; i < at.size(); ++i) {
      sorted.keys[i] = keys[at[i]];
      if constexpr (kHasValues<V>) sorted.values[i] = values[at[i]];
    }
    return sorted;
  }
  /// Bitwise equality.
  bool operator==(const Elements& other) const { return same(keys, other.keys) && same(values, other.values); }

 private:
  template <class T>
  static bool same(const std::vector<T>& one, const std::vector<T>& other) {
    return one.size() == other.size() && (one.empty() || std::memcmp(&one[0], &other[0], one.size() * sizeof(T)) == 0);
  }
};

template <class K>
constexpr KeyType key_type() {
  if constexpr (std::is_same_v<K, std::uint32_t>) return KeyType::u32;
  if constexpr (std::is_same_v<K, std::uint64_t>) return KeyType::u64;
  if constexpr (std::is_same_v<K, std::int32_t>) return KeyType::i32;
  if constexpr (std::is_same_v<K, std::int64_t>) return KeyType::i64;
  if constexpr (std::is_same_v<K, float>) return KeyType::f32;
  if constexpr (std::is_same_v<K, double>) return KeyType::f64;
}
template <class V>
constexpr ValueType value_type() {
  return !kHasValues<V> ? ValueType::none : sizeof(V) == 4 ? ValueType::u32 : ValueType::u64;
}

/// Result of a run on the device, on arrays aligned only to their element.
template <class K, class V, class Run>
Elements<K, V> on_device(const Elements<K, V>& elements, const Run& run) {
  const std::uint64_t n = elements.keys.size();
  const DeviceMemory keys((n + 1) * sizeof(K)), values((n + 1) * sizeof(V));
  Buffers data{.keys = {keys.data<K>() + 1, n}, .values = {}};
  copy_to_device(data.keys.data, elements.keys.data(), n * sizeof(K));
  if constexpr (kHasValues<V>) {
    data.values = {values.data<V>() + 1, n};
    copy_to_device(data.values.data, elements.values.data(), n * sizeof(V));
  }
  const Buffers output = run(data);
  Elements<K, V> result = elements;
  copy_to_host(result.keys.data(), output.keys.data, n * sizeof(K));
  if constexpr (kHasValues<V>) copy_to_host(result.values.data(), output.values.data, n * sizeof(V));
  return result;
}

/// Inputs of n keys that stress the methods of counting.
template <class K>
std::vector<std::pair<std::string, std::vector<K>>> inputs(std::uint64_t n) {
  using B = Bits<K>;
  constexpr int top = 8 * sizeof(B) - 8;
  std::mt19937_64 random{n};
  const auto made = [&](const auto& key) {
    std::vector<K> keys(n);
    for (std::uint64_t i = 0; i < n; ++i) keys[i] = from_ordered<K>(static_cast<B>(key(i)));
    return keys;
  };
  return {
      {"random", made([&](std::uint64_t) { return random(); })},
      {"all equal", made([](std::uint64_t) { return B{0x5A5A5A5A}; })},
      {"all the last", made([](std::uint64_t) { return static_cast<B>(~B{0}); })},  // like the padding
      {"all the first", made([](std::uint64_t) { return B{0}; })},
      {"one bucket", made([&](std::uint64_t) { return (B{0x81} << top) | (random() & 0xFFFF); })},
      {"alternating", made([](std::uint64_t i) { return i % 2 == 0 ? static_cast<B>(~B{0}) : B{0}; })},
      {"alternating neighbours", made([](std::uint64_t i) { return (B{0x80} + i % 2) << top; })},
      {"a row a bucket", made([](std::uint64_t i) { return (static_cast<B>(i / 32 % 256) << top) + i / 32 % 256; })},
      {"a lane a bucket", made([](std::uint64_t i) { return (static_cast<B>(i % 32) << (top + 3)) + i % 32; })},
      {"descending", made([&](std::uint64_t i) { return static_cast<B>(n - i) * 0x10001; })}};
}

class DeviceMultisplit : public DeviceTest {
 protected:
  /// Sorts all inputs twice, of the sizes that `sizes(tile)` returns, with digits of each width.
  template <class K, class V, class Sizes>
  void sorts(const std::vector<int>& widths, const Sizes& sizes) {
    const Algorithm& algorithm = algorithm_named("multisplit_radix");
    for (const auto& [given, tile] : settings(widths)) {
      const Parameters parameters = resolve("multisplit_radix", algorithm.info().parameters, given);
      for (const std::uint64_t n : sizes(tile)) {
        const Problem problem{.key = key_type<K>(), .value = value_type<V>(), .residency = Residency::device, .n = n};
        const auto sorter = algorithm.prepare(problem, parameters, {});
        const auto sort = [&](const Buffers& data) {
          PhaseTimer phases;
          return sorter->sort(data, phases);
        };
        for (const auto& [name, keys] : inputs<K>(n)) {
          const Elements<K, V> elements{keys}, expected = elements.ordered(0, 8 * sizeof(K));
          for (int time = 0; time < 2; ++time) {
            const Elements<K, V> result = on_device(elements, sort);
            ASSERT_TRUE(result == expected) << testing::PrintToString(given) << ' ' << name << ' ' << n;
          }
        }
      }
    }
  }
};

TEST_F(DeviceMultisplit, SortsPairsOf32BitsInEverySetting) {
  sorts<std::uint32_t, std::uint32_t>({1, 5, 7, 8}, [](std::uint64_t tile) {
    return std::vector<std::uint64_t>{0, 1, 2, 33, tile - 1, tile, tile + 1, 2 * tile + 31};
  });
}
TEST_F(DeviceMultisplit, SortsEveryType) {
  const auto sizes = [](std::uint64_t tile) { return std::vector<std::uint64_t>{2 * tile + 17}; };
  sorts<std::uint32_t, NoValue>({8}, sizes);
  sorts<std::int32_t, std::uint64_t>({8}, sizes);
  sorts<float, std::uint32_t>({7, 8}, sizes);
  sorts<std::uint64_t, NoValue>({8}, sizes);
  sorts<std::int64_t, std::uint32_t>({8}, sizes);
  sorts<double, std::uint64_t>({5, 8}, sizes);
}

TEST_F(DeviceMultisplit, SplitsInto2To256BucketsStably) {
  const Algorithm& algorithm = algorithm_named("multisplit_radix");
  const Component& component = component_named(algorithm, "multisplit");
  std::vector<int> widths(multisplit::kMaxDigitBits);
  std::iota(widths.begin(), widths.end(), 1);
  const auto splits = [&]<class K, class V>(const Setting& setting, std::uint64_t n) {
    const Parameters parameters = resolve("multisplit_radix", algorithm.info().parameters, setting.given);
    const auto bits = static_cast<int>(parameters.integer("digit_bits"));
    const Problem problem{.key = key_type<K>(), .value = value_type<V>(), .residency = Residency::device, .n = n};
    const auto runnable = component.prepare(problem, parameters, {});
    EXPECT_EQ(runnable->postcondition().order.bits, bits);
    for (const auto& [name, keys] : inputs<K>(n)) {
      const Elements<K, V> elements{keys}, expected = elements.ordered(8 * sizeof(K) - bits, bits);
      const Elements<K, V> result = on_device(elements, [&](const Buffers& data) {
        runnable->set_up(data);
        PhaseTimer phases;
        return runnable->finish(runnable->run(data, phases));
      });
      ASSERT_TRUE(result == expected) << testing::PrintToString(setting.given) << ' ' << name << ' ' << n;
    }
  };
  for (const Setting& setting : settings(widths)) {
    // The kernels of counters=shared depend on the digit width in the same way: all widths of one shape, one width of
    // the others.
    const bool is_first = setting.tile <= multisplit::kTuned.tile();
    if (!is_first && setting.given.at("digit_bits") != "8") continue;
    for (const std::uint64_t n : {std::uint64_t{1}, setting.tile - 1, setting.tile, 3 * setting.tile + 17}) {
      splits.operator()<std::uint32_t, std::uint32_t>(setting, n);
    }
    splits.operator()<std::uint32_t, NoValue>(setting, 2 * setting.tile + 1);
    splits.operator()<double, std::uint64_t>(setting, 2 * setting.tile + 1);
  }
}

}  // namespace
}  // namespace sortlab
