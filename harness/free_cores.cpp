#include "harness/free_cores.hpp"

#include <algorithm>
#include <barrier>
#include <thread>

#include "algorithms/common/affinity.hpp"
#include "harness/clock.hpp"

namespace sortlab {

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
  if (cpus == tested_ && Clock::now() - when_ < fresh) return share_;
  const auto begin = Clock::now();
  const double speed = measured_clock_hz();
  share_ = side_by_side_share(cpus, speed);
  while (share_ < kFree && Clock::now() - begin < patience_) {
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    share_ = side_by_side_share(cpus, speed);
  }
  if (share_ < kFree) patience_ -= std::min<std::chrono::duration<double>>(patience_, Clock::now() - begin);
  tested_ = cpus;
  when_ = Clock::now();
  return share_;
}

}  // namespace sortlab
