#include "harness/machine/free_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/affinity.hpp"
#include "core/bad_input.hpp"
#include "core/raw_clock.hpp"
#include "core/replace_file.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/stable_maximum.hpp"

namespace sortlab {
namespace {

/// The most additions a cycle that a core of this machine made alone, as far as it is known: kept in a file of the
/// machine's folder, never lowered. A folder that cannot be written to costs only that the next process learns it anew.
class AdditionsPerCycle {
 public:
  AdditionsPerCycle() {
    try {
      file_ = local_results(machine_id()) / "additions_per_cycle";
    } catch (const BadInput&) {  // no checkout and no installed files
      return;
    }
    double kept = 0;
    if (std::ifstream{file_} >> kept && kept > 0 && kept < kMaxAdditions) seen_ = {kept, kMaxAdditions};
  }

  double most() const { return seen_.most(); }

  /// Takes in what was seen now.
  void see(double additions) {
    if (!seen_.see(additions) || file_.empty()) return;
    try {
      std::filesystem::create_directories(file_.parent_path());
      replace_file(file_, fmt::format("{:.4f}\n", most()));
    } catch (const std::exception&) {
      file_.clear();
    }
  }

 private:
  static constexpr double kMaxAdditions = 9;  // additions a cycle: more than any core in use has adders

  std::filesystem::path file_;
  StableMaximum seen_{0, kMaxAdditions};
};

AdditionsPerCycle& additions_per_cycle() {
  static AdditionsPerCycle kept;
  return kept;
}

double rate(double (*add)()) {
  const auto begin = RawClock::now();
  const double additions = add();
  return additions / std::chrono::duration<double>(RawClock::now() - begin).count();
}

/// The highest rate of dependent additions on the caller's processor within 0.2 ms, and the mean of independent ones.
/// Teaches what the machine reaches.
AdditionRates rates_of_this_one() {
  constexpr int times = 3;
  double fastest_chain = 0;
  double fastest = 0;
  double seconds_of_one = 0;  // summed over the readings
  for (int i = 0; i < times; ++i) {
    fastest_chain = std::max(fastest_chain, rate(chained_additions));
    const double now = rate(independent_additions);
    fastest = std::max(fastest, now);
    seconds_of_one += 1 / now;
  }
  additions_per_cycle().see(fastest / fastest_chain);
  return {.chained = fastest_chain, .independent = times / seconds_of_one};
}

}  // namespace

AdditionRates side_by_side(const std::vector<int>& cpus) {
  std::vector<AdditionRates> rates(cpus.size());
  std::barrier start(static_cast<std::ptrdiff_t>(cpus.size()));
  const auto per_second = [&](double (*add)()) {
    start.arrive_and_wait();  // a start together: how much threads of one core slow each other down depends on the work
                              // of each
    const auto begin = RawClock::now();
    const auto end = begin + std::chrono::milliseconds{4};
    double additions = 0;
    while (RawClock::now() < end) additions += add();
    return additions / std::chrono::duration<double>(RawClock::now() - begin).count();
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
  if (cpus.size() > 1 && cpus == tested_ && RawClock::now() - when_ < fresh) return share_;
  share_ = test(cpus);
  const auto begin = RawClock::now();
  // Without a pause: a processor that has slept wakes slowly, which would look like a neighbour.
  const auto patience = patience_left();
  while (share_ < kFree && RawClock::now() - begin < patience) share_ = test(cpus);
  waited_ += RawClock::now() - begin;
  tested_ = cpus;
  when_ = RawClock::now();
  return share_;
}

std::chrono::duration<double> FreeCores::patience_left() const {
  constexpr double regained = 1.0 / 10;
  return patience_ + regained * std::chrono::duration<double>(RawClock::now() - since_) - waited_;
}

double FreeCores::test(const std::vector<int>& cpus) {
  if (cpus.size() == 1) return share_of_this_one();
  static double fastest_chain = 0;
  fastest_chain = std::max(fastest_chain, measured_clock_hz());
  const AdditionRates now = side_by_side(cpus);
  fastest_chain = std::max(fastest_chain, now.chained);
  const double chained = now.chained / fastest_chain;
  const auto alone = [](int cpu) {
    const Pinned here({cpu});
    return share_of_this_one();
  };
  const double first = alone(cpus.front());  // also teaches what a core reaches alone
  const double independent = std::min(1.0, now.independent / (now.chained * additions_per_cycle().most()));
  shares_core_ = independent < kFree && chained >= kFree && first >= kFree && alone(cpus.back()) >= kFree;
  return shares_core_ ? chained : std::min({chained, independent, first});
}

double FreeCores::share_of_this_one() {
  AdditionsPerCycle& known = additions_per_cycle();
  constexpr int patience = 64;  // until two readings agree there is nothing to compare with
  AdditionRates now = rates_of_this_one();
  for (int i = 0; i < patience && known.most() == 0; ++i) now = rates_of_this_one();
  return known.most() == 0 ? 1 : std::min(1.0, now.independent / (now.chained * known.most()));
}

}  // namespace sortlab
