#include "harness/free_cores.hpp"

#include <algorithm>
#include <barrier>
#include <thread>

#include "algorithms/common/affinity.hpp"
#include "harness/clock.hpp"

namespace sortlab {
namespace {

/// Additions a second of the fastest chain that this process timed so far, `now` included.
double fastest_chain(double now) {
  static double fastest = measured_clock_hz();
  fastest = std::max(fastest, now);
  return fastest;
}

}  // namespace

double side_by_side_share(const std::vector<int>& cpus, double speed) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> shares(cpus.size(), 0.0);
  std::barrier start(static_cast<std::ptrdiff_t>(cpus.size()));
  const auto loop = [&](std::size_t i) {
    const Pinned here({cpus[i]});
    start.arrive_and_wait();
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::milliseconds{8};
    double additions = 0;
    while (Clock::now() < end) additions += chained_additions();
    const std::chrono::duration<double> taken = Clock::now() - begin;
    shares[i] = additions / taken.count() / speed;
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < cpus.size(); ++i) others.emplace_back(loop, i);
    loop(0);
  }
  return std::ranges::min(shares);
}

double FreeCores::share(const std::vector<int>& cpus) {
  constexpr std::chrono::milliseconds fresh{500};
  if (cpus.size() > 1 && cpus == tested_ && Clock::now() - when_ < fresh) return share_;
  share_ = test(cpus);
  const auto begin = Clock::now();
  // Without a pause: a processor that slept wakes slowly, which would look like a neighbour again.
  while (share_ < kFree && Clock::now() - begin < patience_) share_ = test(cpus);
  const std::chrono::duration<double> waited = Clock::now() - begin;
  waited_ += waited;
  if (share_ < kFree) patience_ -= std::min(patience_, waited);
  tested_ = cpus;
  when_ = Clock::now();
  return share_;
}

double FreeCores::test(const std::vector<int>& cpus) {
  return cpus.size() > 1 ? side_by_side_share(cpus, fastest_chain(measured_clock_hz())) : share_of_this_one();
}

double FreeCores::share_of_this_one() {
  constexpr int chains = 4;
  double additions = 0;
  double fastest = 0;
  std::chrono::duration<double> taken{0};
  for (int i = 0; i < chains; ++i) {
    const auto begin = Clock::now();
    const double more = chained_additions();
    const std::chrono::duration<double> chain = Clock::now() - begin;
    additions += more;
    taken += chain;
    fastest = std::max(fastest, more / chain.count());
  }
  return additions / taken.count() / fastest_chain(fastest);
}

}  // namespace sortlab
