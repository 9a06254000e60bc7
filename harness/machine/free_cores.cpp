#include "harness/machine/free_cores.hpp"

#include <algorithm>
#include <barrier>
#include <map>
#include <thread>

#include "core/affinity.hpp"
#include "harness/machine/clock.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

/// `now` as a share of the maximum so far, which `most` keeps.
double share_of_most(double now, double& most) {
  most = std::max(most, now);
  return now / most;
}

}  // namespace

AdditionRates side_by_side(const std::vector<int>& cpus) {
  std::vector<AdditionRates> rates(cpus.size());
  std::barrier start(static_cast<std::ptrdiff_t>(cpus.size()));
  const auto per_second = [&](double (*add)()) {
    start.arrive_and_wait();  // a start together: how much threads of one core slow each other down depends on the work
                              // of each
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::milliseconds{4};
    double additions = 0;
    while (Clock::now() < end) additions += add();
    return additions / std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const auto loop = [&](std::size_t i) {
    const Pinned here({cpus[i]});
    rates[i] = {.chained = per_second(chained_additions), .independent = per_second(independent_additions)};
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < cpus.size(); ++i) others.emplace_back(loop, i);
    loop(0);
  }
  return {.chained = std::ranges::min(rates, {}, &AdditionRates::chained).chained,
          .independent = std::ranges::min(rates, {}, &AdditionRates::independent).independent};
}

double FreeCores::share(const std::vector<int>& cpus) {
  constexpr std::chrono::milliseconds fresh{500};
  if (cpus.size() > 1 && cpus == tested_ && Clock::now() - when_ < fresh) return share_;
  share_ = test(cpus);
  const auto begin = Clock::now();
  // Without a pause: a processor that has slept wakes slowly, which would look like a neighbour.
  while (share_ < kFree && Clock::now() - begin < patience_) share_ = test(cpus);
  const std::chrono::duration<double> waited = Clock::now() - begin;
  waited_ += waited;
  if (share_ < kFree) patience_ -= std::min(patience_, waited);
  tested_ = cpus;
  when_ = Clock::now();
  return share_;
}

double FreeCores::test(const std::vector<int>& cpus) {
  static double fastest_chain = 0;
  static std::map<std::vector<int>, double> most_of;
  if (cpus.size() == 1) return share_of_this_one();
  share_of_most(measured_clock_hz(), fastest_chain);  // the rate of a core alone also counts
  const AdditionRates now = side_by_side(cpus);
  return std::min(share_of_most(now.chained, fastest_chain), share_of_most(now.independent, most_of[cpus]));
}

double FreeCores::share_of_this_one() {
  static double most = 0;
  constexpr int times = 4;
  double additions = 0;
  std::chrono::duration<double> taken{0};
  for (int i = 0; i < times; ++i) {
    const auto begin = Clock::now();
    const double more = independent_additions();
    const std::chrono::duration<double> time = Clock::now() - begin;
    additions += more;
    taken += time;
    share_of_most(more / time.count(), most);
  }
  return share_of_most(additions / taken.count(), most);
}

}  // namespace sortlab
