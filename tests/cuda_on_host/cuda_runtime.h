// Replaces CUDA's header of this name where kernels are compiled for the host (blocks.hpp); holds the part of CUDA that
// our kernels use. Device memory is host memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>

#include "blocks.hpp"

#define __host__
#define __device__
#define __global__
#define __shared__ thread_local
#define __launch_bounds__(...)

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

// Functions of one thread.
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return std::min<T>(static_cast<T>(a), static_cast<T>(b));
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return std::max<T>(static_cast<T>(a), static_cast<T>(b));
}
inline int __popc(unsigned word) {
  return std::popcount(word);
}
inline int __clz(int word) {
  return std::countl_zero(static_cast<unsigned>(word));
}
inline int __clzll(long long word) {
  return std::countl_zero(static_cast<unsigned long long>(word));
}
inline int __ffs(int word) {
  return word == 0 ? 0 : std::countr_zero(static_cast<unsigned>(word)) + 1;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * std::uint64_t{b} >> 32);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << shift % 32 >> 32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> std::min(shift, 32U));
}

// Memory.
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}
/// The base of the 32-bit addresses of shared memory: they are offsets from variables of this thread of the host.
inline std::uintptr_t shared_begin() {
  return reinterpret_cast<std::uintptr_t>(&threadIdx) / 1024 * 1024;
}
inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer) - shared_begin());
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  const auto distance = static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(address));
  return reinterpret_cast<void*>(shared_begin() + static_cast<std::uintptr_t>(distance));
}
template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref{*at}.fetch_add(value, std::memory_order_relaxed);
}
template <class T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref{*at}.fetch_or(value, std::memory_order_relaxed);
}
/// Atomically replaces the word by `value` if that comes before it; returns the old word.
template <class T, class Before>
T replace_where(T* at, T value, const Before& comes_before) {
  const std::atomic_ref word{*at};
  T found = word.load(std::memory_order_relaxed);
  while (comes_before(value, found) && !word.compare_exchange_weak(found, value, std::memory_order_relaxed)) {
  }
  return found;
}
template <class T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  return replace_where(at, value, std::less<T>{});
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  return replace_where(at, value, std::greater<T>{});
}

// Functions of a block.
inline void __syncthreads() {
  cuda_on_host::wait_for_block();
}
inline int __syncthreads_or(int mine) {
  return static_cast<int>(cuda_on_host::wait_for_block(mine != 0 ? 1 : 0).any);
}
inline int __syncthreads_count(int mine) {
  return static_cast<int>(cuda_on_host::wait_for_block(mine != 0 ? 1 : 0).sum);
}

// Functions of a warp; all lanes take part, whatever the mask.
inline unsigned lane_of_thread() {
  return threadIdx.x % cuda_on_host::kWarp;
}
/// Combines the values of all lanes that have not returned from the kernel.
template <class T, class Combine>
T reduce_lanes(const char* operation, T mine, const Combine& combine) {
  const cuda_on_host::Lanes& lanes = cuda_on_host::exchange(operation, mine);
  T result = mine;
  for (unsigned lane = 0; lane < cuda_on_host::kWarp; ++lane) {
    const bool is_other = (lanes.present >> lane & 1) != 0 && lane != lane_of_thread();
    if (is_other) result = combine(result, lanes.of<T>(lane));
  }
  return result;
}
inline void __syncwarp(unsigned = ~0U) {
  cuda_on_host::exchange("__syncwarp", 0);
}
inline unsigned __ballot_sync(unsigned, bool mine) {
  const unsigned bit = mine ? 1U << lane_of_thread() : 0;
  return reduce_lanes("__ballot_sync", bit, [](unsigned a, unsigned b) { return a | b; });
}
inline int __any_sync(unsigned, bool mine) {
  return reduce_lanes("__any_sync", mine ? 1 : 0, [](int a, int b) { return a | b; });
}
inline int __all_sync(unsigned, bool mine) {
  return reduce_lanes("__all_sync", mine ? 1 : 0, [](int a, int b) { return a & b; });
}
inline unsigned __reduce_add_sync(unsigned, unsigned mine) {
  return reduce_lanes("__reduce_add_sync", mine, [](unsigned a, unsigned b) { return a + b; });
}
inline unsigned __reduce_or_sync(unsigned, unsigned mine) {
  return reduce_lanes("__reduce_or_sync", mine, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned __reduce_max_sync(unsigned, unsigned mine) {
  return reduce_lanes("__reduce_max_sync", mine, [](unsigned a, unsigned b) { return std::max(a, b); });
}
inline unsigned __match_any_sync(unsigned, unsigned mine) {
  const cuda_on_host::Lanes& lanes = cuda_on_host::exchange("__match_any_sync", mine);
  unsigned alike = 0;
  for (unsigned lane = 0; lane < cuda_on_host::kWarp; ++lane) {
    if ((lanes.present >> lane & 1) != 0 && lanes.of<unsigned>(lane) == mine) alike |= 1U << lane;
  }
  return alike;
}
template <class T>
T read_lane(const char* operation, T mine, unsigned lane, bool exists) {
  const cuda_on_host::Lanes& lanes = cuda_on_host::exchange(operation, mine);
  return exists ? lanes.of<T>(lane) : mine;
}
template <class T>
T __shfl_sync(unsigned, T mine, int lane) {
  return read_lane("__shfl_sync", mine, static_cast<unsigned>(lane) % cuda_on_host::kWarp, true);
}
template <class T>
T __shfl_xor_sync(unsigned, T mine, unsigned step) {
  return read_lane("__shfl_xor_sync", mine, lane_of_thread() ^ step, true);
}
template <class T>
T __shfl_up_sync(unsigned, T mine, unsigned step) {
  return read_lane("__shfl_up_sync", mine, lane_of_thread() - step, lane_of_thread() >= step);
}
template <class T>
T __shfl_down_sync(unsigned, T mine, unsigned step) {
  return read_lane("__shfl_down_sync", mine, lane_of_thread() + step, lane_of_thread() + step < cuda_on_host::kWarp);
}

// The runtime.
enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2 };
using cudaStream_t = void*;
inline cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
inline const char* cudaGetErrorName(cudaError_t) {
  return "an error";
}
inline const char* cudaGetErrorString(cudaError_t) {
  return "of the host";
}

/// The memory is filled with 0xA5 bytes, so that a kernel that assumes zeros fails.
inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xA5, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  if (bytes > 0) std::memset(memory, value, bytes);
  return cudaSuccess;
}

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline constexpr unsigned cudaHostAllocMapped = 2;
template <class T>
cudaError_t cudaHostAlloc(T** memory, std::size_t bytes, unsigned) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
inline cudaError_t cudaFreeHost(void* memory) {
  return cudaFree(memory);
}

// Work of every stream is done when its call returns, in the order of the calls.
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
using cudaEvent_t = void*;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}

inline cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = cuda_on_host::kMultiprocessors;
  return cudaSuccess;
}
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
struct cudaFuncAttributes {
  int ptxVersion;
};
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  *attributes = {.ptxVersion = 80};
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int, std::size_t) {
  *blocks = 1;
  return cudaSuccess;
}

enum cudaLaunchAttributeID { cudaLaunchAttributeCooperative, cudaLaunchAttributeProgrammaticStreamSerialization };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int cooperative, programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
template <class... Parameters>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               const std::type_identity_t<Parameters>&... arguments) {
  bool together = false;
  for (unsigned a = 0; a < config->numAttrs; ++a) together |= config->attrs[a].id == cudaLaunchAttributeCooperative;
  cuda_on_host::launch(config->gridDim.x, config->blockDim.x, together, [&] { kernel(arguments...); });
  return cudaSuccess;
}
