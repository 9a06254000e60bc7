#include "harness/measure/thread_use.hpp"

#include <fmt/format.h>

#include "harness/cell/problem.hpp"
#include "harness/verify/shuffled.hpp"

namespace sortlab {
namespace {

/// True if the caller did all the work of a parallel sort that takes long enough for others to help, on keys in no
/// order: sorted ones may leave nothing to divide. Overwrites the output.
bool left_threads_idle(const ThreadUse& use, const Case& c, Testbed& testbed) {
  if (c.threads == 1 || c.residency != Residency::host || c.key == KeyType::string) return false;
  if (c.component != nullptr || c.algorithm->info().times_itself) return false;
  constexpr double enough_s = 25e-3;  // a sort; the kernel accounts for running threads in ticks of up to 10 ms
  constexpr double nothing = 0.05;    // share of the processor time
  return c.n > kMaxPrimedElements && use.window_s > enough_s * use.samples &&
         use.others_s < nothing * use.processor_s && is_shuffled(testbed.input(c), case_problem(c));
}

}  // namespace

void ThreadUse::add(const SortFacts& facts) {
  ++samples;
  window_s += facts.window_s;
  processor_s += facts.processor_s;
  others_s += facts.others_s;
}

std::optional<Reason> fault_in_threads(const ThreadUse& use, const Case& c, Testbed& testbed) {
  if (left_threads_idle(use, c, testbed)) {
    return Reason{ReasonCode::idle_threads, fmt::format("used 1 thread, and was given {}", c.threads)};
  }
  constexpr double tick_s = 4e-3;           // tick of the scheduler
  constexpr double more_than_given = 0.25;  // threads
  const double unaccounted_s = c.n > kMaxPrimedElements ? tick_s * c.threads : 0;
  if (use.processor_s <= (c.threads + more_than_given) * use.window_s + unaccounted_s) return std::nullopt;
  const double used = use.window_s > 0 ? use.processor_s / use.window_s : 0;
  return Reason{ReasonCode::too_many_threads, fmt::format("used {:.1f} threads, and was given {}", used, c.threads)};
}

}  // namespace sortlab
