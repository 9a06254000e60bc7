// Valgrind's callgrind: finds it, runs it, and reads its output.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/count/counting_failed.hpp"

namespace sortlab {

struct Valgrind {
  std::string path;     ///< empty: not found
  std::string version;  ///< "3.19.0"
  std::string reason;   ///< reason it was not found; empty otherwise
};

/// Finds valgrind at `given`, or on PATH if that is empty, and asks for its version.
Valgrind find_valgrind(const std::string& given = {});

/// Counts between two dumps.
struct CallgrindPart {
  std::string trigger;                   ///< cause of the dump: "--dump-before=sortlab_phase_reading"
  std::map<std::string, double> events;  ///< counts by callgrind's event name: {"Ir": 1e6}
};

/// The dumps in a file that callgrind wrote with --combine-dumps=yes. A torn last dump is left out.
std::vector<CallgrindPart> callgrind_parts(const std::string& text);

/// For each completed counted_call, the events before the first reading of the phase clock, after it, … and after the
/// last, under the names of kHostCounters.
std::vector<std::vector<std::map<std::string, double>>> counted_calls(const std::vector<CallgrindPart>& parts);

struct CallgrindRun {
  std::string file;  ///< output of callgrind
  std::string log;   ///< messages of callgrind and the program
  bool too_long = false;
};

/// Runs `program` under callgrind, which counts instructions, data references and branches within counted_call
/// (harness/measure/counted_call.hpp). Cache sizes are fixed, so that the counts do not depend on the machine. Throws
/// CountingFailed if valgrind cannot start.
CallgrindRun run_under_callgrind(const Valgrind& valgrind, const std::vector<std::string>& program,
                                 const std::function<bool()>& too_long);

}  // namespace sortlab
