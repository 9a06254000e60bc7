// Marks in a kernel from which DeviceBench::count_cycles() derives how many cycles the kernel kept each multiprocessor
// busy, without the launch:
//
//     __global__ void my_kernel(..., CycleMark* marks) {
//       mark_begin(marks);
//       …
//       mark_end(marks);
//     }
#pragma once

namespace sortlab::calibration {

/// Marks of one multiprocessor, by its own cycle counter.
struct CycleMark {
  unsigned long long begin;
  unsigned long long end;
};

inline constexpr unsigned kMaxMultiprocessors = 1024;  ///< larger than any count, since their numbers may have gaps

__device__ inline unsigned multiprocessor() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number % kMaxMultiprocessors;
}

/// Called by all threads of the block.
__device__ inline void mark_begin(CycleMark* marks) {
  if (threadIdx.x == 0) atomicMin(&marks[multiprocessor()].begin, static_cast<unsigned long long>(clock64()));
  __syncthreads();
}

/// Called by all threads of the block.
__device__ inline void mark_end(CycleMark* marks) {
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&marks[multiprocessor()].end, static_cast<unsigned long long>(clock64()));
}

}  // namespace sortlab::calibration
