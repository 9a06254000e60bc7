#include "harness/measure/timed_call.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "core/raw_clock.hpp"

namespace sortlab {
namespace {

/// A reporter that keeps the single time and prints nothing.
class OneTime final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) seconds_ = run.real_accumulated_time;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

}  // namespace

double timed_call(const std::function<void()>& call) {
  std::exception_ptr thrown;
  auto* registration = benchmark::RegisterBenchmark("sort", [&](benchmark::State& state) {
    for (auto _ : state) {
      const auto begin = RawClock::now();
      try {
        call();
      } catch (...) {  // Google Benchmark would abort if the loop were left early
        thrown = std::current_exception();
      }
      const std::chrono::duration<double> taken = RawClock::now() - begin;
      state.SetIterationTime(taken.count());
    }
  });
  registration->UseManualTime()->Iterations(1);
  OneTime reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  if (thrown) std::rethrow_exception(thrown);
  return std::max(reporter.seconds(), 1e-9);
}

}  // namespace sortlab
