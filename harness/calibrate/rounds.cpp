#include "harness/calibrate/rounds.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "core/affinity.hpp"
#include "core/statistics.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/free_cores.hpp"

namespace sortlab::calibration {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the samples that count: what a sort may be disturbed by disturbs a micro-benchmark, too.
MedianInterval result(const std::vector<Sample>& samples) {
  std::vector<TimedSample> timed;
  for (const Sample& sample : samples) timed.push_back({.seconds = sample.value, .core_share = sample.speed});
  std::vector<double> values;
  for (const std::size_t i : samples_that_count({}, timed)) values.push_back(samples[i].value);
  return median_interval(values);
}

/// Returns once `threads` threads have come. Who yields comes back a microsecond late, where some pieces take eight;
/// who never does is thrown off its processor later.
void meet(std::atomic<int>& come, int threads) {
  ++come;
  for (unsigned looks = 1; come < threads; ++looks) {
    if (looks % 1024 == 0) std::this_thread::yield();
  }
}

struct Span {
  Clock::time_point begin;
  Clock::time_point end;
};

/// When each of `threads` threads did body(thread).
std::vector<Span> spans_of(int threads, const std::function<void(int)>& body, const std::function<void(int)>& before) {
  std::vector<Span> spans(static_cast<std::size_t>(threads));
  std::atomic<int> ready = 0;  // threads that sleep until all have come begin some ten microseconds apart
  std::atomic<int> done = 0;   // a thread that ends interrupts the others
  {
    std::vector<std::jthread> team;
    for (int thread = 0; thread < threads; ++thread) {
      team.emplace_back([&, thread] {
        pin_to({processors()[static_cast<std::size_t>(thread) % processors().size()]});
        if (before) before(thread);
        meet(ready, threads);
        Span& span = spans[static_cast<std::size_t>(thread)];
        span.begin = Clock::now();
        body(thread);
        span.end = Clock::now();
        meet(done, threads);
      });
    }
  }
  return spans;
}

constexpr double kNarrow = 0.1;  ///< width of an interval over its median that needs no more samples

}  // namespace

const std::vector<int>& processors() {
  static const std::vector<int> usable = allowed_cpus();
  return usable;
}

double timed(int threads, const std::function<void(int thread)>& body, const std::function<void(int thread)>& before) {
  const std::vector<Span> spans = spans_of(threads, body, before);
  const auto first = std::ranges::min(spans, {}, &Span::begin).begin;
  return std::chrono::duration<double>(std::ranges::max(spans, {}, &Span::end).end - first).count();
}

double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before) {
  double rates = 0;
  for (const Span& span : spans_of(threads, body, before)) {
    rates += 1 / std::chrono::duration<double>(span.end - span.begin).count();
  }
  return threads / rates;
}

Rounds::Measure on_free_cores() {
  auto cores = std::make_shared<FreeCores>(std::chrono::seconds{10});
  return [cores](const std::function<double()>& probe) {
    const double share = cores->share(processors());
    return Sample{.value = probe(), .speed = share};
  };
}

void Rounds::declare(const std::string& table, std::string unit, std::string source,
                     std::vector<std::string> arguments) {
  declared_[table] = {
      .unit = std::move(unit), .source = std::move(source), .arguments = std::move(arguments), .points = {}};
}

void Rounds::add(const std::string& table, std::vector<double> at, std::function<double()> sample) {
  if (declared_.at(table).arguments.size() != at.size()) throw std::logic_error("arguments of " + table);
  probes_.push_back({table, std::move(at), std::move(sample), {}});
}

void Rounds::run(int rounds, double seconds, const std::function<void(double)>& progress) {
  const auto begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      if (round == 0) {
        probes_[i].sample();
      } else {
        probes_[i].samples.push_back(measure_(probes_[i].sample));
      }
      if (i % 64 == 0) {
        const auto done = static_cast<double>(static_cast<std::size_t>(round) * probes_.size() + i);
        progress(done / static_cast<double>(static_cast<std::size_t>(rounds + 1) * probes_.size()) / 2);
      }
    }
  }
  for (bool all_narrow = false; !all_narrow && passed() < seconds;) {
    all_narrow = true;
    for (Probe& probe : probes_) {
      const MedianInterval now = result(probe.samples);
      if (now.upper - now.lower <= kNarrow * now.median || passed() >= seconds) continue;
      all_narrow = false;
      probe.samples.push_back(measure_(probe.sample));
    }
    progress(std::min(1.0, 0.5 + passed() / seconds / 2));
  }
}

void Rounds::write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const {
  for (const auto& [name, table] : declared_) tables[name] = table;
  for (const Probe& probe : probes_) {
    const MedianInterval interval = result(probe.samples);
    tables[probe.table].points.push_back({probe.at, interval.median, std::pair{interval.lower, interval.upper}});
  }
}

}  // namespace sortlab::calibration
