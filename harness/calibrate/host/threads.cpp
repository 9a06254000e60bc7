#include <algorithm>
#include <chrono>

#include "algorithms/host_probe.hpp"
#include "core/thread_team.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kWorked = std::size_t{64} << 10;  // bytes
constexpr double kClockTick = 1e-9;                     // s

double time_seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("barrier", "s", "a barrier of all threads of a team, which they reach together", {"threads"});
  rounds.declare("wake", "s", "extra time of a team's run after it has slept, with 64 KiB in the cache of each thread",
                 {"threads"});
  rounds.declare("thread_start", "s", "starting and joining threads", {"threads"});
  for (const int threads : bench.threads) {
    const std::vector<double> at{static_cast<double>(threads)};
    rounds.add("barrier", at, [threads] {
      constexpr int times = 256;
      ThreadTeam team{threads, processors()};
      return time_seconds([&] {
               team.run([&](int) {
                 for (int i = 0; i < times; ++i) team.wait();
               });
             }) /
             times;
    });
    rounds.add("wake", at, [&bench, threads] {
      ThreadTeam team{threads, processors()};
      const auto run = [&] {
        team.run([&](int thread) {
          rewrite_lines({bench.arenas[static_cast<std::size_t>(thread)]->out_words.data(), kWorked});
        });
      };
      run();
      const double awake = time_seconds(run);
      // The time between two sorts of a small input, during which the caller never sleeps. The longer processors sleep,
      // the later they wake, and the less is left in their caches.
      const auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds{1};
      while (std::chrono::steady_clock::now() < next) continue;
      return std::max(time_seconds(run) - awake, kClockTick);
    });
    rounds.add("thread_start", at, [threads] { return time_seconds([&] { timed(threads, [](int) {}); }); });
  }
}

const RegisterProbe registered{HostProbe{"threads", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
