// Valgrind's callgrind: finding it, running it, and reading its output.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/count/counting_failed.hpp"

namespace sortlab {

struct Valgrind {
  std::string path;     ///< empty: there is none
  std::string version;  ///< "3.19.0"
  std::string reason;   ///< why there is none; empty otherwise
};

/// The one at `given`; if that is empty, on PATH. Asks it for its version.
Valgrind find_valgrind(const std::string& given = {});

/// What was counted from one dump to the next.
struct CallgrindPart {
  std::string trigger;                   ///< what made it dump: "--dump-before=sortlab_phase_reading"
  std::map<std::string, double> events;  ///< by callgrind's name: {"Ir": 1e6}
};

/// The dumps in a file that callgrind wrote with --combine-dumps=yes. A torn last one is left out.
std::vector<CallgrindPart> callgrind_parts(const std::string& text);

/// Of each counted_call that ended, the events before the first reading of its phases' clock, after it, … after the
/// last, by the names of kHostCounters.
std::vector<std::vector<std::map<std::string, double>>> counted_calls(const std::vector<CallgrindPart>& parts);

struct CallgrindRun {
  std::string file;  ///< what callgrind wrote
  std::string log;   ///< what it and the program printed
  bool too_long = false;
};

/// Runs `program` under callgrind, which counts within counted_call (harness/measure/counted_call.hpp), data references
/// and branches too. Cache sizes are fixed, so that nothing depends on the machine's. Throws CountingFailed if valgrind
/// cannot start.
CallgrindRun run_under_callgrind(const Valgrind& valgrind, const std::vector<std::string>& program,
                                 const std::function<bool()>& too_long);

}  // namespace sortlab
