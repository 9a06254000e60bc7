// The kernels of msd_radix_gpu compiled for the host and run there: correctness for each type, regime and input. Errors
// that depend on how a GPU schedules warps are left to compute-sanitizer's racecheck and the conformance suite.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <vector>

#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"
#include "generators/distribution.hpp"

namespace sortlab::msd_gpu {
namespace {

template <class K>
[[maybe_unused]] constexpr KeyType kTypeOf = KeyType::u32;
template <>
[[maybe_unused]] constexpr KeyType kTypeOf<float> = KeyType::f32;
template <>
[[maybe_unused]] constexpr KeyType kTypeOf<std::uint64_t> = KeyType::u64;
template <>
[[maybe_unused]] constexpr KeyType kTypeOf<uint128> = KeyType::u128;

/// The options of one sort.
struct Options {
  const char* regime = "auto";
  int top_bits = 0;
  std::optional<bool> samples_range{};  ///< replaces the plan's choice
  bool stable = false;
};

template <class K, class V>
std::unique_ptr<Sorter> create_sorter(std::uint64_t n, const Options& options) {
  constexpr std::uint32_t kValue = std::is_same_v<V, NoValue> ? 0 : sizeof(V);
  const Problem problem{.key = kTypeOf<K>,
                        .value = kValue == 0   ? ValueType::none
                                 : kValue == 4 ? ValueType::u32
                                               : ValueType::u64,
                        .residency = Residency::device,
                        .n = n};
  if constexpr (std::is_same_v<V, std::uint32_t>) {  // the only stable kernels compiled for the host
    if (options.stable) return make_stable_sorter<Bits<K>, V>(problem, key_order<K>(), {});
  }
  EXPECT_EQ(declines(n, sizeof(K), kValue, options.regime, options.top_bits), std::nullopt);
  Plan plan = make_plan(n, sizeof(K), kValue, options.regime, options.top_bits);
  plan.samples_range = options.samples_range.value_or(plan.samples_range);
  return make_sorter<Bits<K>, V>(problem, plan, key_order<K>(), {});
}

template <class K, class V>
void expect_sorts(const std::vector<K>& keys, const Options& options, int times = 1) {
  const std::uint64_t n = keys.size();
  const auto sorter = create_sorter<K, V>(n, options);
  std::vector<std::uint64_t> order(n);
  for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](auto a, auto b) { return to_ordered(keys[a]) < to_ordered(keys[b]); });
  PhaseTimer phases;
  for (int time = 0; time < times; ++time) {
    std::vector<K> sorted = keys;
    std::vector<V> values(std::is_same_v<V, NoValue> ? 0 : n);
    if constexpr (!std::is_same_v<V, NoValue>) {
      for (std::uint64_t i = 0; i < n; ++i) values[i] = static_cast<V>(i);
    }
    const Buffers result = sorter->sort(
        {.keys = {.data = sorted.data(), .count = n}, .values = {.data = values.data(), .count = values.size()}},
        phases);
    const K* const found = static_cast<const K*>(result.keys.data);
    std::vector<bool> seen(values.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_TRUE(to_ordered(found[i]) == to_ordered(keys[order[i]])) << "key " << i << ", time " << time;
      if constexpr (!std::is_same_v<V, NoValue>) {
        const auto place = static_cast<std::uint64_t>(static_cast<const V*>(result.values.data)[i]);
        if (options.stable) {
          ASSERT_EQ(place, order[i]) << "value " << i << ", time " << time;
        }
        ASSERT_TRUE(place < n && !seen[place]) << "value " << i << ", time " << time;
        ASSERT_TRUE(to_ordered(keys[place]) == to_ordered(found[i])) << "value " << i << ", time " << time;
        seen[place] = true;
      }
    }
  }
}

/// The keys of one of the generators' distributions, or of "outliers": uniform in 1 / 256 of the range of their type,
/// except for four keys outside that range, which a sample is unlikely to contain.
template <class K>
std::vector<K> generate_keys(const std::string& text, std::uint64_t n) {
  std::vector<K> keys(n);
  const NamedDistribution named = parse_distribution(text == "outliers" ? "uniform" : text);
  named.distribution->fill({.key = kTypeOf<K>, .n = n, .seed = 1, .parameters = named.parameters}, keys.data(), 2);
  if (text != "outliers") return keys;
  constexpr int kBits = 8 * sizeof(K);
  for (std::uint64_t i = 0; i < n; ++i) {
    Bits<K> bits = to_ordered(keys[i]) >> 8 | Bits<K>{0x35} << (kBits - 8);
    if (i % (n / 4) == n / 9) bits = static_cast<Bits<K>>(i % 2 == 0 ? i : ~i);
    keys[i] = from_ordered<K>(bits);
  }
  return keys;
}

/// Sorts uniform keys twice with the same sorter, other inputs once.
template <class K, class V>
void expect_sorts_input(const std::string& text, std::uint64_t n, const Options& options) {
  SCOPED_TRACE(fmt::format("{} keys of {} bytes, {}, {}, {} bits", n, sizeof(K), text,
                           options.stable ? "stable" : options.regime, options.top_bits));
  expect_sorts<K, V>(generate_keys<K>(text, n), options, text == "uniform" ? 2 : 1);
}

struct Type {
  const char* name;
  void (*expect_sorts)(const std::string&, std::uint64_t, const Options&);
  std::uint32_t key_bytes, value_bytes;
};
void PrintTo(const Type& type, std::ostream* out) {
  *out << type.name;
}
const Type kTypes[] = {
    {"u32", expect_sorts_input<std::uint32_t, NoValue>, 4, 0},
    {"u32_u32", expect_sorts_input<std::uint32_t, std::uint32_t>, 4, 4},
#if SORTLAB_SHARED_KIB == 227
    {"u64", expect_sorts_input<std::uint64_t, NoValue>, 8, 0},
    {"u128_u64", expect_sorts_input<uint128, std::uint64_t>, 16, 8},
#endif
};
const std::vector<const char*> kInputs{"uniform",      "thearling:ands=1", "thearling:ands=4",
                                       "zipf:theta=1", "few_distinct",     "constant",
                                       "sorted",       "staggered",        "deterministic_duplicates"};

class MsdRadixOnHost : public testing::TestWithParam<Type> {
 protected:
  /// Sorts every input; the sizes take turns.
  static void expect_sorts(const std::vector<std::uint64_t>& sizes, const Options& options,
                           const std::vector<const char*>& inputs = kInputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      GetParam().expect_sorts(inputs[i], sizes[i % sizes.size()], options);
    }
  }
  static std::uint64_t min_elements(Regime regime) {
    return regime_elements(regime, GetParam().key_bytes, GetParam().value_bytes).min;
  }
};

TEST_P(MsdRadixOnHost, SortsFew) {
  for (std::uint64_t n = 0; n < 70; ++n) expect_sorts({n}, {}, {"uniform"});
  for (const std::uint64_t n : {1023, 1024, 1025, 4097}) expect_sorts({n}, {});
}

TEST_P(MsdRadixOnHost, SortsByOneBlock) {
  const std::uint64_t max = regime_elements(Regime::one_block, GetParam().key_bytes, GetParam().value_bytes).max;
  expect_sorts({max - 1, max}, {.regime = "one_block"});
}

TEST_P(MsdRadixOnHost, SortsByOneLevel) {
  const std::uint64_t min = min_elements(Regime::one_level);
  expect_sorts({min, min + 1, min + 30011}, {.regime = "one_level"});
  // Each of the 64 distinct keys fills a window and has few elements in a tile.
  const int items = one_level_items(GetParam().key_bytes, GetParam().value_bytes);
  const std::uint64_t tile = std::uint64_t{kMaxThreads} * static_cast<std::uint32_t>(items);
  expect_sorts({40 * tile}, {.regime = "one_level"}, {"few_distinct:distinct=64"});
}

TEST_P(MsdRadixOnHost, SortsByAWidePartition) {
  const std::uint64_t min = min_elements(Regime::wide);
  expect_sorts({min, min + 1, min + 20011}, {.regime = "wide"});
  expect_sorts({min}, {.regime = "wide", .top_bits = kMinTopBits}, {"zipf:theta=0.5"});
}

TEST_P(MsdRadixOnHost, SortsByTwoPartitions) {
  const std::uint64_t min = min_elements(Regime::partitions);
  expect_sorts({min + 10007}, {.regime = "partitions"},
               {"uniform", "thearling:ands=4", "zipf:theta=1", "few_distinct", "sorted"});
  expect_sorts({min}, {.regime = "partitions", .top_bits = kMaxTopBits}, {"thearling:ands=1"});
}

TEST_P(MsdRadixOnHost, SortsByDigitsOfASampledRange) {
  const std::uint64_t min = min_elements(Regime::wide);
  expect_sorts({min}, {.regime = "wide"}, {"organ_pipe", "outliers", "zipf:theta=0.5"});
  expect_sorts({min}, {.regime = "partitions", .samples_range = true}, {"staggered", "outliers"});
}

INSTANTIATE_TEST_SUITE_P(Types, MsdRadixOnHost, testing::ValuesIn(kTypes),
                         [](const auto& type) { return type.param.name; });

TEST(CountedBucketsOnHost, AreOfSoManyKeysOf32BitsAlone) {
  std::uint64_t n = kDigits * std::uint64_t{bucket_elements(4, 0)};
  ASSERT_EQ(counts_buckets(n, 4, 0), kMayCount);
  for (const char* const input : {"uniform", "outliers"}) {
    for (const bool samples_range : {false, true}) {
      if (samples_range == (input == std::string_view{"uniform"})) continue;
      expect_sorts_input<std::uint32_t, NoValue>(input, n++, {.regime = "partitions", .samples_range = samples_range});
    }
  }
}

TEST(StableMsdRadixOnHost, KeepsTheOrderOfEqualKeys) {
  for (const std::uint64_t n : {100, 5000, 60013}) {
    for (const char* const input : kInputs) {
      expect_sorts_input<std::uint32_t, std::uint32_t>(input, n, {.stable = true});
    }
  }
}

TEST(FloatsOnHost, AreSortedByTheKernelsOfIntegers) {
  for (const char* const input : {"uniform", "outliers"}) {
    expect_sorts_input<float, NoValue>(input, regime_elements(Regime::one_level, 4, 0).min + 1000, {"one_level"});
    for (const bool samples_range : {false, true}) {
      for (const char* const regime : {"wide", "partitions"}) {
        const std::uint64_t n = regime_elements(Regime::wide, 4, 0).min + 1000;
        expect_sorts_input<float, NoValue>(input, n, {.regime = regime, .samples_range = samples_range});
      }
    }
  }
}

}  // namespace
}  // namespace sortlab::msd_gpu
