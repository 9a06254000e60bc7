// How a sort reports its phases: name, pass and lane (a thread, or a device's stream), with begin and end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sortlab {

/// One phase of one sort, in nanoseconds of the steady clock since the timer was reset.
struct PhaseSpan {
  std::string_view name;  ///< a string literal, one of Info::phases
  int pass = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// Collects spans without locks: each lane is written by one thread. A span costs two clock readings (about 50 ns), so
/// phases are for passes over the data, not for tiles.
class PhaseTimer {
 public:
  explicit PhaseTimer(int lanes = 1) : lanes_(static_cast<std::size_t>(lanes)) { reset(); }

  /// Ends its span when it goes out of scope, or at stop().
  class Scope {
   public:
    Scope(PhaseTimer& timer, std::string_view name, int pass, int lane) : timer_(timer), lane_(lane) {
      span_ = {name, pass, timer.now(), 0};
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { stop(); }
    void stop() {
      if (span_.end_ns != 0) return;
      span_.end_ns = timer_.now();
      timer_.lanes_[static_cast<std::size_t>(lane_)].push_back(span_);
    }

   private:
    PhaseTimer& timer_;
    PhaseSpan span_;
    int lane_;
  };

  [[nodiscard]] Scope phase(std::string_view name, int pass = 0, int lane = 0) { return {*this, name, pass, lane}; }

  /// Forgets all spans and starts the clock again.
  void reset() {
    for (auto& lane : lanes_) {
      lane.clear();
      lane.reserve(64);
    }
    start_ = Clock::now();
  }

  /// Spans of each lane, in the order in which they ended.
  const std::vector<std::vector<PhaseSpan>>& lanes() const { return lanes_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }
  Clock::time_point start_;
  std::vector<std::vector<PhaseSpan>> lanes_;
};

}  // namespace sortlab
