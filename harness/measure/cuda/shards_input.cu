#include "generators/device_fill.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/cuda/shards_input.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {
namespace {

constexpr unsigned kFillThreads = 256;
constexpr unsigned kFillBlocks = 1024;

template <class V>
__global__ void fill_ids(V* values, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kFillThreads + threadIdx.x; i < count;
       i += kFillBlocks * kFillThreads) {
    values[i] = static_cast<V>(first + i);
  }
}

}  // namespace

ShardsInput::ShardsInput(const Case& c, const Lanes& lanes)
    : case_(c),
      input_(case_input(c)),
      lanes_(lanes),
      shards_(lanes.all().size()),
      buffers_(lanes.all().size()),
      entropy_bits_(c.distribution.distribution->entropy_bits(case_input(c))) {
  const std::vector<std::uint64_t> sizes = shard_sizes(c.n, c.devices.shards, c.shard_sizes);
  std::uint64_t begin = 0;
  lanes_.each([&](std::size_t i) {
    Shard& shard = shards_[i];
    shard.begin = begin;
    shard.count = sizes[i];
    shard.keys = DeviceMemory{sizes[i] * byte_size(c.key)};
    shard.sorted = GuardedDeviceMemory{shard.keys.size()};
    shard.values = GuardedDeviceMemory{sizes[i] * byte_size(c.value)};
    begin += sizes[i];
  });
  make(0);
}

void ShardsInput::make(std::uint64_t number) {
  if (number_ == number) return;
  number_ = number;
  input_.seed = input_seed(case_.seed, number);
  const int first_device = lanes_.all()[0].device;
  const OnDevice on{first_device};
  const DeviceMemory whole{case_.n * byte_size(case_.key)};
  fill_on_device(case_.distribution, input_, whole.data(), lanes_.stream(0));
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    const Shard& shard = shards_[i];
    if (shard.count == 0) continue;
    check(cudaMemcpyPeerAsync(shard.keys.data(), lanes_.all()[i].device,
                              whole.data() + shard.begin * byte_size(case_.key), first_device, shard.keys.size(),
                              lanes_.stream(0)));
  }
  check(cudaStreamSynchronize(lanes_.stream(0)));
  digest_ = digest_on_devices(restore(), case_problem(case_), lanes_.all());
}

Buffers ShardsInput::restore() {
  lanes_.each([&](std::size_t i) {
    const Shard& shard = shards_[i];
    const cudaStream_t stream = lanes_.stream(i);
    if (shard.count > 0) {
      check(
          cudaMemcpyAsync(shard.sorted.data(), shard.keys.data(), shard.keys.size(), cudaMemcpyDeviceToDevice, stream));
      with_value_type(case_.value, [&]<class V>() {
        if constexpr (!std::is_same_v<V, NoValue>) {
          fill_ids<<<kFillBlocks, kFillThreads, 0, stream>>>(shard.values.template data<V>(), shard.begin, shard.count);
          check_launch();
        }
      });
    }
    buffers_[i] = {.keys = {.data = shard.sorted.data(), .count = shard.count},
                   .values = {.data = shard.values.data(), .count = case_.value == ValueType::none ? 0 : shard.count}};
  });
  return {.keys = {}, .values = {}, .shards = buffers_};
}

std::optional<std::string> ShardsInput::damage() const {
  std::optional<std::string> found;
  lanes_.each([&](std::size_t i) {
    if (found) return;
    const std::string of_shard = " of shard " + std::to_string(i);
    if (const auto keys = shards_[i].sorted.damage(lanes_.stream(i))) found = *keys + " of keys" + of_shard;
    if (const auto values = shards_[i].values.damage(lanes_.stream(i))) found = *values + " of values" + of_shard;
  });
  return found;
}

bool ShardsInput::is_intact() {
  const InputDigest now = digest_on_devices(restore(), case_problem(case_), lanes_.all());
  return now.keys == digest_.keys && now.pairs == digest_.pairs;
}

}  // namespace sortlab
