// zipf: the table is built on the host, once per input, and read on the device.
#include "generators/formulas/zipf.hpp"

#include <span>

#include "core/cuda/device_memory.hpp"
#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"

namespace sortlab {
namespace {

template <class T>
DeviceMemory copy_to_device(const std::vector<T>& host, cudaStream_t stream) {
  DeviceMemory device{host.size() * sizeof(T)};
  check(cudaMemcpyAsync(device.data(), host.data(), device.size(), cudaMemcpyHostToDevice, stream));
  return device;
}

void fill_zipf(const Input& input, void* keys, cudaStream_t stream) {
  const ZipfTable& table = zipf_table(input.parameters.real("theta"), zipf_distinct(input));
  const DeviceMemory last = copy_to_device(table.last(), stream);
  const DeviceMemory segments = copy_to_device(table.segments(), stream);
  const DeviceMemory guide = copy_to_device(table.guide(), stream);
  const ZipfTableView there{last.data<const std::uint64_t>(), segments.data<const ZipfSegment>(),
                            guide.data<const std::uint32_t>()};
  with_key_type(input.key, [&]<class K>() {
    with_zipf_map<K>(input, [&]<class Map>(const Map& map) {
      make_keys(ZipfKeys<K, Map>{there, map}, input.seed, input.n, keys, stream);
    });
  });
  check(cudaStreamSynchronize(stream));  // before the copies of the table are freed
}

const RegisterDeviceFill zipf{"zipf", fill_zipf};

}  // namespace
}  // namespace sortlab
