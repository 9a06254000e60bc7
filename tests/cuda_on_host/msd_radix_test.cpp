// The kernels of msd_radix_gpu on the host: what a GPU is not needed for, by its types, regimes and inputs. What only
// the device's own order of things would show, racecheck and the conformance suite show there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"
#include "generators/distribution.hpp"

namespace sortlab::msd_gpu {
namespace {

template <class K>
constexpr KeyType kTypeOf = KeyType::u32;
template <>
constexpr KeyType kTypeOf<float> = KeyType::f32;
template <>
constexpr KeyType kTypeOf<std::uint64_t> = KeyType::u64;
template <>
constexpr KeyType kTypeOf<uint128> = KeyType::u128;

template <class K>
std::vector<K> made(const std::string& text, std::uint64_t n) {
  const NamedDistribution named = parse_distribution(text);
  std::vector<K> keys(n);
  named.distribution->fill({.key = kTypeOf<K>, .n = n, .seed = 1, .parameters = named.parameters}, keys.data(), 2);
  return keys;
}

/// Sorts by one sorter, uniform keys twice.
template <class K, class V>
void expect_sorts(const std::string& text, std::uint64_t n, std::string_view regime = "auto", int top_bits = 0,
                  bool stable = false) {
  constexpr bool has_value = !std::is_same_v<V, NoValue>;
  constexpr std::uint32_t key_bytes = sizeof(K), value_bytes = has_value ? sizeof(V) : 0;
  SCOPED_TRACE(fmt::format("{} keys of {} bytes, {} of values, {}, {}, {} bits", n, key_bytes, value_bytes, text,
                           stable ? "stable" : regime, top_bits));
  const std::vector<K> keys = made<K>(text, n);
  const Problem problem{.key = kTypeOf<K>,
                        .value = has_value ? (value_bytes == 4 ? ValueType::u32 : ValueType::u64) : ValueType::none,
                        .residency = Residency::device,
                        .n = n};
  std::unique_ptr<Sorter> sorter;
  if constexpr (std::is_same_v<V, std::uint32_t>) {  // of the stable kernels only these are compiled
    if (stable) sorter = make_stable_sorter<Bits<K>, V>(problem, key_order<K>(), {});
  }
  if (!stable) {
    ASSERT_EQ(declines(n, key_bytes, value_bytes, regime, top_bits), std::nullopt);
    sorter = make_sorter<Bits<K>, V>(problem, plan_of(n, key_bytes, value_bytes, regime, top_bits), key_order<K>(), {});
  }
  std::vector<std::uint64_t> order(n);
  for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](auto a, auto b) { return to_ordered(keys[a]) < to_ordered(keys[b]); });
  PhaseTimer phases;
  for (int time = 0; time < (text == "uniform" ? 2 : 1); ++time) {
    std::vector<K> sorted = keys;
    std::vector<V> values(has_value ? n : 0);
    if constexpr (has_value) {
      for (std::uint64_t i = 0; i < n; ++i) values[i] = static_cast<V>(i);
    }
    const Buffers result = sorter->sort(
        {.keys = {.data = sorted.data(), .count = n}, .values = {.data = values.data(), .count = values.size()}},
        phases);
    const K* const found = static_cast<const K*>(result.keys.data);
    std::vector<bool> seen(values.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_TRUE(to_ordered(found[i]) == to_ordered(keys[order[i]])) << "key " << i << ", time " << time;
      if constexpr (has_value) {
        const auto place = static_cast<std::uint64_t>(static_cast<const V*>(result.values.data)[i]);
        if (stable) {
          ASSERT_EQ(place, order[i]) << "value " << i << ", time " << time;
        }
        ASSERT_TRUE(place < n && !seen[place]) << "value " << i << ", time " << time;
        ASSERT_TRUE(to_ordered(keys[place]) == to_ordered(found[i])) << "value " << i << ", time " << time;
        seen[place] = true;
      }
    }
  }
}

struct Type {
  const char* name;
  void (*expect_sorts)(const std::string&, std::uint64_t, std::string_view, int, bool);
  std::uint32_t key_bytes, value_bytes;
};
void PrintTo(const Type& type, std::ostream* out) {
  *out << type.name;
}
const Type kTypes[] = {
    {"u32", expect_sorts<std::uint32_t, NoValue>, 4, 0},
    {"u32_u32", expect_sorts<std::uint32_t, std::uint32_t>, 4, 4},
#if SORTLAB_SHARED_KIB == 227
    {"u64", expect_sorts<std::uint64_t, NoValue>, 8, 0},
    {"u128_u64", expect_sorts<uint128, std::uint64_t>, 16, 8},
#endif
};
const char* const kInputs[] = {"uniform",      "thearling:ands=1", "thearling:ands=4",
                               "zipf:theta=1", "few_distinct",     "constant",
                               "sorted",       "staggered",        "deterministic_duplicates"};

class MsdRadixOnHost : public testing::TestWithParam<Type> {
 protected:
  void expect_sorts(const std::string& text, std::uint64_t n, std::string_view regime = "auto", int top_bits = 0) {
    GetParam().expect_sorts(text, n, regime, top_bits, false);
  }
  /// Every input, of each n in turn.
  void expect_sorts_inputs(const std::vector<std::uint64_t>& sizes, std::string_view regime) {
    for (std::size_t i = 0; i < std::size(kInputs); ++i) expect_sorts(kInputs[i], sizes[i % sizes.size()], regime);
  }
  Elements elements(Regime regime) const { return elements_of(regime, GetParam().key_bytes, GetParam().value_bytes); }
};

TEST_P(MsdRadixOnHost, SortsFew) {
  for (std::uint64_t n = 0; n < 70; ++n) expect_sorts("uniform", n);
  for (const std::uint64_t n : {1023, 1024, 1025, 4097}) expect_sorts_inputs({n}, "auto");
}

TEST_P(MsdRadixOnHost, SortsByOneBlock) {
  const std::uint64_t most = elements(Regime::one_block).most;
  expect_sorts_inputs({most - 1, most}, "one_block");
}

TEST_P(MsdRadixOnHost, SortsByOneLevel) {
  const std::uint64_t least = elements(Regime::one_level).least;
  expect_sorts_inputs({least, least + 1, least + 30011}, "one_level");
}

TEST_P(MsdRadixOnHost, SortsByAWidePartition) {
  const std::uint64_t least = elements(Regime::wide).least;
  expect_sorts_inputs({least, least + 1, least + 20011}, "wide");
  expect_sorts("zipf:theta=0.5", least, "wide", kFewestTopBits);
}

TEST_P(MsdRadixOnHost, SortsByTwoPartitions) {
  const std::uint64_t least = elements(Regime::partitions).least;
  for (const char* const input : {"uniform", "thearling:ands=4", "zipf:theta=1", "few_distinct", "sorted"}) {
    expect_sorts(input, least + 10007, "partitions");
  }
  expect_sorts("thearling:ands=1", least, "partitions", kMostTopBits);
}

INSTANTIATE_TEST_SUITE_P(Types, MsdRadixOnHost, testing::ValuesIn(kTypes),
                         [](const auto& type) { return type.param.name; });

TEST(StableMsdRadixOnHost, KeepsTheOrderOfEqualKeys) {
  for (const std::uint64_t n : {100, 5000, 60013}) {
    for (const char* const input : kInputs) expect_sorts<std::uint32_t, std::uint32_t>(input, n, "auto", 0, true);
  }
}

TEST(FloatsOnHost, AreSortedByTheKernelsOfIntegers) {
  for (const char* const input : {"uniform", "gaussian", "few_distinct"}) {
    for (const char* const regime : {"one_level", "wide", "partitions"}) {
      const Elements range = elements_of(chosen("regime", regime, kRegimes), 4, 0);
      expect_sorts<float, NoValue>(input, range.least + 1000, regime);
    }
  }
}

}  // namespace
}  // namespace sortlab::msd_gpu
