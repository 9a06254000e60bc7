// An input made on a device has the same bytes as on the host.
#include "generators/device_fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/parallel.hpp"
#include "generators/philox.hpp"
#include "harness/verify/verify.hpp"
#include "harness/verify/verify_device.hpp"
#include "tests/generators/generators_test.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

/// Every distribution, with default and other parameters.
const std::vector<std::string> kInputs{
    "uniform",
    "uniform:range_bits=31",
    "uniform:floats=raw",
    "uniform:range_bits=20,floats=raw",
    "thearling:ands=0",
    "thearling:ands=5",
    "constant:value=42",
    "zero",
    "gaussian",
    "gaussian:range_bits=31,wide=low",
    "bucket:p=7",
    "bucket:p=16,range_bits=32",
    "bucket:p=1,range_bits=32",
    "g_group:p=6,g=3",
    "g_group:p=16,g=1,wide=low",
    "staggered:p=5",
    "staggered:p=4,wide=low",
    "worst_regular:p=6",
    "worst_regular:p=4,s=9,range_bits=32",
    "deterministic_duplicates",
    "deterministic_duplicates:p=240",
    "randomized_duplicates:p=5",
    "randomized_duplicates:p=1,range=1",
    "randomized_duplicates:p=3,range=1000",
    "randomized_duplicates:p=40,range=50",
    "zipf:theta=0.75",
    "zipf:theta=1,distinct=1048576,map=hashed",
    "zipf:theta=0.99,distinct=65536,map=bit_reversed",
    "zipf:theta=2.5,distinct=1000000000",
    "sorted",
    "sorted:range_bits=17",
    "reverse",
    "reverse:floats=raw",
    "nearly_sorted:swaps=0",
    "nearly_sorted:swaps=50",
    "nearly_sorted:swaps=200000",
    "runs:runs=1",
    "runs:runs=2",
    "runs:runs=11",
    "runs:runs=20011,range_bits=9",
    "runs:runs=300000",
    "iota",
    "organ_pipe",
    "few_distinct:distinct=10",
    "few_distinct:distinct=16777216",
};

constexpr std::uint64_t kSeed = 9 + (std::uint64_t{7} << 40);

/// The bytes of an input made on the device. Memory beyond the keys is guarded.
std::vector<std::byte> device_bytes(const NamedDistribution& distribution, const Input& input, cudaStream_t stream) {
  const std::size_t size = input.n * byte_size(input.key);
  constexpr std::size_t guard = 64;
  const DeviceMemory memory{size + 2 * guard};
  check(cudaMemset(memory.data(), 0xA5, memory.size()));
  fill_on_device(distribution, input, memory.data() + guard, stream);
  std::vector<std::byte> bytes(memory.size());
  copy_to_host(bytes.data(), memory.data(), bytes.size());
  for (std::size_t i = 0; i < guard; ++i) {
    if (bytes[i] != std::byte{0xA5} || bytes[guard + size + i] != std::byte{0xA5}) {
      throw std::logic_error(distribution.text + " writes outside its keys");
    }
  }
  return {bytes.begin() + guard, bytes.begin() + static_cast<std::ptrdiff_t>(guard + size)};
}

void expect_equal_bytes(const std::string& text, KeyType key, std::uint64_t n) {
  const NamedDistribution distribution = parse_distribution(text);
  const Input input = make_input(text, key, n, kSeed);
  if (distribution.distribution->declines(input)) return;
  const auto on_host = input_bytes(text, key, n, kSeed, 4);
  const auto on_device = device_bytes(distribution, input, cudaStreamPerThread);
  const auto differ = std::ranges::mismatch(on_host, on_device);
  EXPECT_TRUE(differ.in1 == on_host.end()) << text << " " << to_name(key) << " n=" << n << " differs at key "
                                           << static_cast<std::uint64_t>(differ.in1 - on_host.begin()) / byte_size(key);
}

class DeviceGenerators : public DeviceTest {};

TEST(DeviceGeneratorsAnywhere, AllHaveDeviceCodeAndAreTested) {
  std::set<std::string> tested;
  for (const std::string& text : kInputs) tested.insert(parse_distribution(text).distribution->info().name);
  for (const Distribution* distribution : all_distributions()) {
    if (distribution->makes_records() || takes_text(distribution->info().parameters)) continue;
    EXPECT_TRUE(has_device_code(distribution->info().name)) << distribution->info().name;
    EXPECT_TRUE(tested.contains(distribution->info().name)) << distribution->info().name;
  }
}

void expect_equal_bytes_of_all(std::initializer_list<std::uint64_t> counts) {
  for (const std::string& text : kInputs) {
    for (const KeyType key : kKeyTypes) {
      for (const std::uint64_t n : counts) expect_equal_bytes(text, key, n);
    }
  }
}

TEST_F(DeviceGenerators, SameBytesOfShortInputs) {
  expect_equal_bytes_of_all({0, 1, 2, 3, 127, 300});
}

TEST_F(DeviceGenerators, SameBytes) {
  expect_equal_bytes_of_all({5000, 20011, 131073});
}

TEST_F(DeviceGenerators, SameBytesOfLongerInputs) {
  // Long runs, sorted one after the other; a grid-stride loop; several parts per processor.
  for (const std::string text : {"uniform", "runs:runs=3", "runs:runs=700", "nearly_sorted:swaps=1000", "reverse",
                                 "bucket:p=240", "worst_regular:p=240", "randomized_duplicates:p=240", "zipf"}) {
    for (const KeyType key : {KeyType::u32, KeyType::f64, KeyType::u128}) expect_equal_bytes(text, key, 3000001);
  }
}

TEST_F(DeviceGenerators, ValuesAreRecordIds) {
  for (const ValueType type : {ValueType::u32, ValueType::u64}) {
    for (const std::uint64_t n : {0, 1, 5, 4099, 100002}) {
      const std::size_t bytes = n * byte_size(type);
      const DeviceMemory values{bytes + 16};
      check(cudaMemset(values.data(), 0xA5, values.size()));
      fill_values_on_device(type, n, values.data(), nullptr);
      check(cudaDeviceSynchronize());
      std::vector<std::byte> expected(bytes + 16, std::byte{0xA5});
      fill_values(type, n, expected.data(), 1);
      std::vector<std::byte> there(bytes + 16);
      copy_to_host(there.data(), values.data(), there.size());
      EXPECT_EQ(there, expected) << to_name(type) << " " << n;
    }
  }
}

TEST_F(DeviceGenerators, MoreThan2To32Keys) {
  constexpr std::uint64_t n = (std::uint64_t{1} << 32) + 4099;
  if (!has_memory(n * 4 + (1 << 28))) GTEST_SKIP() << "the device has no 17 GB free";
  const DeviceMemory keys{n * 4};
  fill_on_device(parse_distribution("uniform"), make_input("uniform", KeyType::u32, n, kSeed), keys.data(), nullptr);

  // A uniform u32 is the word of its position. The digest of the whole is the sum of the digests of its parts.
  const RandomStream random{kSeed, 0};
  constexpr std::uint64_t part = std::uint64_t{1} << 26;
  std::vector<std::uint32_t> words(part);
  std::vector<std::uint32_t> there(4099);
  std::uint64_t digest = 0;
  for (std::uint64_t first = 0; first < n; first += part) {
    const std::uint64_t count = std::min(part, n - first);
    in_parallel(count, 16, 4096, [&](std::uint64_t begin, std::uint64_t end) {
      random.fill(first + begin, end - begin, words.data() + begin);
    });
    const Problem problem{.key = KeyType::u32, .n = count};
    digest += digest_input({.keys = {words.data(), count}, .values = {}}, problem, 16).keys;
    copy_to_host(there.data(), keys.data<std::uint32_t>() + first, there.size() * 4);
    ASSERT_TRUE(std::equal(there.begin(), there.end(), words.begin())) << first;
  }
  const Problem problem{.key = KeyType::u32, .n = n};
  EXPECT_EQ(digest_on_device({.keys = {keys.data(), n}, .values = {}}, problem, nullptr).keys, digest);
}

TEST_F(DeviceGenerators, NoneKeepsTheDeviceLong) {
  constexpr std::uint64_t n = std::uint64_t{1} << 30;
  if (!has_memory(3 * n * 4)) GTEST_SKIP() << "the device has no 13 GB free";
  const DeviceMemory keys{n * 4};
  for (const Distribution* distribution : all_distributions()) {
    if (distribution->makes_records() || takes_text(distribution->info().parameters)) continue;
    const std::string& name = distribution->info().name;
    const NamedDistribution named = parse_distribution(name);
    const Input input = make_input(name, KeyType::u32, n);
    const double seconds = quickest(2, [&] { fill_on_device(named, input, keys.data(), nullptr); });
    fmt::print("{:26} {:8.2f} ms for 2^30 u32 keys, {:6.1f} keys a nanosecond\n", name, seconds * 1e3,
               static_cast<double>(n) / seconds / 1e9);
    EXPECT_LT(seconds, 0.25) << name;
  }
}

}  // namespace
}  // namespace sortlab
