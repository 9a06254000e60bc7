// Blocks of CUDA threads on the host: a block is a thread of the host, and each CUDA thread of the block a fiber of it
// that runs until it waits for others. After each wait the fibers resume in another order, drawn from a fixed seed, so
// that a missing barrier is likely to give a wrong result. A deadlock is detected and its threads are reported.
//
// The device's memory model is not emulated: a write is visible to the other threads of the block at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

namespace cuda_on_host {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kMultiprocessors = 3;  ///< each holds one block

struct Index {
  unsigned x, y, z;
};

/// Runs a kernel in `blocks` blocks of `threads` threads each and returns when all are done. If `together`, all blocks
/// run at the same time and may wait for each other; there are then at most kMultiprocessors. On a deadlock within a
/// block the program ends with a line that says where each thread waits.
void launch(unsigned blocks, unsigned threads, bool together, const std::function<void()>& kernel);

/// The sum and the bitwise or of the values that the threads of a block pass to a barrier.
struct BlockResult {
  unsigned sum, any;
};
BlockResult wait_for_block(unsigned mine = 0);

/// Barrier of all threads of all blocks; the kernel must have been launched with `together`.
void wait_for_grid();

/// The values that the lanes of a warp pass to one operation.
struct Lanes {
  std::array<std::array<std::byte, 16>, kWarp> given;
  unsigned present;  ///< bit i is set while lane i has not returned from the kernel

  template <class T>
  T of(unsigned lane) const {
    T value;
    std::memcpy(&value, given[lane].data(), sizeof(T));
    return value;
  }
};

/// Barrier of all lanes of the warp: they call the same `operation` with `bytes` bytes each. The result stays valid
/// until the lane's next operation but one.
const Lanes& wait_for_warp(const char* operation, const void* mine, std::size_t bytes);

template <class T>
const Lanes& exchange(const char* operation, const T& mine) {
  static_assert(sizeof(T) <= 16);
  return wait_for_warp(operation, &mine, sizeof(T));
}

}  // namespace cuda_on_host

extern thread_local cuda_on_host::Index threadIdx, blockIdx, blockDim, gridDim;
