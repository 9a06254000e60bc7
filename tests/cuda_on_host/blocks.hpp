// Blocks of CUDA threads on the host: a block is a thread of the host, and each of its threads a fiber of that one,
// which runs until it waits for others. After each wait the fibers go on in another order, drawn from a fixed seed, so
// that a missing barrier is likely to give a wrong result. Threads that wait for ever are found and named.
//
// The device's memory model is not emulated: what a thread writes, others of its block see at once.
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

/// Runs a kernel in `blocks` blocks of `threads` threads each, and returns when all are done. If `together`, all run at
/// the same time and may wait for each other; there are then at most kMultiprocessors. Where threads of a block would
/// wait for ever, the program ends with a line that says where each waits.
void launch(unsigned blocks, unsigned threads, bool together, const std::function<void()>& kernel);

/// All threads of the block; the sum, and the or, of what they give.
struct OfBlock {
  unsigned sum, any;
};
OfBlock wait_for_block(unsigned mine = 0);

/// All threads of all blocks, which run together.
void wait_for_grid();

/// What the lanes of a warp give to one operation.
struct Lanes {
  std::array<std::array<std::byte, 16>, kWarp> given;
  unsigned present;  ///< a bit a lane that has not returned from the kernel

  template <class T>
  T of(unsigned lane) const {
    T value;
    std::memcpy(&value, given[lane].data(), sizeof(T));
    return value;
  }
};

/// All lanes of the warp, which call the same `operation` with `bytes` bytes each. Valid until the lane's next one but
/// one.
const Lanes& wait_for_warp(const char* operation, const void* mine, std::size_t bytes);

template <class T>
const Lanes& exchange(const char* operation, const T& mine) {
  static_assert(sizeof(T) <= 16);
  return wait_for_warp(operation, &mine, sizeof(T));
}

}  // namespace cuda_on_host

extern thread_local cuda_on_host::Index threadIdx, blockIdx, blockDim, gridDim;
