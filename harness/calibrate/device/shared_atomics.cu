// Micro-benchmark MB4: atomic additions to counters in shared memory, as a function of the number of distinct counters
// that a warp addresses.
#include <string>

#include "algorithms/common/cuda/cycle_marks.cuh"
#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kSharedAtomicsThreads = 256;
constexpr int kDigits = 16;         ///< digits per thread, in registers
constexpr int kCountingTimes = 64;  ///< repetitions of counting them
constexpr int kSharedCounters = 256;

/// Random digits: uniform digits below `distinct`, or, if that is 0, bytes that are the AND of `ands` + 1 uniform bytes
/// (Thearling and Smith 1992).
struct Digits {
  std::uint32_t distinct = 0;
  int ands = 0;

  __device__ std::uint32_t operator()(std::uint32_t place) const {
    std::uint32_t random = hash(place);
    if (distinct > 0) return random % distinct;
    std::uint32_t digit = random;
    for (int i = 0; i < ands; ++i) {
      random = hash(random + 0x9e3779b9);
      digit &= random;
    }
    return digit % kSharedCounters;
  }
};

/// Counts digits in the block's own counters. `returns`: the result of an addition is used.
template <bool returns>
__global__ void __launch_bounds__(kSharedAtomicsThreads)
    count_digits(Digits digits, std::uint32_t* sink, CycleMark* marks) {
  __shared__ std::uint32_t counters[kSharedCounters];
  counters[threadIdx.x] = 0;
  std::uint32_t* counter[kDigits];
  const std::uint32_t thread = blockIdx.x * kSharedAtomicsThreads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kDigits; ++i) counter[i] = &counters[digits(thread * kDigits + i)];
  std::uint32_t sum = 0;
  mark_begin(marks);
#pragma unroll 1
  for (int i = 0; i < kCountingTimes; ++i) {
#pragma unroll
    for (int j = 0; j < kDigits; ++j) {
      if constexpr (returns) {
        sum ^= atomicAdd(counter[j], 1U);
      } else {
        atomicAdd(counter[j], 1U);
      }
    }
  }
  mark_end(marks);
  if ((sum ^ counters[threadIdx.x]) == 0xffffffff) *sink = sum;  // never
}

template <bool returns>
double cycles_an_instruction(DeviceBench& bench, Digits digits) {
  const int blocks = bench.resident_blocks(count_digits<returns>, kSharedAtomicsThreads);
  const double cycles = bench.count_cycles([&](cudaStream_t stream, CycleMark* marks) {
    count_digits<returns><<<blocks * bench.multiprocessors, kSharedAtomicsThreads, 0, stream>>>(
        digits, reinterpret_cast<std::uint32_t*>(bench.out()), marks);
  });
  return cycles / (blocks * (kSharedAtomicsThreads / 32) * kDigits * kCountingTimes);
}

void add_point(Rounds& rounds, DeviceBench& bench, const char* table, double at, Digits digits) {
  rounds.add(table, {at, 0}, [&bench, digits] { return cycles_an_instruction<false>(bench, digits); });
  rounds.add(table, {at, 1}, [&bench, digits] { return cycles_an_instruction<true>(bench, digits); });
}

void add_shared_atomics_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string source =
      "MB4: cycles of a multiprocessor for one atomicAdd of a warp to shared memory, all its warps at it, counters of "
      "each 256 threads apart; returns: whether the result is used; ";
  rounds.declare("shared_atomic", "cycles", source + "random digits out of 'distinct'", {"distinct", "returns"});
  for (const std::uint32_t distinct : {1, 2, 3, 4, 8, 16, 32, 64, 256}) {
    add_point(rounds, bench, "shared_atomic", distinct, {.distinct = distinct});
  }
  rounds.declare("shared_atomic_ands", "cycles", source + "digits of 8 bits of 'ands' Thearling ANDs",
                 {"ands", "returns"});
  for (int ands = 0; ands <= 5; ++ands) add_point(rounds, bench, "shared_atomic_ands", ands, {.ands = ands});
}

const RegisterProbe shared_atomics_probes{
    DeviceProbe{"shared_atomics", TableKind::hardware, add_shared_atomics_probes}};

}  // namespace

}  // namespace sortlab::calibration
