// Shared by all device probes: the device's facts, memory that is not zero, and the timing of launches. Tiles of a sort
// are timed by common/cuda/tile_probe.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "algorithms/probe.hpp"
#include "core/cuda/check.hpp"
#include "core/cuda/device_memory.hpp"

namespace sortlab::calibration {

struct CycleMark;  // common/cuda/cycle_marks.cuh

inline constexpr std::size_t KiB = 1024;
inline constexpr std::size_t MiB = 1024 * KiB;
inline constexpr std::size_t GiB = 1024 * MiB;

class DeviceBench {
 public:
  virtual ~DeviceBench() = default;

  using Work = std::function<void(cudaStream_t stream)>;

  /// Seconds from begin to end of a few launches, which are queued while the stream is still busy, so that the host's
  /// launch time does not count. At 0.5 us of resolution a sample should take 0.1 ms and more.
  virtual double seconds_of(const Work& launches) = 0;

  /// The same for up to a thousand short launches: the stream is held until all of them are queued. They must have run
  /// before, since a kernel's first launch waits for the device.
  virtual double seconds_of_queued(const Work& launches) = 0;

  /// Seconds that `timed` takes after `before`, which is not timed. Short launches: `times` of both, one after the
  /// other, less as many of `before` alone.
  double seconds_after(const Work& before, const Work& timed, int times) {
    before(stream());
    const double seconds = seconds_of(timed);
    if (times == 1) return seconds;  // else its kernels are loaded now
    const auto queued = [&](bool both) {
      return seconds_of_queued([&](cudaStream_t on) {
        for (int i = 0; i < times; ++i) {
          before(on);
          if (both) timed(on);
        }
      });
    };
    return (queued(true) - queued(false)) / times;
  }

  /// Seconds that one more launch adds to a stream with many of them, which has run before.
  virtual double seconds_of_one_more(const Work& launch) = 0;

  /// Cycles of a multiprocessor from the begin of its first block to the end of its last one, the mean over all that
  /// had any. The kernel marks them: common/cuda/cycle_marks.cuh.
  virtual double cycles_of(const std::function<void(cudaStream_t stream, CycleMark* marks)>& launch) = 0;

  /// The clock that the multiprocessors run at now.
  virtual double clock_hz() = 0;

  /// `bytes` bytes of words(), a multiple of 4 KiB, that follow those of the last call, so that they come from memory.
  virtual const std::byte* next_words(std::size_t bytes) = 0;

  virtual const std::byte* words() const = 0;  ///< hashes of their places; nobody writes them
  virtual std::byte* out() const = 0;          ///< to be written
  virtual std::size_t bytes() const = 0;       ///< of words() and of out(), a power of two
  virtual cudaStream_t stream() const = 0;

  /// Resident blocks of `kernel` per multiprocessor; 0 if none fits.
  template <class Kernel>
  int resident_blocks(Kernel* kernel, int threads, std::size_t shared_bytes = 0) const {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    return blocks;
  }

  const int multiprocessors;
  const double highest_clock_hz;
  const bool quick;  ///< fewer points will do

  static constexpr std::size_t kSlack = 1 << 20;  ///< bytes that out() has beyond bytes()

 protected:
  DeviceBench(int multiprocessors_, double highest_clock_hz_, bool quick_)
      : multiprocessors(multiprocessors_), highest_clock_hz(highest_clock_hz_), quick(quick_) {}
};

}  // namespace sortlab::calibration
