#include <barrier>
#include <chrono>
#include <thread>

#include "harness/calibration/probes.hpp"

namespace sortlab::calibration {

void add_thread_probes(Rounds& rounds, Bench& bench) {
  rounds.declare("barrier", "s", "a std::barrier that all threads reach together", {"threads"});
  rounds.declare("wake", "s", "waking threads that sleep at a std::barrier, and waiting for them to meet again",
                 {"threads"});
  rounds.declare("thread_start", "s", "starting and joining threads", {"threads"});
  for (const int threads : bench.threads) {
    const std::vector<double> at{static_cast<double>(threads)};
    rounds.add("barrier", at, [threads] {
      constexpr int times = 256;
      std::barrier meet{threads};
      return timed(threads,
                   [&](int) {
                     for (int i = 0; i < times; ++i) meet.arrive_and_wait();
                   }) /
             times;
    });
    rounds.add("wake", at, [threads] {
      std::barrier meet{threads};
      double seconds = 0;
      timed(threads, [&](int thread) {
        using Clock = std::chrono::steady_clock;
        if (thread == 0) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        const auto begin = Clock::now();
        meet.arrive_and_wait();
        meet.arrive_and_wait();
        if (thread == 0) seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      });
      return seconds;
    });
    rounds.add("thread_start", at, [threads] {
      const auto begin = std::chrono::steady_clock::now();
      timed(threads, [](int) {});
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    });
  }
}

double clock_hz() {
  constexpr std::int64_t steps = 1 << 22;
  double fastest = 0;
  for (int sample = 0; sample < 9; ++sample) {
    const double seconds = timed(1, [&](int) {
      std::uint64_t sum = 0;
      for (std::int64_t i = 0; i < steps; i += 8) {
        for (int j = 0; j < 8; ++j) {
          ++sum;
          asm volatile("" : "+r"(sum));  // keeps the additions apart
        }
      }
      keep(sum);
    });
    fastest = std::max(fastest, static_cast<double>(steps) / seconds);
  }
  return fastest;
}

}  // namespace sortlab::calibration
