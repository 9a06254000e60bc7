#include <chrono>

#include "algorithms/common/thread_team.hpp"
#include "harness/calibration/probes.hpp"

namespace sortlab::calibration {
namespace {

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void add_thread_probes(Rounds& rounds, Bench& bench) {
  rounds.declare("barrier", "s", "a meeting of all threads of a team, which they reach together", {"threads"});
  rounds.declare("wake", "s", "a run of a team whose threads sleep, with nothing to do", {"threads"});
  rounds.declare("thread_start", "s", "starting and joining threads", {"threads"});
  for (const int threads : bench.threads) {
    const std::vector<double> at{static_cast<double>(threads)};
    rounds.add("barrier", at, [threads] {
      constexpr int times = 256;
      ThreadTeam team{threads, processors()};
      return seconds_of([&] {
               team.run([&](int) {
                 for (int i = 0; i < times; ++i) team.wait();
               });
             }) /
             times;
    });
    rounds.add("wake", at, [threads] {
      ThreadTeam team{threads, processors()};
      team.run([](int) {});
      // As long as from one sort of a small input to the next, of which the caller sleeps through nothing: the longer
      // processors sleep, the later they wake.
      const auto awake = std::chrono::steady_clock::now() + std::chrono::milliseconds{1};
      while (std::chrono::steady_clock::now() < awake) continue;
      return seconds_of([&] { team.run([](int) {}); });
    });
    rounds.add("thread_start", at, [threads] { return seconds_of([&] { timed(threads, [](int) {}); }); });
  }
}

}  // namespace sortlab::calibration
