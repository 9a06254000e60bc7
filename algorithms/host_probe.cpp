#include "algorithms/host_probe.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/affinity.hpp"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

/// Returns once `threads` threads have arrived. A thread that yields returns a microsecond late, which is too long for
/// pieces of eight microseconds; one that never yields is preempted later.
void meet(std::atomic<int>& come, int threads) {
  ++come;
  for (unsigned looks = 1; come < threads; ++looks) {
    if (looks % 1024 == 0) std::this_thread::yield();
  }
}

struct Span {
  RawClock::time_point begin;
  RawClock::time_point end;
};

/// Begin and end of body(thread) on each of `threads` threads.
std::vector<Span> measure_spans(int threads, const std::function<void(int)>& body,
                                const std::function<void(int)>& before) {
  std::vector<Span> spans(static_cast<std::size_t>(threads));
  std::atomic<int> ready = 0;  // threads that sleep until all have arrived begin some ten microseconds apart
  std::atomic<int> done = 0;   // a thread that ends interrupts the others
  {
    std::vector<std::jthread> team;
    for (int thread = 0; thread < threads; ++thread) {
      team.emplace_back([&, thread] {
        pin_to({processors()[static_cast<std::size_t>(thread) % processors().size()]});
        if (before) before(thread);
        meet(ready, threads);
        Span& span = spans[static_cast<std::size_t>(thread)];
        span.begin = RawClock::now();
        body(thread);
        span.end = RawClock::now();
        meet(done, threads);
      });
    }
  }
  return spans;
}

}  // namespace

const std::vector<int>& processors() {
  static const std::vector<int> usable = allowed_cpus();
  return usable;
}

double timed(int threads, const std::function<void(int thread)>& body, const std::function<void(int thread)>& before) {
  const std::vector<Span> spans = measure_spans(threads, body, before);
  const auto first = std::ranges::min(spans, {}, &Span::begin).begin;
  return std::chrono::duration<double>(std::ranges::max(spans, {}, &Span::end).end - first).count();
}

double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before) {
  double rates = 0;
  for (const Span& span : measure_spans(threads, body, before)) {
    rates += 1 / std::chrono::duration<double>(span.end - span.begin).count();
  }
  return threads / rates;
}

}  // namespace sortlab::calibration
