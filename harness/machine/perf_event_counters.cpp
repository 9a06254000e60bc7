#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "core/descriptor.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {
namespace {

struct Event {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::array kEvents{
    Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    Event{"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Event{"dtlb_misses", PERF_TYPE_HW_CACHE,
          PERF_COUNT_HW_CACHE_DTLB | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16)},
};

constexpr std::array kOperations{
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"loads", PERF_TYPE_HW_CACHE,
          PERF_COUNT_HW_CACHE_L1D | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16)},
    Event{"stores", PERF_TYPE_HW_CACHE,
          PERF_COUNT_HW_CACHE_L1D | (PERF_COUNT_HW_CACHE_OP_WRITE << 8) | (PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16)},
    Event{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    Event{"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

/// Opens a stopped descriptor that counts `event`. Negative, with errno, if the machine refuses.
int open_event(const Event& event) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.disabled = 1;
  attr.inherit = 1;  // counts the sort's own threads, too; groups cannot be inherited, so each event is opened alone
  attr.exclude_kernel = 1;  // allowed at perf_event_paranoid 2
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

class PerfEventCounters final : public Counters {
 public:
  explicit PerfEventCounters(std::span<const Event> wanted) {
    int first_error = 0;
    for (const Event& event : wanted) {
      const int fd = open_event(event);
      if (fd >= 0) {
        events_.emplace_back(event.name, Descriptor{fd, "perf_event_open"});
      } else if (first_error == 0) {
        first_error = errno;
      }
    }
    if (events_.empty()) throw CountersUnavailable(fmt::format("perf_event_open: {}", std::strerror(first_error)));
  }

  void start() override {
    for (const auto& [name, event] : events_) {
      ioctl(event.get(), PERF_EVENT_IOC_RESET, 0);
      ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0);
    }
  }

  CounterValues stop() override {
    for (const auto& [name, event] : events_) ioctl(event.get(), PERF_EVENT_IOC_DISABLE, 0);
    CounterValues values;
    for (const auto& [name, event] : events_) {
      struct {
        std::uint64_t value, enabled, running;
      } count{};
      if (read(event.get(), &count, sizeof count) != sizeof count || count.running == 0) continue;
      // With more events than counters the kernel multiplexes, and the value is scaled by the share of time counted.
      values[name] =
          static_cast<double>(count.value) * (static_cast<double>(count.enabled) / static_cast<double>(count.running));
    }
    return values;
  }

 private:
  std::vector<std::pair<std::string, Descriptor>> events_;
};

}  // namespace

CounterSource perf_event_source() {
  return {.name = "perf_event", .open = [] { return std::make_unique<PerfEventCounters>(kEvents); }};
}

CounterSource operations_source() {
  return {.name = "perf_event", .open = [] { return std::make_unique<PerfEventCounters>(kOperations); }};
}

}  // namespace sortlab
