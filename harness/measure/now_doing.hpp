// A worker's current step, in memory shared with its supervisor. It tells the supervisor the cell at fault if the
// worker dies, and the time since its last sign of life. A message instead would wake the supervisor in the middle of a
// sort.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "core/names.hpp"

namespace sortlab {

enum class Step : std::int32_t {
  idle,
  making_input,
  preparing,
  warming_up,
  restoring,
  sorting,
  verifying,
  dumping,
  metering
};
template <>
inline constexpr std::array<std::string_view, 9> kNames<Step>{"waiting",
                                                              "making the input",
                                                              "preparing",
                                                              "a warm-up sort",
                                                              "restoring the input",
                                                              "a timed sort",
                                                              "verifying the output",
                                                              "dumping input and output",
                                                              "metering its energy"};

struct NowDoing {
  static constexpr int kNoCell = -1;

  std::atomic<std::int32_t> cell{kNoCell};  ///< index of the cell in the block
  std::atomic<Step> step{Step::idle};
  std::atomic<std::int64_t> since_ns{0};    ///< begin of the step by the steady clock, which all processes share
  std::atomic<std::uint32_t> continued{0};  ///< number of times the worker continued after a stop

  void begin(int at_cell, Step at_step) {
    cell.store(at_cell, std::memory_order_relaxed);
    since_ns.store(now_ns(), std::memory_order_relaxed);
    step.store(at_step, std::memory_order_release);
  }
  static std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};
static_assert(std::atomic<Step>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

}  // namespace sortlab
