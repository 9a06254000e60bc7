// Micro-benchmark MB5: loads and stores of shared memory, as a function of bank conflicts among the lanes of a warp.
#include <string>

#include "algorithms/common/cuda/cycle_marks.cuh"
#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kSharedMemoryThreads = 256;
constexpr int kAccesses = 16;      ///< accesses per thread, with addresses in registers
constexpr int kAccessTimes = 128;  ///< repetitions of the accesses
constexpr int kWords = 4096;       ///< words of 4 bytes in shared memory

enum class Access : std::uint8_t { load, load_8_bytes, store };

/// The position of a lane's word: random, or `stride` words after the previous lane's. A power of two puts that many
/// lanes into one bank; with 0 all lanes read one word, without conflict.
struct Place {
  bool random = false;
  std::uint32_t stride = 0;

  __device__ std::uint32_t operator()(std::uint32_t lane, std::uint32_t seed) const {
    return random ? hash(seed) : lane * stride;
  }
};

template <Access access>
__global__ void __launch_bounds__(kSharedMemoryThreads) use_banks(Place place, std::uint32_t* sink, CycleMark* marks) {
  __shared__ alignas(8) std::uint32_t words[kWords];
  for (int i = threadIdx.x; i < kWords; i += kSharedMemoryThreads) words[i] = hash(i);
  constexpr std::uint32_t size = access == Access::load_8_bytes ? 8 : 4;
  const auto begin = static_cast<std::uint32_t>(__cvta_generic_to_shared(words));
  const std::uint32_t thread = blockIdx.x * kSharedMemoryThreads + threadIdx.x;
  std::uint32_t address[kAccesses];
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    address[i] = begin + place(threadIdx.x % 32, thread * kAccesses + i) * size % (kWords * 4);
  }
  std::uint32_t sum = 0;
  mark_begin(marks);
#pragma unroll 1
  for (int i = 0; i < kAccessTimes; ++i) {
#pragma unroll
    for (int j = 0; j < kAccesses; ++j) {
      if constexpr (access == Access::load) {  // volatile, or the assembler would move it out of the loop
        std::uint32_t word;
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address[j]));
        sum ^= word;
      } else if constexpr (access == Access::load_8_bytes) {
        std::uint32_t low;
        std::uint32_t high;
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "r"(address[j]));
        sum ^= low ^ high;
      } else {
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address[j]), "r"(thread) : "memory");
      }
    }
  }
  mark_end(marks);
  if ((sum ^ words[threadIdx.x]) == 0) *sink = sum;  // hardly ever
}

template <Access access>
double cycles_an_instruction(DeviceBench& bench, Place place) {
  const int blocks = bench.resident_blocks(use_banks<access>, kSharedMemoryThreads);
  const double cycles = bench.count_cycles([&](cudaStream_t stream, CycleMark* marks) {
    use_banks<access><<<blocks * bench.multiprocessors, kSharedMemoryThreads, 0, stream>>>(
        place, reinterpret_cast<std::uint32_t*>(bench.out()), marks);
  });
  return cycles / (blocks * (kSharedMemoryThreads / 32) * kAccesses * kAccessTimes);
}

template <Access access>
void add_point(Rounds& rounds, DeviceBench& bench, const char* table, std::vector<double> at, Place place) {
  rounds.add(table, std::move(at), [&bench, place] { return cycles_an_instruction<access>(bench, place); });
}

void add_shared_memory_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string source = "MB5: cycles of a multiprocessor for one instruction of a warp, all its warps at it: ";
  rounds.declare("shared_load", "cycles", source + "4-byte loads, 'degree' lanes in a bank", {"degree"});
  rounds.declare("shared_store", "cycles", source + "4-byte stores, 'degree' lanes in a bank", {"degree"});
  for (std::uint32_t degree = 1; degree <= 32; degree *= 2) {
    const Place place{.stride = degree};
    add_point<Access::load>(rounds, bench, "shared_load", {static_cast<double>(degree)}, place);
    add_point<Access::store>(rounds, bench, "shared_store", {static_cast<double>(degree)}, place);
  }
  rounds.declare("shared_random", "cycles", source + "loads of random words of 'access_bytes'", {"access_bytes"});
  add_point<Access::load>(rounds, bench, "shared_random", {4}, {.random = true});
  add_point<Access::load_8_bytes>(rounds, bench, "shared_random", {8}, {.random = true});
  rounds.declare("shared_broadcast", "cycles", source + "4-byte loads, all lanes of one word", {});
  add_point<Access::load>(rounds, bench, "shared_broadcast", {}, {});

  rounds.declare("issue.lds", "1/cycle", "MB6: loads of shared memory without conflicts, a cycle and multiprocessor",
                 {});
  rounds.declare("issue.sts", "1/cycle", "MB6: stores to shared memory without conflicts, a cycle and multiprocessor",
                 {});
  const auto rate = [&bench]<Access access>(std::integral_constant<Access, access>) {
    return [&bench] { return 1 / cycles_an_instruction<access>(bench, {.stride = 1}); };
  };
  rounds.add("issue.lds", {}, rate(std::integral_constant<Access, Access::load>{}));
  rounds.add("issue.sts", {}, rate(std::integral_constant<Access, Access::store>{}));
}

const RegisterProbe shared_memory_probes{DeviceProbe{"shared_memory", TableKind::hardware, add_shared_memory_probes}};

}  // namespace

}  // namespace sortlab::calibration
