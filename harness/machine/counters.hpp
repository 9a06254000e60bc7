// Hardware counters, or the reason this machine offers none.
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

/// Thrown if a source does not count here, with the reason in one line.
class CountersUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A source of counts, which may not work on this machine.
struct CounterSource {
  std::string name;                                 ///< "perf_event", "likwid"
  std::function<std::unique_ptr<Counters>()> open;  ///< throws CountersUnavailable
};

/// perf_event_open for this process and the threads that it starts later, in user space only: cycles, instructions,
/// branch_misses, cache_misses, dtlb_misses, if the machine has them. Cheap to try.
CounterSource perf_event_source();

/// perf_event_open for the events of `sortlab count`: instructions, loads, stores, branches, branch_misses.
CounterSource operations_source();

/// Name of likwid's library of version 5, or the value of SORTLAB_LIKWID.
std::string likwid_library();

/// likwid's counters of `cpus`, for one of its groups. They count everything that runs there: the group's events,
/// summed over the processors, and the data volumes that the group derives ("L2 data volume [GBytes]"). The library is
/// loaded with dlopen in a child process, since its initialisation may hang. The child is killed if an answer takes
/// longer than `limit`. Call it before any thread is started. `library`: name passed to dlopen.
CounterSource likwid_source(std::vector<int> cpus, std::chrono::milliseconds limit = std::chrono::seconds{10},
                            std::string library = likwid_library(), std::string group = "CLOCK");

struct CounterChoice {
  std::unique_ptr<Counters> counters;  ///< null if no source works
  std::string source;                  ///< name of the working source; empty if none works
  std::string reason;                  ///< reasons of the sources that do not work: "likwid: …; perf_event: …"
};

/// The first source that works, in order of preference.
CounterChoice choose_counters(const std::vector<CounterSource>& sources);

}  // namespace sortlab
