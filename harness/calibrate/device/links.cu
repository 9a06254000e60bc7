// Micro-benchmark MB10: copies between the host's memory and the device's.
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "algorithms/device_probe.hpp"
#include "core/cuda/stream.hpp"
#include "core/raw_clock.hpp"
#include "harness/measure/cuda/stream_clock.hpp"

namespace sortlab::calibration {
namespace {

enum class Direction : std::uint8_t { to_device, back, both };

/// Page-locked host memory, which the device copies by itself.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) { check(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault)); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(data_); }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
};

/// Source and destination of the copies, and a second stream for copies in both directions at once.
struct Ends {
  explicit Ends(std::size_t bytes) : pinned(2 * bytes), pageable(2 * bytes, std::byte{1}), second_half(bytes) {}

  void copy(DeviceBench& bench, std::byte* host, Direction direction, std::size_t bytes, cudaStream_t on) const {
    if (direction == Direction::to_device) {
      check(cudaMemcpyAsync(bench.out(), host, bytes, cudaMemcpyHostToDevice, on));
    } else {
      check(cudaMemcpyAsync(host + second_half, bench.words(), bytes, cudaMemcpyDeviceToHost, on));
    }
  }

  double seconds_pinned(DeviceBench& bench, Direction direction, std::size_t bytes) {
    return bench.time_launches([&](cudaStream_t on) {
      if (direction != Direction::both) return copy(bench, pinned.data(), direction, bytes, on);
      begun.record(on);
      begun.hold_back(stream);
      copy(bench, pinned.data(), Direction::back, bytes, stream);
      copy(bench, pinned.data(), Direction::to_device, bytes, on);
      done.record(stream);
      done.hold_back(on);
    });
  }

  /// Seconds of a pageable copy, by the host's clock, since the host takes part in it. Two threads copy in both
  /// directions at once.
  double seconds_pageable(DeviceBench& bench, Direction direction, std::size_t bytes) {
    const auto begin = RawClock::now();
    const auto one = [&](Direction way, cudaStream_t on) {
      copy(bench, pageable.data(), way, bytes, on);
      check(cudaStreamSynchronize(on));
    };
    if (direction == Direction::both) {
      std::jthread back{[&] { one(Direction::back, stream); }};
      one(Direction::to_device, bench.stream());
    } else {
      one(direction, bench.stream());
    }
    return std::chrono::duration<double>(RawClock::now() - begin).count();
  }

  PinnedMemory pinned;
  std::vector<std::byte> pageable;
  std::size_t second_half;
  Stream stream;
  Event begun;
  Event done;
};

void add_links_probes(Rounds& rounds, DeviceBench& bench) {
  rounds.declare(
      "link", "B/s",
      "MB10: copies of 'bytes' between host and device; direction 0: to the device, 1: back, 2: both at once, "
      "bytes of both counted; pinned 0: by the host's clock",
      {"direction", "pinned", "bytes"});
  std::vector<std::size_t> sizes{MiB / 16, 1 * MiB, 64 * MiB};
  if (!bench.quick) sizes.push_back(256 * MiB);
  auto ends = std::make_shared<Ends>(sizes.back());
  for (const Direction direction : {Direction::to_device, Direction::back, Direction::both}) {
    for (const bool pinned : {false, true}) {
      for (const std::size_t bytes : sizes) {
        const std::vector<double> at{static_cast<double>(direction), pinned ? 1.0 : 0.0, static_cast<double>(bytes)};
        rounds.add("link", at, [&bench, ends, direction, pinned, bytes] {
          const double seconds =
              pinned ? ends->seconds_pinned(bench, direction, bytes) : ends->seconds_pageable(bench, direction, bytes);
          return static_cast<double>(bytes) * (direction == Direction::both ? 2 : 1) / seconds;
        });
      }
    }
  }
}

const RegisterProbe links_probes{DeviceProbe{"links", TableKind::hardware, add_links_probes}};

}  // namespace

}  // namespace sortlab::calibration
