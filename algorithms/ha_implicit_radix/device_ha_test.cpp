// Tests inputs that overflow packed counters, and the lossy floats of Ha et al. 2010, on a device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "algorithms/component.hpp"
#include "core/unit_floats.hpp"
#include "harness/verify/verify.hpp"
#include "harness/verify/verify_device.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

template <class K>
struct Pairs {
  std::vector<K> keys;
  std::vector<std::uint32_t> values;
};

/// An input on the device, with room to run in place.
template <class K>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<K>& keys)
      : keys_(keys.size() * sizeof(K)), values_(keys.size() * 4), n_(keys.size()) {
    std::vector<std::uint32_t> ids(n_);
    std::iota(ids.begin(), ids.end(), 0U);
    copy_to_device(keys_.data(), keys.data(), keys_.size());
    copy_to_device(values_.data(), ids.data(), values_.size());
    problem.n = n_;
    digest = digest_on_device(buffers(), problem, nullptr);
  }
  Buffers buffers() const { return {{keys_.data(), n_}, {values_.data(), n_}}; }
  static Pairs<K> host(const Buffers& buffers) {
    Pairs<K> pairs{std::vector<K>(buffers.keys.count), std::vector<std::uint32_t>(buffers.keys.count)};
    copy_to_host(pairs.keys.data(), buffers.keys.data, buffers.keys.count * sizeof(K));
    copy_to_host(pairs.values.data(), buffers.values.data, buffers.keys.count * 4);
    return pairs;
  }

  Problem problem{.key = std::is_same_v<K, float> ? KeyType::f32 : KeyType::u32,
                  .value = ValueType::u32,
                  .residency = Residency::device};
  InputDigest digest;

 private:
  DeviceMemory keys_;
  DeviceMemory values_;
  std::uint64_t n_;
};

/// All combinations of the named parameters' values.
std::vector<GivenParameters> product(const Algorithm& algorithm, const std::vector<std::string>& names) {
  std::vector<GivenParameters> all{{}};
  for (const Parameter& parameter : algorithm.info().parameters) {
    if (std::ranges::find(names, parameter.name) == names.end()) continue;
    std::vector<GivenParameters> next;
    for (const GivenParameters& given : all) {
      for (const std::string& word : parameter.choices) {
        next.push_back(given);
        next.back()[parameter.name] = word;
      }
    }
    all = std::move(next);
  }
  return all;
}

class DeviceHa : public DeviceTest {
 protected:
  /// Sorts `keys` twice; returns the verdict of the second sort, or nothing if the sort declines.
  template <class K>
  std::optional<Verification> sort(const Algorithm& algorithm, const GivenParameters& given, const std::vector<K>& keys,
                                   Pairs<K>* sorted = nullptr) {
    const Parameters parameters = resolve(algorithm.info().name, algorithm.info().parameters, given);
    OnDevice<K> input{keys};
    if (refusal(algorithm, input.problem, parameters, {})) return std::nullopt;
    const auto sorter = algorithm.prepare(input.problem, parameters, {});
    PhaseTimer phases;
    sorter->sort(input.buffers(), phases);
    OnDevice<K> again{keys};
    const Buffers output = sorter->sort(again.buffers(), phases);
    const Verification verdict =
        verify_on_device(again.digest, output, again.problem, true, nullptr, algorithm.order(parameters));
    if (sorted != nullptr) *sorted = again.host(output);
    return verdict;
  }
};

/// Tiles in which every 2-bit digit of every key is the same: 0, 1, 2 or 3. In a 10-bit field the count of such a tile
/// of 1024 carries into the next field.
std::vector<std::uint32_t> equal_digits(std::uint64_t tile, std::initializer_list<std::uint32_t> digits,
                                        std::uint64_t extra) {
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t digit : digits) keys.insert(keys.end(), tile, digit * 0x55555555U);
  keys.insert(keys.end(), extra, 0x55555555U);
  return keys;
}

TEST_F(DeviceHa, TilesOfEqualDigits) {
  int sorted = 0;
  for (const char* name : {"ha_implicit_radix", "ha_four_way_radix"}) {
    const Algorithm& algorithm = algorithm_named(name);
    for (const GivenParameters& given :
         product(algorithm, {"presort", "scatter", "tile", "counter_bits", "warp_scan", "limit_range"})) {
      for (const std::uint64_t tile : {512, 1024, 2048, 4096}) {
        for (const std::uint64_t extra : {0, 1, 1023}) {
          std::vector<std::vector<std::uint32_t>> inputs;
          for (std::uint32_t digit = 0; digit < 4; ++digit) inputs.push_back(equal_digits(tile, {digit}, extra));
          inputs.push_back(equal_digits(tile, {3, 2, 1, 0, 0, 1, 2, 3}, extra));
          for (const auto& keys : inputs) {
            const auto verdict = sort(algorithm, given, keys);
            if (!verdict) break;
            ASSERT_TRUE(verdict->ok()) << name << testing::PrintToString(given) << " tile " << tile << " and " << extra
                                       << ", first key " << keys[0] << ": " << verdict->reason;
            ++sorted;
          }
        }
      }
    }
  }
  fmt::print("{} sorts\n", sorted);
  EXPECT_GT(sorted, 1000);
}

TEST_F(DeviceHa, PatternsOfFigure4AreSortedByTheirBits) {
  // 0.5, 0.7 and the last float below 1, as in Figure 4, and their neighbours, some more than once.
  std::vector<float> keys;
  for (int copies = 0; copies < 700; ++copies) {
    for (const std::uint32_t bits :
         {0x3F7FFFFFU, 0x3F333333U, 0x3F333334U, 0x3F000000U, 0x3F7FFFFEU, 0x3F333332U, 0x3F000001U}) {
      keys.push_back(std::bit_cast<float>(bits));
    }
  }
  const Algorithm& algorithm = algorithm_named("ha_implicit_radix");
  for (const char* presort : {"stored", "recomputed"}) {
    Pairs<float> sorted;
    const auto verdict = sort(algorithm, {{"float_bits", "lossy"}, {"presort", presort}}, keys, &sorted);
    ASSERT_TRUE(verdict && verdict->ok()) << (verdict ? verdict->reason : "declined");
    EXPECT_EQ(verdict->ordered_by, "bits 0 to 22 of the key mapped to [0.5, 1)");
    // These keys fill the range that they are mapped to: almost nothing is lost.
    EXPECT_EQ(sorted.keys.front(), 0.5F);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sorted.keys.back()) | 1, 0x3F7FFFFFU);
    for (std::size_t i = 1; i < sorted.keys.size(); ++i) {
      const auto before = std::bit_cast<std::int32_t>(sorted.keys[i - 1]);
      EXPECT_LE(before - std::bit_cast<std::int32_t>(sorted.keys[i]), 1) << i;
    }
  }
}

TEST_F(DeviceHa, LossyFloatsAreOffByNoMoreThanTheirLastBit) {
  std::mt19937 random{3};
  const Algorithm& algorithm = algorithm_named("ha_implicit_radix");
  for (const auto& [smallest, largest] : {std::pair{-1.0, 1.0}, {0.0, 1e-30}, {-3e38, 3e38}, {1e6, 1e6 + 1}}) {
    std::uniform_real_distribution<double> between{smallest, largest};
    std::vector<float> keys(70001);
    for (float& key : keys) key = static_cast<float>(between(random));
    Pairs<float> sorted;
    const auto verdict = sort(algorithm, {{"float_bits", "lossy"}}, keys, &sorted);
    ASSERT_TRUE(verdict && verdict->ok()) << (verdict ? verdict->reason : "declined");
    // The loss by definition: a step of 23 bits, and rounding on the way there.
    const auto [low, high] = std::ranges::minmax(keys);
    const double step = (static_cast<double>(high) - low) / 0x1p23;
    double highest = low;
    for (const float key : sorted.keys) {
      ASSERT_GE(key, highest - 4 * step) << smallest << " to " << largest;
      highest = std::max<double>(highest, key);
    }
    // An exact sort satisfies the same order, and a reversed one does not.
    std::ranges::stable_sort(keys);
    const OnDevice<float> exact{keys};
    const Order lossy{.unit_floats = true, .bits = UnitFloats::kBits};
    EXPECT_TRUE(verify_on_device(exact.digest, exact.buffers(), exact.problem, false, nullptr, lossy).order);
    std::ranges::reverse(keys);
    const OnDevice<float> reversed{keys};
    EXPECT_FALSE(verify_on_device(reversed.digest, reversed.buffers(), reversed.problem, false, nullptr, lossy).order);
  }
}

}  // namespace
}  // namespace sortlab
