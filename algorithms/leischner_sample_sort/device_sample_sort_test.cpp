// Checks beyond the conformance suite: every setting that a claim of the paper varies sorts every kind of input, and
// the sort terminates if splitters cannot separate keys.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "algorithms/leischner_sample_sort/plan.hpp"
#include "algorithms/plugin.hpp"
#include "generators/distribution.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab::sample_sort {
namespace {

const Algorithm& algorithm() {
  return algorithm_named("leischner_sample_sort");
}

GivenParameters preset(std::string_view name) {
  return preset(algorithm(), name);
}

template <class K>
constexpr KeyType kKey = sizeof(K) == 4   ? KeyType::u32
                         : sizeof(K) == 8 ? KeyType::u64
                                          : KeyType::u128;

template <class K>
std::vector<K> made(const std::string& text, std::uint64_t n) {
  const NamedDistribution distribution = parse_distribution(text);
  std::vector<K> keys(n);
  distribution.distribution->fill({.key = kKey<K>, .n = n, .seed = 1, .parameters = distribution.parameters},
                                  keys.data(), 2);
  return keys;
}

class DeviceSampleSort : public DeviceTest {
 protected:
  /// Sorts `keys` twice, with their indices as values if V is a value type; keys must be in order and keep their
  /// values.
  template <class V, class K>
  void sort(const std::vector<K>& keys, const GivenParameters& given) {
    constexpr bool kValues = !std::is_same_v<V, NoValue>;
    const std::size_t n = keys.size();
    const Problem problem{.key = kKey<K>,
                          .value = !kValues         ? ValueType::none
                                   : sizeof(V) == 4 ? ValueType::u32
                                                    : ValueType::u64,
                          .residency = Residency::device,
                          .n = n};
    const Parameters parameters = resolved(algorithm(), given, problem);
    ASSERT_EQ(refusal(algorithm(), problem, parameters, {}), std::nullopt);
    const auto sorter = algorithm().prepare(problem, parameters, {});
    std::vector<V> values(kValues ? n : 0);
    if constexpr (kValues) {
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<V>(i);
    }
    const DeviceMemory key_memory{n * sizeof(K)}, value_memory{values.size() * sizeof(V)};
    PhaseTimer phases;
    for (int time = 0; time < 2; ++time) {
      copy_to_device(key_memory.data(), keys.data(), key_memory.size());
      copy_to_device(value_memory.data(), values.data(), value_memory.size());
      const Buffers result = sorter->sort({.keys = {.data = key_memory.data(), .count = n},
                                           .values = {.data = value_memory.data(), .count = values.size()}},
                                          phases);
      std::vector<K> found(n);
      copy_to_host(found.data(), result.keys.data, n * sizeof(K));
      if constexpr (kValues) {
        std::vector<V> moved(n);
        copy_to_host(moved.data(), result.values.data, n * sizeof(V));
        std::vector<bool> seen(n);
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_LT(moved[i], n) << i;
          ASSERT_FALSE(seen[static_cast<std::size_t>(moved[i])]) << i;
          seen[static_cast<std::size_t>(moved[i])] = true;
          ASSERT_TRUE(keys[static_cast<std::size_t>(moved[i])] == found[i]) << i;
          ASSERT_FALSE(i > 0 && found[i] < found[i - 1]) << i;
        }
      } else {
        std::vector<K> wanted = keys;
        std::ranges::sort(wanted);
        ASSERT_TRUE(found == wanted);
      }
    }
  }
  void sort_all_types(const std::string& distribution, std::uint64_t n, const GivenParameters& given) {
    SCOPED_TRACE(fmt::format("{}, n = {}", distribution, n));
    sort<NoValue>(made<std::uint32_t>(distribution, n), given);
    sort<std::uint32_t>(made<std::uint32_t>(distribution, n), given);
    sort<NoValue>(made<std::uint64_t>(distribution, n), given);
    sort<std::uint64_t>(made<std::uint64_t>(distribution, n), given);
    sort<std::uint32_t>(made<uint128>(distribution, n), given);
  }
};

/// A preset, with one parameter changed as in a claim of the paper.
struct Setting {
  std::string name;  ///< "paper_counters_1"
  GivenParameters given;
  friend void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }
};
std::vector<Setting> presets_and_ablations() {
  std::vector<Setting> settings;
  for (const char* base : {"paper", "released", "tuned"}) settings.push_back({base, preset(base)});
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const auto add = [&](const char* base, const Changes& changes) {
    for (const auto& [name, value] : changes) {
      settings.push_back({fmt::format("{}_{}_{}", base, name, value), preset(base)});
      settings.back().given[name] = value;
    }
  };
  add("paper", {{"counters", "1"},
                {"counters", "16"},
                {"ids", "stored"},
                {"scatter", "reordered"},
                {"network", "bitonic"},
                {"bucket", "2048"},
                {"fan_out", "fitted"},
                {"ways", "32"},
                {"seed", "7"},
                {"vote", "yes"},
                {"oversampling", "1"}});
  add("tuned", {{"ids", "recomputed"},
                {"scatter", "direct"},
                {"ways", "8"},
                {"vote", "no"},
                {"bucket", "600"},
                {"network", "bitonic"}});
  return settings;
}

class DeviceSampleSortSettings : public DeviceSampleSort, public testing::WithParamInterface<Setting> {};
INSTANTIATE_TEST_SUITE_P(All, DeviceSampleSortSettings, testing::ValuesIn(presets_and_ablations()),
                         [](const auto& setting) { return setting.param.name; });

/// Runs every kernel on few keys, for compute-sanitizer.
TEST_P(DeviceSampleSortSettings, SortFewKeys) {
  GivenParameters given = GetParam().given;
  if (given.contains("bucket") && given["bucket"] == "131072") given["bucket"] = "3000";  // forces further levels
  for (const char* distribution : {"uniform", "few_distinct:distinct=3"}) sort_all_types(distribution, 10007, given);
}

TEST_P(DeviceSampleSortSettings, SortAllDistributions) {
  for (const char* distribution : {"uniform", "sorted", "deterministic_duplicates", "staggered:p=240", "bucket:p=240",
                                   "constant", "zipf", "few_distinct:distinct=2", "organ_pipe"}) {
    sort_all_types(distribution, 600011, GetParam().given);
  }
}

TEST_F(DeviceSampleSort, SizesAroundTheThresholds) {
  for (const char* name : {"paper", "released", "tuned"}) {
    for (const std::uint64_t edge : {1, 2, 2048, 4608, 5632, 8704, 16384, 131072}) {
      for (std::uint64_t n = edge - 1; n <= edge + 1; ++n) sort_all_types("uniform", n, preset(name));
    }
  }
}

/// A frequent key among distinct ones, which a sample may contain only once, and the extreme keys.
TEST_F(DeviceSampleSort, AHeavyKeyAmongDifferentOnes) {
  for (const char* name : {"paper", "released", "tuned"}) {
    for (const std::uint32_t heavy : {0u, 77u, ~0u}) {
      std::vector<std::uint32_t> keys = made<std::uint32_t>("uniform", 1000003);
      for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = heavy;
      sort<std::uint32_t>(keys, preset(name));
    }
  }
}

TEST_F(DeviceSampleSort, ManyElements) {
  for (const char* name : {"paper", "released", "tuned"}) {
    sort<NoValue>(made<std::uint32_t>("uniform", (1 << 24) + 77), preset(name));
  }
}

}  // namespace
}  // namespace sortlab::sample_sort
