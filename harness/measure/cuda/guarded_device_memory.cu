#include <cstdint>

#include "harness/measure/cuda/guarded_device_memory.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kPaint = 0xA5A5A5A5A5A5A5A5;
constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 64;
constexpr unsigned long long kWhole = ~0ull;

/// The least distance from the array, in bytes, at which a zone has changed: of the zone before it, or after it.
__global__ void find_damage(const std::uint64_t* before, const std::uint8_t* after, std::uint64_t zone,
                            unsigned long long* distance) {
  const std::uint64_t words = zone / sizeof(std::uint64_t);
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < words; i += kBlocks * kThreads) {
    if (before[i] != kPaint) atomicMin(&distance[0], (words - i) * sizeof(std::uint64_t));
  }
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < zone; i += kBlocks * kThreads) {
    if (after[i] != static_cast<std::uint8_t>(kPaint)) atomicMin(&distance[1], i);
  }
}

std::uint64_t round_up(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = 256;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

GuardedDeviceMemory::GuardedDeviceMemory(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  memory_ = DeviceMemory{round_up(bytes) + 2 * kZone};
  check(cudaMemset(memory_.data(), static_cast<int>(kPaint & 0xFF), kZone));
  check(cudaMemset(memory_.data() + kZone + bytes, static_cast<int>(kPaint & 0xFF), round_up(bytes) - bytes + kZone));
  check(cudaDeviceSynchronize());
}

std::optional<std::string> GuardedDeviceMemory::damage(cudaStream_t stream) const {
  if (bytes_ == 0) return std::nullopt;
  struct Distances {
    unsigned long long before;
    unsigned long long after;
  };
  static Shared<Distances> shared;  // allocating page-locked memory takes longer than the search
  auto* const found = reinterpret_cast<unsigned long long*>(shared.address());
  found[0] = found[1] = kWhole;
  find_damage<<<kBlocks, kThreads, 0, stream>>>(memory_.data<std::uint64_t>(),
                                                memory_.data<std::uint8_t>() + kZone + bytes_, kZone, found);
  check_launch();
  check(cudaStreamSynchronize(stream));
  if (found[0] != kWhole) return std::to_string(found[0]) + " bytes before its array";
  if (found[1] != kWhole) return std::to_string(found[1]) + " bytes after its array";
  return std::nullopt;
}

}  // namespace sortlab
