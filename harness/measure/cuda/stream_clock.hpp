// Time on a device's stream, measured by events.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/phase_timer.hpp"
#include "core/cuda/check.hpp"

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

/// A clock that records an event on the stream for each reading, at a cost of about a microsecond of device time. It
/// does nothing while it is off. Readings are event numbers, counted from 1.
class StreamClock final : public PhaseClock {
 public:
  explicit StreamClock(cudaStream_t stream) : stream_(stream) {}

  std::int64_t read() override {
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
    on_ = false;
    phases.settle([this](std::int64_t reading) {
      return static_cast<std::int64_t>(1e9 * seconds_between(origin_, *events_[static_cast<std::size_t>(reading - 1)]));
    });
  }

 private:
  cudaStream_t stream_;
  bool on_ = false;
  Event origin_;
  std::vector<std::unique_ptr<Event>> events_;
  std::size_t used_ = 0;
};

}  // namespace sortlab
