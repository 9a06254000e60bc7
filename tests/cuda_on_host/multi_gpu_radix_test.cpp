// The kernels of multi_gpu_radix, and those of msd_radix_gpu that sort its shards, compiled for the host and run there:
// results for each type, number of lanes, shard sizes and input, verified shard by shard as the harness does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"
#include "algorithms/multi_gpu_radix/exchange.cuh"
#include "algorithms/multi_gpu_radix/make_sorter.cuh"
#include "generators/distribution.hpp"
#include "harness/cell/shards.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

/// The regime of the local sorts.
msd_gpu::Regime regime = msd_gpu::Regime::one_block;
bool is_usual_regime = true;

}  // namespace

std::unique_ptr<BucketSorter> make_bucket_sorter(const Problem& problem, bool stable, const Resources& resources) {
  if (stable) {
    return msd_gpu::make_stable_bucket_sorter<std::uint32_t, std::uint32_t>(problem, key_order<std::uint32_t>(),
                                                                            resources);
  }
  const auto make = [&]<class Word, class V>(KeyOrder<Word> order) {
    const msd_gpu::Plan plan =
        is_usual_regime ? msd_gpu::make_plan(problem.n, byte_size(problem.key), byte_size(problem.value))
                        : msd_gpu::make_plan(problem.n, byte_size(problem.key), byte_size(problem.value), regime);
    return msd_gpu::make_bucket_sorter<Word, V>(problem, plan, order, resources);
  };
  if (problem.key == KeyType::u64) return make.operator()<std::uint64_t, NoValue>(key_order<std::uint64_t>());
  if (problem.key == KeyType::u128) return make.operator()<uint128, std::uint64_t>(key_order<uint128>());
  if (problem.key == KeyType::f32) return make.operator()<std::uint32_t, NoValue>(key_order<float>());
  if (problem.value == ValueType::u32) {
    return make.operator()<std::uint32_t, std::uint32_t>(key_order<std::uint32_t>());
  }
  return make.operator()<std::uint32_t, NoValue>(key_order<std::uint32_t>());
}

std::unique_ptr<TopCounter> make_top_counter(KeyType key, const Resources& resources) {
  if (key == KeyType::u64) return msd_gpu::make_top_counter<std::uint64_t>(key_order<std::uint64_t>(), resources);
  // The kernels for keys of 128 bits without values are not compiled for the host: this counts without rows.
  if (key == KeyType::u128) return nullptr;
  return msd_gpu::make_top_counter<std::uint32_t>(key == KeyType::f32 ? key_order<float>() : key_order<std::uint32_t>(),
                                                  resources);
}

namespace multi_gpu {

alignas(128) thread_local uint4 exchange_memory[228 * 1024 / sizeof(uint4)];

namespace {

struct Type {
  const char* name;
  KeyType key;
  ValueType value;
  std::unique_ptr<Sorter> (*make)(const Problem&, const Settings&, const Resources&);
};
void PrintTo(const Type& type, std::ostream* out) {
  *out << type.name;
}
template <class K, class V>
std::unique_ptr<Sorter> make(const Problem& problem, const Settings& settings, const Resources& resources) {
  return make_shard_sorter<Bits<K>, V>(problem, settings, key_order<K>(), resources);
}
const Type kTypes[] = {
    {"u32", KeyType::u32, ValueType::none, make<std::uint32_t, NoValue>},
    {"f32", KeyType::f32, ValueType::none, make<float, NoValue>},
    {"u32_u32", KeyType::u32, ValueType::u32, make<std::uint32_t, std::uint32_t>},
    {"u64", KeyType::u64, ValueType::none, make<std::uint64_t, NoValue>},
    {"u128_u64", KeyType::u128, ValueType::u64, make<uint128, std::uint64_t>},
};

/// An input in shards of host memory.
struct ShardedInput {
  Problem problem;
  std::vector<std::vector<std::byte>> keys, values;
  std::vector<Buffers> shards;

  ShardedInput(const Type& type, const std::string& distribution, std::uint64_t n, int lanes, ShardSizes sizes)
      : problem{.key = type.key, .value = type.value, .residency = Residency::shards, .n = n} {
    problem.shards = shard_sizes(n, lanes, sizes);
    const std::uint64_t key_bytes = byte_size(type.key), value_bytes = byte_size(type.value);
    std::vector<std::byte> all(n * key_bytes), ids(n * value_bytes);
    const NamedDistribution named = parse_distribution(distribution);
    named.distribution->fill({.key = type.key, .n = n, .seed = 1, .parameters = named.parameters}, all.data(), 2);
    for (std::uint64_t i = 0; i < n; ++i) std::memcpy(ids.data() + i * value_bytes, &i, value_bytes);
    std::uint64_t begin = 0;
    for (const std::uint64_t count : problem.shards) {
      const auto part = [&](const std::vector<std::byte>& whole, std::uint64_t width) {
        const auto first = whole.begin() + static_cast<std::ptrdiff_t>(begin * width);
        return std::vector<std::byte>(first, first + static_cast<std::ptrdiff_t>(count * width));
      };
      keys.push_back(part(all, key_bytes));
      values.push_back(part(ids, value_bytes));
      begin += count;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      shards.push_back({.keys = {.data = keys[i].data(), .count = problem.shards[i]},
                        .values = {.data = values[i].data(), .count = value_bytes == 0 ? 0 : problem.shards[i]}});
    }
  }
  Buffers buffers() const { return {.keys = {}, .values = {}, .shards = shards}; }
};

void expect_sorts(const Type& type, const std::string& distribution, std::uint64_t n, int lanes, ShardSizes sizes,
                  const Settings& settings = {}) {
  SCOPED_TRACE(fmt::format("{} {} {} on {} lanes, {}, transport {}", n, type.name, distribution, lanes, to_name(sizes),
                           static_cast<int>(settings.transport)));
  const Problem problem = ShardedInput{type, distribution, n, lanes, sizes}.problem;
  const Resources resources{
      .threads = 1, .cpus = {}, .lanes = std::vector<Lane>(static_cast<std::size_t>(lanes)), .reaches_peers = true};
  const auto sorter = type.make(problem, settings, resources);
  PhaseTimer phases{lanes};
  for (int time = 0; time < 2; ++time) {
    const ShardedInput input{type, distribution, n, lanes, sizes};
    const InputDigest digest = digest_shards(input.buffers(), problem, 1);
    const Buffers sorted = sorter->sort(input.buffers(), phases);
    const Verification verdict = verify_shards(digest, sorted, problem, settings.stable, 1);
    ASSERT_EQ(verdict.reason, "") << "time " << time;
    const std::vector<std::uint64_t> cuts = even_cuts(n, lanes);
    for (std::size_t l = 0; n > 0 && l < sorted.shards.size(); ++l) {
      EXPECT_EQ(sorted.shards[l].keys.count, cuts[l + 1] - cuts[l]) << "shard " << l;
    }
  }
}

const char* const kInputs[] = {"uniform",  "thearling:ands=4", "zipf:theta=1", "few_distinct",
                               "constant", "sorted",           "reverse",      "staggered"};

class MultiGpuRadixOnHost : public testing::TestWithParam<Type> {
 protected:
  void TearDown() override { is_usual_regime = true; }
};

TEST_P(MultiGpuRadixOnHost, SortsFew) {
  for (const std::uint64_t n : {0, 1, 2, 3, 5, 17}) {
    for (const int lanes : {1, 3, 16}) expect_sorts(GetParam(), "uniform", n, lanes, ShardSizes::even);
  }
  for (const ShardSizes sizes : all_values<ShardSizes>()) expect_sorts(GetParam(), "uniform", 3001, 4, sizes);
}

TEST_P(MultiGpuRadixOnHost, SortsEachInputIntoEvenShards) {
  int lanes = 1;
  for (const char* const input : kInputs) {
    lanes = lanes % 5 + 1;
    expect_sorts(GetParam(), input, 50021, lanes, all_values<ShardSizes>()[static_cast<std::size_t>(lanes % 4)]);
  }
}

TEST_P(MultiGpuRadixOnHost, CopiesThePieces) {
  int lanes = 1;
  for (const char* const input : kInputs) {
    lanes = lanes % 5 + 1;
    expect_sorts(GetParam(), input, 20011, lanes, all_values<ShardSizes>()[static_cast<std::size_t>(lanes % 4)],
                 {.transport = Transport::copy});
  }
  for (const std::uint64_t n : {1, 2, 5, 17}) {
    expect_sorts(GetParam(), "uniform", n, 3, ShardSizes::even, {.transport = Transport::copy});
  }
}

TEST_P(MultiGpuRadixOnHost, LeavesTheGivenBucketsToTheLocalSorts) {
  is_usual_regime = false;
  regime = msd_gpu::Regime::partitions;
  const std::uint64_t least = msd_gpu::regime_elements(regime, static_cast<std::uint32_t>(byte_size(GetParam().key)),
                                                       static_cast<std::uint32_t>(byte_size(GetParam().value)))
                                  .min;
  for (const char* const input : {"uniform", "thearling:ands=4", "constant"}) {
    expect_sorts(GetParam(), input, 2 * least + 3001, 2, ShardSizes::uneven);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, MultiGpuRadixOnHost, testing::ValuesIn(kTypes),
                         [](const auto& type) { return type.param.name; });

TEST(StableMultiGpuRadixOnHost, KeepsTheOrderOfEqualKeysAcrossShards) {
  int lanes = 1;
  for (const char* const input : kInputs) {
    for (const std::uint64_t n : {7, 3001, 60013}) {
      lanes = lanes % 5 + 1;
      expect_sorts(kTypes[2], input, n, lanes, all_values<ShardSizes>()[static_cast<std::size_t>(lanes % 4)],
                   {.transport = n == 3001 ? Transport::copy : Transport::direct, .stable = true});
    }
  }
}

}  // namespace
}  // namespace multi_gpu
}  // namespace sortlab
