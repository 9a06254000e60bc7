// The device verifier finds the same errors as the host verifier, with the same messages.
#include "harness/verify/verify.hpp"
#include "harness/verify/verify_device.hpp"

#include <fmt/format.h>

#include <cstring>
#include <functional>

#include "harness/verify/element_hash.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

/// A sorted output with record ids, each key twice, except perhaps the last.
template <class K, class V>
struct Output {
  std::vector<K> keys;
  std::vector<V> values;

  explicit Output(std::uint64_t n) : keys(n), values(n) {
    constexpr int width = 8 * sizeof(K);
    for (std::uint64_t i = 0; i < n; ++i) {
      // From just below the middle on, so that signed keys and floats have both signs.
      keys[i] = from_ordered<K>((Bits<K>{1} << (width - 1)) - (Bits<K>{2} << (width - 18)) +
                                (static_cast<Bits<K>>(i / 2) << (width - 18)));
      values[i] = static_cast<V>(i);
    }
  }
};

/// Both kinds of arrays in the memory of the host and of the device, `offset` elements after an aligned address.
template <class K, class V>
class Arrays {
 public:
  Arrays(const Output<K, V>& output, Layout layout, bool paired, std::uint64_t offset) {
    const std::uint64_t n = output.keys.size();
    if (layout == Layout::together) {
      std::vector<Pair<K, V>> pairs(n);
      std::memset(static_cast<void*>(pairs.data()), 0, n * sizeof(Pair<K, V>));
      for (std::uint64_t i = 0; i < n; ++i) {
        pairs[i].key = output.keys[i];
        pairs[i].value = output.values[i];
      }
      place(pairs, offset, 0);
    } else {
      place(output.keys, offset, 0);
      if (paired) place(output.values, offset, 1);
    }
  }

  const Buffers& host() const { return host_; }
  const Buffers& device() const { return device_; }

 private:
  template <class T>
  void place(const std::vector<T>& from, std::uint64_t offset, int which) {
    const std::size_t bytes = from.size() * sizeof(T);
    host_memory_[which].resize(bytes / sizeof(uint128) + 1);
    std::memcpy(static_cast<void*>(host_memory_[which].data()), from.data(), bytes);
    device_memory_[which] = DeviceMemory{bytes + offset * sizeof(T)};
    T* there = device_memory_[which].template data<T>() + offset;
    copy_to_device(there, from.data(), bytes);
    (which == 0 ? host_.keys : host_.values) = Array{.data = host_memory_[which].data(), .count = from.size()};
    (which == 0 ? device_.keys : device_.values) = Array{.data = there, .count = from.size()};
  }

  std::vector<uint128> host_memory_[2];
  DeviceMemory device_memory_[2];
  Buffers host_;
  Buffers device_;
};

class DeviceVerify : public DeviceTest {
 protected:
  void expect_same(const Verification& device, const Verification& host, const std::string& what) {
    ++compared_;
    EXPECT_EQ(device.order, host.order) << what;
    EXPECT_EQ(device.multiset, host.multiset) << what;
    EXPECT_EQ(device.pairing, host.pairing) << what;
    EXPECT_EQ(device.stability, host.stability) << what;
    EXPECT_EQ(device.tiles, host.tiles) << what;
    EXPECT_EQ(device.ordered_by, host.ordered_by) << what;
    EXPECT_EQ(device.digest, host.digest) << what;
    EXPECT_EQ(device.reason, host.reason) << what;
    if (!host.ok()) ++wrong_;
  }

  /// Compares both verdicts on a right output, and on outputs spoiled in each way at `at`.
  template <class K, class V>
  void compare(const Problem& problem, std::uint64_t at, std::uint64_t offset, bool claims_stable, const Order& order) {
    using O = Output<K, V>;
    const std::uint64_t n = problem.n;
    const std::uint64_t before = at == 0 ? n - 1 : at - 1;
    const std::pair<const char*, std::function<void(O&)>> spoils[] = {
        {"nothing", [](O&) {}},
        {"a changed key", [&](O& o) { o.keys[at] = from_ordered<K>(to_ordered(o.keys[at]) ^ 1); }},
        {"a key that is far too large", [&](O& o) { o.keys[at] = from_ordered<K>(~Bits<K>{0}); }},
        {"swapped records",
         [&](O& o) {
           std::swap(o.keys[at], o.keys[before]);
           std::swap(o.values[at], o.values[before]);
         }},
        {"swapped keys", [&](O& o) { std::swap(o.keys[at], o.keys[before]); }},
        {"swapped values", [&](O& o) { std::swap(o.values[at], o.values[before]); }},
        {"a doubled record",
         [&](O& o) {
           o.keys[at] = o.keys[before];
           o.values[at] = o.values[before];
         }},
        {"a doubled value", [&](O& o) { o.values[at] = o.values[n / 2]; }},
        {"disorder in two places",
         [&](O& o) {
           std::swap(o.keys[at], o.keys[before]);
           std::swap(o.keys[n / 3], o.keys[n - 1]);
         }},
    };
    const bool paired = problem.value != ValueType::none;
    const O right{n};
    const Arrays<K, V> input{right, problem.layout, paired, offset};
    const InputDigest digest = digest_input(input.host(), problem, 1);
    const InputDigest same = digest_on_device(input.device(), problem, nullptr);
    EXPECT_EQ(same.n, digest.n);
    EXPECT_EQ(same.keys, digest.keys);
    EXPECT_EQ(same.pairs, digest.pairs);
    for (const auto& [what, spoil] : spoils) {
      O output = right;
      spoil(output);
      const Arrays<K, V> arrays{output, problem.layout, paired, offset};
      expect_same(
          verify_on_device(digest, arrays.device(), problem, claims_stable, nullptr, order),
          verify(digest, arrays.host(), problem, claims_stable, 1, order),
          fmt::format("{} at {} of {}: {}, {}, {}, offset {}", what, at, n, to_name(problem.key),
                      to_name(problem.value), problem.layout == Layout::together ? "together" : "separate", offset));
    }
  }

  void compare(const Problem& problem, std::uint64_t at, std::uint64_t offset, bool claims_stable = true,
               const Order& order = {}) {
    with_key_type(problem.key, [&]<class K>() {
      with_value_type(problem.value == ValueType::none ? ValueType::u32 : problem.value, [&]<class V>() {
        if constexpr (!std::is_same_v<V, NoValue>) compare<K, V>(problem, at, offset, claims_stable, order);
      });
    });
  }

  int compared_ = 0;
  int wrong_ = 0;
};

/// Every key type with every value type in every layout.
std::vector<Problem> problems(std::uint64_t n) {
  std::vector<Problem> all;
  for (const KeyType key : kKeyTypes) {
    for (const ValueType value : kValueTypes) {
      for (const Layout layout : {Layout::separate, Layout::together}) {
        if (value == ValueType::none && layout == Layout::together) continue;
        all.push_back({.key = key, .value = value, .layout = layout, .n = n, .needs_total_order = true});
      }
    }
  }
  return all;
}

TEST_F(DeviceVerify, AgreesWithTheHost) {
  for (const std::uint64_t n : {1, 2, 3, 5, 64, 1023, 4099, 70001}) {
    for (const Problem& problem : problems(n)) {
      for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4}, n / 2, n - 2, n - 1}) {
        if (at < n) compare(problem, at, 0);
      }
    }
  }
  fmt::print("{} verdicts compared, {} of them on wrong outputs\n", compared_, wrong_);
  EXPECT_GT(wrong_, compared_ / 2);
}

TEST_F(DeviceVerify, AgreesWhereverTheErrorIs) {
  const Problem pairs{.key = KeyType::u32, .value = ValueType::u32, .n = 3001};
  for (std::uint64_t at = 0; at < pairs.n; at += 1 + at / 100) compare(pairs, at, 0);
  compare(pairs, 1001, 0, false);
}

TEST_F(DeviceVerify, AgreesOnArraysThatAreNotAligned) {
  for (const Problem& problem : problems(1027)) {
    compare(problem, 513, 1);
    compare(problem, 514, 3);
  }
}

TEST_F(DeviceVerify, AgreesOnOrdersByLessThanTheKey) {
  for (const Problem& problem : problems(3001)) {
    const int width = 8 * static_cast<int>(byte_size(problem.key));
    for (const Order& order :
         {Order{.shift = width - 18, .bits = 4}, Order{.shift = width - 8, .bits = 8}, Order{.bits = 0},
          Order{.tile = 1024}, Order{.shift = width - 18, .bits = 4, .tile = 512}, Order{.shift = width, .bits = 1},
          Order{.unit_floats = true, .bits = 23}, Order{.unit_floats = true, .bits = 23, .tile = 100}}) {
      if (order.unit_floats && problem.key != KeyType::f32) continue;
      for (const std::uint64_t at : {0, 1, 511, 512, 1024, 3000}) compare(problem, at, 0, true, order);
    }
  }
  EXPECT_GT(wrong_, compared_ / 4);
}

TEST_F(DeviceVerify, AgreesOnLengthsAndOnNothing) {
  const Output<std::uint32_t, std::uint32_t> output{100};
  const Arrays<std::uint32_t, std::uint32_t> arrays{output, Layout::separate, true, 0};
  const Problem problem{.key = KeyType::u32, .value = ValueType::u32, .n = 100};
  const InputDigest digest = digest_input(arrays.host(), problem, 1);
  Buffers shorter = arrays.host();
  shorter.values.count = 99;
  expect_same(verify_on_device(digest, shorter, problem, true, nullptr), verify(digest, shorter, problem, true, 1),
              "a value short");
  const Problem nothing{.key = KeyType::u128, .n = 0};
  expect_same(verify_on_device({}, {}, nothing, true, nullptr), verify({}, {}, nothing, true, 1), "nothing");
}

TEST_F(DeviceVerify, MoreThan2To32Keys) {
  constexpr std::uint64_t n = (std::uint64_t{1} << 32) + 4099;
  constexpr std::uint64_t one = n - 96;
  if (!has_memory(n * 4 + (1 << 28))) GTEST_SKIP() << "the device has no 17 GB free";
  const DeviceMemory memory{n * 4};
  auto* keys = memory.data<std::uint32_t>();
  check(cudaMemset(keys, 0, n * 4));
  const std::uint32_t last = 1;
  copy_to_device(keys + n - 1, &last, 4);
  const Problem problem{.key = KeyType::u32, .n = n};
  const Buffers buffers{{keys, n}, {}};
  const InputDigest digest = digest_on_device(buffers, problem, nullptr);
  EXPECT_EQ(digest.keys, (n - 1) * hash_of_key(std::uint32_t{0}) + hash_of_key(std::uint32_t{1}));
  EXPECT_TRUE(verify_on_device(digest, buffers, problem, false, nullptr).ok());
  check(cudaMemset(keys + n - 1, 0, 4));
  copy_to_device(keys + one, &last, 4);
  const Verification wrong = verify_on_device(digest, buffers, problem, false, nullptr);
  EXPECT_TRUE(wrong.multiset);
  EXPECT_EQ(wrong.reason, fmt::format("out of order at element {} of {}", one + 1, n));
}

TEST_F(DeviceVerify, ReadsAtAThirdOfTheRateOfACopyOrMore) {
  constexpr std::uint64_t bytes = std::uint64_t{1} << 30;
  const DeviceMemory from{bytes};
  const DeviceMemory to{bytes};
  check(cudaMemset(from.data(), 0, bytes));
  check(cudaMemset(to.data(), 0, bytes));
  const double copy = 2 * static_cast<double>(bytes) / quickest(10, [&] {
                        check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice));
                      });
  fmt::print("copying reads and writes {:.0f} GB/s\n", copy / 1e9);
  for (const Problem& kind : problems(0)) {
    Problem problem = kind;
    const bool together = problem.layout == Layout::together;
    const std::uint64_t key = byte_size(problem.key);
    const std::uint64_t value = byte_size(problem.value);
    const std::uint64_t record = together ? 2 * std::max(key, value) : key + value;
    problem.n = bytes / record;
    const bool values = problem.value != ValueType::none && !together;
    const Buffers buffers{{from.data(), problem.n}, {to.data(), values ? problem.n : 0}};
    const InputDigest digest = digest_on_device(buffers, problem, nullptr);
    const double read = static_cast<double>(record * problem.n) /
                        quickest(10, [&] { verify_on_device(digest, buffers, problem, true, nullptr); });
    fmt::print("verifying {:4} {:4} {:8} reads {:5.0f} GB/s, {:4.2f} of a copy's\n", to_name(problem.key),
               to_name(problem.value), together ? "together" : "separate", read / 1e9, read / copy);
    if (problem.key == KeyType::u32 && problem.value == ValueType::none) {
      EXPECT_GE(read, copy / 3);
    }
  }
}

}  // namespace
}  // namespace sortlab
