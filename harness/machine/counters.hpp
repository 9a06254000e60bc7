// Hardware counters, where the machine allows them, and the reason where it does not.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sortlab {

/// Counts by event name over one start-to-stop interval: {"cycles": 1.2e9, "branch_misses": 3e6}.
using CounterValues = std::map<std::string, double>;

class Counters {
 public:
  virtual ~Counters() = default;
  virtual void start() = 0;
  virtual CounterValues stop() = 0;
};

/// Why a source does not count here, in one line.
class CountersUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A way of counting that may turn out not to work on this machine.
struct CounterSource {
  std::string name;                                 ///< "perf_event", "likwid"
  std::function<std::unique_ptr<Counters>()> open;  ///< throws CountersUnavailable
};

/// perf_event_open of this process and the threads it starts later, user space only: cycles, instructions,
/// branch_misses, cache_misses, dtlb_misses, as far as the machine has them. Cheap to try.
CounterSource perf_event_source();

/// The same for the events of `sortlab count`: instructions, loads, stores, branches, branch_misses.
CounterSource operations_source();

/// likwid's library of version 5, or what SORTLAB_LIKWID names.
std::string likwid_library();

/// likwid's counters of `cpus`, whatever runs there, by one of its groups: its events, summed over the processors, and
/// the data volumes that the group derives ("L2 data volume [GBytes]"). Loaded with dlopen in a child process, never
/// linked, since its initialisation may hang; the child is killed when an answer takes longer than `limit`. For doctor
/// and calibrate, before any thread is started. `library` is the name passed to dlopen.
CounterSource likwid_source(std::vector<int> cpus, std::chrono::milliseconds limit = std::chrono::seconds{10},
                            std::string library = likwid_library(), std::string group = "CLOCK");

struct CounterChoice {
  std::unique_ptr<Counters> counters;  ///< null if no source works
  std::string source;                  ///< the name of the one that works; empty if none does
  std::string reason;                  ///< "likwid: …; perf_event: …" of those that do not
};

/// The first source that works, in order of preference.
CounterChoice choose_counters(const std::vector<CounterSource>& sources);

}  // namespace sortlab
