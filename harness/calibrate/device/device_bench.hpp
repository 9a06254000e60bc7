// What all probes of a device share: its facts, memory that is not zero, and how launches are timed.
#pragma once

#include <cstdint>
#include <functional>

#include "core/cuda/device_memory.hpp"
#include "core/cuda/stream.hpp"
#include "harness/measure/cuda/stream_clock.hpp"

namespace sortlab::calibration {

struct CycleMark;  // cycle_marks.cuh

inline constexpr std::size_t KiB = 1024;
inline constexpr std::size_t MiB = 1024 * KiB;
inline constexpr std::size_t GiB = 1024 * MiB;

class DeviceBench {
 public:
  /// On the current device. Takes two arrays of at most 8 GiB; quick: 1 GiB.
  DeviceBench(int multiprocessors, double highest_clock_hz, bool quick);

  using Work = std::function<void(cudaStream_t stream)>;

  /// Seconds from the begin to the end of a few launches, which are queued while the stream is still busy, so that the
  /// host's time for them does not count. At 0.5 us of resolution a sample should take 0.1 ms and more.
  double seconds_of(const Work& launches);

  /// The same for up to a thousand short launches: the stream is held until all of them are queued. They must have run
  /// before, since a kernel's first launch waits for the device.
  double seconds_of_queued(const Work& launches);

  /// Seconds that one more launch adds to a stream with many of them, which has run before.
  double seconds_of_one_more(const Work& launch);

  /// Cycles of a multiprocessor from the begin of its first block to the end of its last one, the mean over all that
  /// had any. The kernel marks them: cycle_marks.cuh.
  double cycles_of(const std::function<void(cudaStream_t stream, CycleMark* marks)>& launch);

  /// The clock that the multiprocessors run at now.
  double clock_hz();

  /// Blocks of `kernel` that a multiprocessor holds at once; 0 if one does not fit.
  template <class Kernel>
  int resident_blocks(Kernel* kernel, int threads, std::size_t shared_bytes = 0) const {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    return blocks;
  }

  /// `bytes` bytes of words(), a multiple of 4 KiB, that follow those of the last call, so that they come from memory.
  const std::byte* next_words(std::size_t bytes);

  const std::byte* words() const { return words_.data(); }  ///< hashes of their places; nobody writes them
  std::byte* out() const { return out_.data(); }            ///< to be written
  std::size_t bytes() const { return bytes_; }              ///< of words() and of out(), a power of two
  cudaStream_t stream() const { return stream_; }

  const int multiprocessors;
  const double highest_clock_hz;
  const bool quick;

  static constexpr std::size_t kSlack = 1 << 20;  ///< bytes that out() has beyond bytes()

 private:
  Stream stream_;
  Event begin_;
  Event end_;
  StreamHold hold_;
  DeviceClock clock_;
  std::size_t bytes_;
  DeviceMemory words_;
  DeviceMemory out_;
  DeviceMemory marks_;
  std::size_t position_ = 0;
};

}  // namespace sortlab::calibration
