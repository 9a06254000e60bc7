#include <algorithm>
#include <chrono>

#include "algorithms/host_probe.hpp"
#include "core/raw_clock.hpp"
#include "core/thread_team.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kWorked = std::size_t{64} << 10;  // bytes
constexpr double kClockTick = 1e-9;                     // s, the shortest time that is told

double time_seconds(const auto& work) {
  const auto begin = RawClock::now();
  work();
  return std::chrono::duration<double>(RawClock::now() - begin).count();
}

double barrier_seconds(int threads) {
  constexpr int times = 256;
  ThreadTeam team{threads, processors()};
  return time_seconds([&] {
           team.run([&](int) {
             for (int i = 0; i < times; ++i) team.wait();
           });
         }) /
         times;
}

double wake_seconds(const HostBench& bench, int threads) {
  ThreadTeam team{threads, processors()};
  const auto run = [&] {
    team.run([&](int thread) { rewrite_lines({bench.arena(thread).out_words.data(), kWorked}); });
  };
  run();
  const double awake = time_seconds(run);
  // The time between two sorts of a small input, during which the caller never sleeps. The longer processors sleep, the
  // later they wake, and the less is left in their caches.
  const auto next = RawClock::now() + std::chrono::milliseconds{1};
  while (RawClock::now() < next) continue;
  return std::max(time_seconds(run) - awake, kClockTick);
}

void add_probes(Rounds& rounds, HostBench& bench) {
  const Axis<int> all = bench.all_threads();
  sweep(rounds, {"barrier", "s", "a barrier of all threads of a team, which they reach together"}, barrier_seconds,
        all);
  sweep(
      rounds, {"wake", "s", "extra time of a team's run after it has slept, with 64 KiB in the cache of each thread"},
      [&bench](int threads) { return wake_seconds(bench, threads); }, all);
  sweep(
      rounds, {"thread_start", "s", "starting and joining threads"},
      [](int threads) { return time_seconds([&] { timed(threads, [](int) {}); }); }, all);
}

const RegisterProbe registered{HostProbe{"threads", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
