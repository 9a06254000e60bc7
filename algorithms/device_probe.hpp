// The test bench of all device probes: facts about the device, memory that is not zero, and the timing of launches.
// common/cuda/tile_probe.hpp times the tiles of a sort.
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

  /// Seconds from the begin to the end of a few launches. They are queued while the stream is still busy, so that the
  /// host's launch time does not count. The resolution is 0.5 us: a sample should take at least 0.1 ms.
  virtual double time_launches(const Work& launches) = 0;

  /// Like time_launches(), for up to a thousand short launches: the stream is held until all of them are queued. Their
  /// kernels must have run before, since a kernel's first launch waits for the device.
  virtual double time_queued(const Work& launches) = 0;

  /// Seconds that `timed` takes after `before`, which is not timed. For short launches, `times` > 1: runs both in turn
  /// that many times, and subtracts the time of as many runs of `before` alone.
  double seconds_after(const Work& before, const Work& timed, int times) {
    before(stream());
    const double seconds = time_launches(timed);
    if (times == 1) return seconds;  // otherwise this call has loaded the kernels
    const auto queued = [&](bool both) {
      return time_queued([&](cudaStream_t on) {
        for (int i = 0; i < times; ++i) {
          before(on);
          if (both) timed(on);
        }
      });
    };
    return (queued(true) - queued(false)) / times;
  }

  /// Seconds that one more launch adds to a stream with many of them. The kernel must have run before.
  virtual double time_one_more(const Work& launch) = 0;

  /// Cycles from the begin of a multiprocessor's first block to the end of its last one, averaged over the
  /// multiprocessors that had blocks. The kernel records them: common/cuda/cycle_marks.cuh.
  virtual double count_cycles(const std::function<void(cudaStream_t stream, CycleMark* marks)>& launch) = 0;

  /// The present clock of the multiprocessors.
  virtual double clock_hz() = 0;

  /// The next `bytes` bytes of words(), a multiple of 4 KiB. They follow those of the last call, so that they are read
  /// from memory and not from a cache.
  virtual const std::byte* next_words(std::size_t bytes) = 0;

  virtual const std::byte* words() const = 0;  ///< hashes of their positions; never written
  virtual std::byte* out() const = 0;          ///< output of the probes
  virtual std::size_t bytes() const = 0;       ///< size of words() and of out(), a power of two
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
  const bool quick;  ///< measure fewer points

  static constexpr std::size_t kSlack = 1 << 20;  ///< bytes of out() beyond bytes()

 protected:
  DeviceBench(int multiprocessors_, double highest_clock_hz_, bool quick_)
      : multiprocessors(multiprocessors_), highest_clock_hz(highest_clock_hz_), quick(quick_) {}
};

}  // namespace sortlab::calibration
