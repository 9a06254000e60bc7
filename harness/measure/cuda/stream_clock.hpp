// Time on a device's stream, measured by events.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "algorithms/plugin.hpp"
#include "core/cuda/on_device.hpp"

namespace sortlab {

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream)); }
  /// Makes later work on `stream` wait for the last recording of the event.
  void hold_back(cudaStream_t stream) { check(cudaStreamWaitEvent(stream, event_)); }
  /// Seconds between two events, which must both be complete.
  friend double seconds_between(const Event& begin, const Event& end) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.event_, end.event_));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Number of timed samples per cell after which another sort runs with an event at each phase's begin and end.
inline constexpr int kSortsWithPhases = 5;

/// A clock that records an event on the stream for each reading, at a cost of about a microsecond of device time. It
/// does nothing while it is off. Readings are event numbers, counted from 1.
class StreamClock final : public PhaseClock {
 public:
  explicit StreamClock(cudaStream_t stream) : stream_(stream) {}

  std::int64_t read(int /*lane*/) override {
    if (!on_) return 0;
    if (used_ == events_.size()) events_.push_back(std::make_unique<Event>());
    events_[used_]->record(stream_);
    return static_cast<std::int64_t>(++used_);
  }

  void turn_on() {
    on_ = true;
    used_ = 0;
    origin_.record(stream_);
  }

  /// Replaces the readings in `phases` by nanoseconds since turn_on(). The stream must be done.
  void turn_off(PhaseTimer& phases) {
    turn_off();
    phases.settle([this](std::int64_t reading, int /*lane*/) { return nanoseconds(reading); });
  }
  void turn_off() { on_ = false; }
  /// A reading as nanoseconds since turn_on(). The stream must be done.
  std::int64_t nanoseconds(std::int64_t reading) const {
    return static_cast<std::int64_t>(1e9 * seconds_between(origin_, *events_[static_cast<std::size_t>(reading - 1)]));
  }

 private:
  cudaStream_t stream_;
  bool on_ = false;
  Event origin_;
  std::vector<std::unique_ptr<Event>> events_;
  std::size_t used_ = 0;
};

/// The same for the streams of several lanes, whose origins are the same moment if all streams are idle at turn_on().
class LanesClock final : public PhaseClock {
 public:
  explicit LanesClock(std::span<const Lane> lanes) {
    for (const Lane& lane : lanes) {
      const OnDevice on{lane.device};
      clocks_.push_back(std::make_unique<StreamClock>(static_cast<cudaStream_t>(lane.stream)));
      devices_.push_back(lane.device);
    }
  }

  std::int64_t read(int lane) override {
    const OnDevice on{devices_[static_cast<std::size_t>(lane)]};
    return clocks_[static_cast<std::size_t>(lane)]->read(0);
  }

  void turn_on() {
    for (std::size_t lane = 0; lane < clocks_.size(); ++lane) {
      const OnDevice on{devices_[lane]};
      clocks_[lane]->turn_on();
    }
  }

  /// All streams must be done.
  void turn_off(PhaseTimer& phases) {
    for (const auto& clock : clocks_) clock->turn_off();
    phases.settle([this](std::int64_t reading, int lane) {
      return clocks_[static_cast<std::size_t>(lane)]->nanoseconds(reading);
    });
  }

 private:
  std::vector<std::unique_ptr<StreamClock>> clocks_;
  std::vector<int> devices_;
};

}  // namespace sortlab
