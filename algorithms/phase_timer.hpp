// The timer to which a sort reports its phases: name, pass and lane (a thread, or a device's stream), begin and end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/raw_clock.hpp"

namespace sortlab {

/// One phase of one sort, in nanoseconds of RawClock since the timer was reset.
struct PhaseSpan {
  std::string_view name;  ///< a string literal, one of Info::phases
  int pass = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// A clock for phases that the caller's RawClock cannot time, such as those on a device stream.
class PhaseClock {
 public:
  virtual ~PhaseClock() = default;
  /// A reading for a lane, in the clock's own unit. PhaseTimer::settle() converts it to nanoseconds when all work is
  /// done.
  virtual std::int64_t read(int lane) = 0;
};

/// Collects spans without locks: one thread writes each lane. A span costs two clock readings (about 50 ns), so phases
/// are for passes over the data, not for tiles.
class PhaseTimer {
 public:
  explicit PhaseTimer(int lanes = 1, PhaseClock* clock = nullptr)
      : clock_(clock), lanes_(static_cast<std::size_t>(lanes)) {
    reset();
  }

  /// Ends its span when it goes out of scope, or at stop().
  class Scope {
   public:
    Scope(PhaseTimer& timer, std::string_view name, int pass, int lane) : timer_(timer), lane_(lane) {
      span_ = {name, pass, timer.now(lane), 0};
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { stop(); }
    void stop() {
      if (stopped_) return;
      stopped_ = true;
      span_.end_ns = timer_.now(lane_);
      timer_.lanes_[static_cast<std::size_t>(lane_)].push_back(span_);
    }

   private:
    PhaseTimer& timer_;
    PhaseSpan span_;
    int lane_;
    bool stopped_ = false;
  };

  [[nodiscard]] Scope phase(std::string_view name, int pass = 0, int lane = 0) { return {*this, name, pass, lane}; }

  /// Nanoseconds since the timer was reset, by RawClock.
  std::int64_t elapsed_ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(RawClock::now() - start_).count();
  }

  /// Adds a span that another clock measured, in nanoseconds since the timer was reset. Ignored by a timer that has its
  /// own PhaseClock.
  void add(const PhaseSpan& span, int lane = 0) {
    if (clock_ == nullptr) lanes_[static_cast<std::size_t>(lane)].push_back(span);
  }

  /// Clears all spans and restarts the clock.
  void reset() {
    for (auto& lane : lanes_) {
      lane.clear();
      lane.reserve(64);
    }
    start_ = RawClock::now();
  }

  /// Converts all readings of the PhaseClock to nanoseconds since the sort began.
  template <class Nanoseconds>
  void settle(const Nanoseconds& nanoseconds) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (PhaseSpan& span : lanes_[lane]) {
        span.begin_ns = nanoseconds(span.begin_ns, static_cast<int>(lane));
        span.end_ns = nanoseconds(span.end_ns, static_cast<int>(lane));
      }
    }
  }

  /// Spans of each lane, in the order in which they ended.
  const std::vector<std::vector<PhaseSpan>>& lanes() const { return lanes_; }

 private:
  std::int64_t now(int lane) const {
    if (clock_ != nullptr) return clock_->read(lane);
    return std::chrono::duration_cast<std::chrono::nanoseconds>(RawClock::now() - start_).count();
  }
  PhaseClock* clock_;
  RawClock::time_point start_;
  std::vector<std::vector<PhaseSpan>> lanes_;
};

}  // namespace sortlab
