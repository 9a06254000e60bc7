// Checks beyond the conformance suite: the bounds and memory of section 4.5 on every distribution, sizes and buckets at
// the thresholds, Table 2, and the number of keys that enter each pass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>
#include <random>

#include "algorithms/stehle_hybrid_radix/settings.hpp"
#include "algorithms/stehle_hybrid_radix/statistics.hpp"
#include "generators/distribution.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab::hybrid_radix {
namespace {

const Algorithm& algorithm() {
  return algorithm_named("stehle_hybrid_radix");
}

Parameters resolved(const GivenParameters& given, const Problem& problem) {
  return resolved(algorithm(), given, problem);
}
GivenParameters preset(std::string_view name) {
  return preset(algorithm(), name);
}

struct Sorted {
  std::vector<PassStatistics> passes;
  std::uint64_t scratch_bytes = 0;
};

class DeviceHybridRadix : public DeviceTest {
 protected:
  /// Sorts `keys` on the device twice; the second result must equal that of std::sort.
  template <class K>
  Sorted sort(const std::vector<K>& keys, const GivenParameters& given, bool compare = true) {
    const Problem problem{
        .key = sizeof(K) == 4 ? KeyType::u32 : KeyType::u64, .residency = Residency::device, .n = keys.size()};
    const Parameters parameters = resolved(given, problem);
    EXPECT_EQ(refusal(algorithm(), problem, parameters, {}), std::nullopt);
    const auto sorter = algorithm().prepare(problem, parameters, {});
    const DeviceMemory memory{keys.size() * sizeof(K)};
    Buffers result;
    PhaseTimer phases;
    for (int time = 0; time < 2; ++time) {
      copy_to_device(memory.data(), keys.data(), memory.size());
      result = sorter->sort({.keys = {.data = memory.data(), .count = keys.size()}, .values = {}}, phases);
      check(cudaDeviceSynchronize());
    }
    if (compare) {
      std::vector<K> found(keys.size());
      copy_to_host(found.data(), result.keys.data, found.size() * sizeof(K));
      std::vector<K> wanted = keys;
      std::ranges::sort(wanted);
      EXPECT_TRUE(found == wanted);
    }
    const auto& hybrid = dynamic_cast<const HybridSorterBase&>(*sorter);
    const Sorted sorted{.passes = hybrid.statistics(), .scratch_bytes = sorter->scratch_bytes()};
    const Settings settings = resolve_settings(parameters, problem);
    expect_bounds(sorted, settings, problem);
    return sorted;
  }

  /// Sorts `keys` with their indices as values of the same width, in separate arrays or together; keys must be in order
  /// and keep their values.
  template <class K>
  void sort_pairs(const std::vector<K>& keys, Layout layout, const GivenParameters& given) {
    const std::size_t n = keys.size(), bytes = n * sizeof(K);
    const Problem problem{.key = sizeof(K) == 4 ? KeyType::u32 : KeyType::u64,
                          .value = sizeof(K) == 4 ? ValueType::u32 : ValueType::u64,
                          .layout = layout,
                          .residency = Residency::device,
                          .n = n};
    std::vector<K> input(2 * n), output(2 * n);
    const bool together = layout == Layout::together;
    const auto key = [=](auto& pairs, std::size_t i) -> K& { return pairs[together ? 2 * i + 1 : i]; };
    const auto value = [=](auto& pairs, std::size_t i) -> K& { return pairs[together ? 2 * i : n + i]; };
    for (std::size_t i = 0; i < n; ++i) {
      key(input, i) = keys[i];
      value(input, i) = static_cast<K>(i);
    }
    const auto sorter = algorithm().prepare(problem, resolved(given, problem), {});
    const DeviceMemory memory{2 * bytes};
    copy_to_device(memory.data(), input.data(), memory.size());
    const auto array = [&](std::size_t begin, std::size_t count) {
      return Array{.data = memory.data<std::byte>() + begin, .count = count};
    };
    PhaseTimer phases;
    const Buffers result = sorter->sort({.keys = array(0, n), .values = together ? Array{} : array(bytes, n)}, phases);
    copy_to_host(output.data(), result.keys.data, together ? 2 * bytes : bytes);
    if (!together) copy_to_host(output.data() + n, result.values.data, bytes);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(key(output, i), keys.at(static_cast<std::size_t>(value(output, i)))) << i;
      if (i > 0) {
        ASSERT_LE(key(output, i - 1), key(output, i)) << i;
      }
    }
  }

  template <class K>
  static std::vector<K> made(const std::string& text, std::uint64_t n) {
    const NamedDistribution distribution = parse_distribution(text);
    std::vector<K> keys(n);
    distribution.distribution->fill(
        {.key = sizeof(K) == 4 ? KeyType::u32 : KeyType::u64, .n = n, .seed = 1, .parameters = distribution.parameters},
        keys.data(), 16);
    return keys;
  }

  /// Checks I1 to I4 and M1 to M5, and that each key of a pass is sorted locally or enters the next pass.
  static void expect_bounds(const Sorted& sorted, const Settings& settings, const Problem& problem) {
    const Bounds bounds = list_bounds(settings, problem.n);
    const auto& passes = sorted.passes;
    for (std::size_t pass = 0; pass < passes.size(); ++pass) {
      EXPECT_LE(passes[pass].buckets, bounds.buckets);
      EXPECT_LE(passes[pass].blocks, bounds.blocks);
      if (pass + 1 == passes.size() || passes[pass].buckets == 0) continue;
      EXPECT_LE(passes[pass].local + passes[pass + 1].buckets, bounds.sub_buckets);
      EXPECT_EQ(passes[pass].keys, passes[pass].local_keys + passes[pass + 1].keys);
    }
    const Memory memory = required_memory(settings, problem.n, byte_size(problem.key));
    const std::uint64_t sum = memory.arrays + memory.bookkeeping();
    EXPECT_GE(sorted.scratch_bytes, sum);
    EXPECT_LE(sorted.scratch_bytes, sum + 4096);  // a few counters per pass
  }
};

TEST_F(DeviceHybridRadix, BoundsHoldOnEveryDistribution) {
  constexpr std::uint64_t n = 3000000;
  for (const char* name : {"paper", "released", "tuned"}) {
    const GivenParameters given = preset(name);
    for (const char* text : {"uniform", "thearling:ands=1", "thearling:ands=2", "thearling:ands=5", "constant", "zipf",
                             "sorted", "bucket", "staggered", "deterministic_duplicates"}) {
      SCOPED_TRACE(fmt::format("preset {}, {}", name, text));
      sort(made<std::uint32_t>(text, n), given);
      sort(made<std::uint64_t>(text, n), given);
    }
  }
}

TEST_F(DeviceHybridRadix, SizesAroundTheThresholds) {
  for (const std::uint64_t edge : {std::uint64_t{9216}, std::uint64_t{9216} * 256}) {
    for (std::uint64_t n = edge - 1; n <= edge + 1; ++n) {
      SCOPED_TRACE(n);
      const Sorted sorted = sort(made<std::uint32_t>("uniform", n), preset("paper"));
      EXPECT_EQ(sorted.passes[0].buckets, n > 9216 ? 1U : 0U);
    }
  }
}

TEST_F(DeviceHybridRadix, BucketsAtAndAboveEachThreshold) {
  constexpr std::uint32_t local = 9216, merge = 3000;
  std::vector<std::uint32_t> keys;
  const auto add = [&](std::uint32_t digit, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) keys.push_back(digit << 24 | (i * 2654435761U) >> 8);
  };
  add(10, local);      // sorted locally
  add(20, local + 1);  // partitioned
  add(30, merge - 1);  // not merged: its neighbour is too large
  add(31, merge);      // alone
  add(40, merge / 2);
  add(41, merge - merge / 2 - 1);  // together one less than the threshold: merged
  add(50, merge / 2);
  add(51, merge - merge / 2);  // together the threshold: not merged
  std::shuffle(keys.begin(), keys.end(), std::mt19937{1});
  for (const char* lists : {"device", "host"}) {
    GivenParameters given = preset("paper");
    given["lists"] = lists;
    const Sorted sorted = sort(keys, given);
    EXPECT_EQ(sorted.passes[1].buckets, 1U);
    EXPECT_EQ(sorted.passes[1].keys, local + 1);
    EXPECT_EQ(sorted.passes[0].local, 6U);
    EXPECT_EQ(sorted.passes[0].merged, 1U);
  }
}

TEST_F(DeviceHybridRadix, EqualKeysEnterEveryPass) {
  for (const std::uint64_t n : {std::uint64_t{9216}, std::uint64_t{9217}, std::uint64_t{1000000}}) {
    const Sorted sorted = sort(std::vector<std::uint32_t>(n, 0xA5A5A5A5), preset("paper"));
    for (const PassStatistics& pass : sorted.passes) EXPECT_EQ(pass.keys, n > 9216 ? n : 0);
  }
}

/// A preset, with one parameter changed in an ablation.
struct Setting {
  std::string name;  ///< "tuned_merge_keys_0"
  GivenParameters given;
  friend void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }
};
std::vector<Setting> presets_and_ablations() {
  std::vector<Setting> settings;
  for (const char* base : {"paper", "released", "tuned"}) settings.push_back({base, preset(base)});
  for (const char* base : {"paper", "tuned"}) {
    const bool is_paper = std::string_view{base} == "paper";
    for (const auto& [name, value] : GivenParameters{{"merge_keys", "0"},
                                                     {"classes", "one"},
                                                     {"look_ahead", "0"},
                                                     {"lists", "host"},
                                                     {"digit_bits", "5"},
                                                     {"thread_reduction", is_paper ? "no" : "yes"},
                                                     {"local_sort", is_paper ? "ranked" : "block_radix"},
                                                     {"staging", is_paper ? "beside" : "reused"}}) {
      settings.push_back({fmt::format("{}_{}_{}", base, name, value), preset(base)});
      settings.back().given[name] = value;
    }
  }
  return settings;
}

/// Runs every kernel that a preset or an ablation launches on few keys, for compute-sanitizer.
class DeviceHybridRadixSettings : public DeviceHybridRadix, public testing::WithParamInterface<Setting> {};
TEST_P(DeviceHybridRadixSettings, SortFewKeys) {
  constexpr std::uint64_t n = 10007;  // more than one local sort of any type takes
  const GivenParameters& given = GetParam().given;
  for (const char* distribution : {"uniform", "thearling:ands=2"}) {
    const auto narrow = made<std::uint32_t>(distribution, n);
    const auto wide = made<std::uint64_t>(distribution, n);
    sort(narrow, given);
    sort(wide, given);
    sort_pairs(narrow, Layout::separate, given);
    sort_pairs(wide, Layout::together, given);
  }
}
INSTANTIATE_TEST_SUITE_P(All, DeviceHybridRadixSettings, testing::ValuesIn(presets_and_ablations()),
                         [](const auto& setting) { return setting.param.name; });

/// Table 2, with its four bits on top of the key.
TEST_F(DeviceHybridRadix, WorkedExample) {
  const std::vector<std::uint32_t> rows{031, 012, 001, 023, 012, 022, 012, 000, 011, 010, 010, 031, 003, 013, 012, 003};
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t key : rows) keys.push_back((key / 8 * 4 + key % 8) << 28);
  const GivenParameters given{{"digit_bits", "2"}, {"local_keys", "3"}, {"merge_keys", "0"}};
  const Sorted first = sort(keys, given);
  ASSERT_EQ(first.passes.size(), 16U);
  EXPECT_EQ(first.passes[0].keys, 16U);
  EXPECT_EQ(first.passes[0].local, 2U);    // buckets 2 and 3
  EXPECT_EQ(first.passes[1].buckets, 2U);  // buckets 0 and 1
  EXPECT_EQ(first.passes[1].keys, 12U);
  EXPECT_EQ(first.passes[1].local, 6U);  // all non-empty ones of 1 1 0 2 and 2 1 4 1, except the four
  EXPECT_EQ(first.passes[2].keys, 4U);
}

TEST_F(DeviceHybridRadix, HostAndDeviceListTheSame) {
  for (const char* text : {"uniform", "thearling:ands=2", "zipf"}) {
    const auto keys = made<std::uint64_t>(text, 2000000);
    GivenParameters given = preset("paper");
    const Sorted device = sort(keys, given);
    given["lists"] = "host";
    const Sorted host = sort(keys, given);
    for (std::size_t pass = 0; pass < device.passes.size(); ++pass) {
      SCOPED_TRACE(fmt::format("{}, pass {}", text, pass));
      EXPECT_EQ(device.passes[pass].buckets, host.passes[pass].buckets);
      EXPECT_EQ(device.passes[pass].blocks, host.passes[pass].blocks);
      EXPECT_EQ(device.passes[pass].local, host.passes[pass].local);
      EXPECT_EQ(device.passes[pass].merged, host.passes[pass].merged);
    }
  }
}

/// Shares of 2 GB that enter each pass, by the exact expectation of section 4.5's recursion (STE-M10).
template <class K>
struct Expected {
  int ands;
  std::vector<double> shares;
};
TEST_F(DeviceHybridRadix, KeysThatEnterEachPass) {
  constexpr std::uint64_t bytes = 2000000000;
  if (!has_memory(3 * bytes)) GTEST_SKIP() << "the device has less than 6 GB free";
  const auto expect = [&]<class K>(const Expected<K>& expected) {
    const std::uint64_t n = bytes / sizeof(K);
    const auto keys = made<K>(fmt::format("thearling:ands={}", expected.ands), n);
    const Sorted sorted = sort(keys, preset("paper"), false);
    for (std::size_t pass = 0; pass < expected.shares.size(); ++pass) {
      SCOPED_TRACE(fmt::format("{} bytes, {} ands, pass {}", sizeof(K), expected.ands, pass));
      EXPECT_NEAR(static_cast<double>(sorted.passes[pass].keys) / static_cast<double>(n), expected.shares[pass], 0.02);
    }
  };
  expect(Expected<std::uint32_t>{1, {1, 1, .810, .115}});
  expect(Expected<std::uint32_t>{2, {1, 1, .959, .648}});
  expect(Expected<std::uint32_t>{3, {1, .999, .985, .940}});
  // For u64 with two ANDs, the buckets of four ones after three digits have 4224.2 keys on average, and 4224 is the
  // threshold: half of their 18 % of the keys are sorted locally, while by the mean alone .827 of the keys would go on.
  expect(Expected<std::uint64_t>{2, {1, 1, .959, .737, .420, .108, .051, .005}});
  expect(Expected<std::uint64_t>{3, {1, .999, .985, .940, .863, .761, .416, .312}});
  expect(Expected<std::uint64_t>{4, {1, 1, .999, .962, .923, .871, .811, .745}});
}

}  // namespace
}  // namespace sortlab::hybrid_radix
