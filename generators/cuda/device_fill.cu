#include "generators/device_fill.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include "core/cuda/check.hpp"
#include "generators/cuda/register_device_fill.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration, whatever the order of initialisation.
std::map<std::string_view, DeviceFill>& fills() {
  static std::map<std::string_view, DeviceFill> by_name;
  return by_name;
}

void copy_from_host(const Distribution& distribution, const Input& input, void* keys, cudaStream_t stream) {
  std::vector<uint128> made((input.n * byte_size(input.key) + 15) / 16);
  distribution.fill(input, made.data(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  check(cudaMemcpyAsync(keys, made.data(), input.n * byte_size(input.key), cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
}

}  // namespace

RegisterDeviceFill::RegisterDeviceFill(std::string_view name, DeviceFill fill) {
  fills().emplace(name, fill);
}

bool has_device_code(std::string_view name) {
  return fills().contains(name);
}

void fill_on_device(const NamedDistribution& distribution, const Input& input, void* keys, void* stream) {
  if (input.n == 0) return;
  const auto on = static_cast<cudaStream_t>(stream);
  const auto fill = fills().find(distribution.distribution->info().name);
  if (fill == fills().end()) return copy_from_host(*distribution.distribution, input, keys, on);
  fill->second(input, keys, on);
  check(cudaStreamSynchronize(on));
}

}  // namespace sortlab
