// The work of `run`, `bench` or `tune`: measures, writes the records, and reports to the user at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/cell/work.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/record/run_record.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {

struct SessionOptions {
  RecordAppender* out = nullptr;                            ///< file for the records, if any
  std::function<void(const nlohmann::ordered_json&)> show;  ///< called with each measurement
  bool quiet = false;                                       ///< show no progress
  SupervisorOptions supervisor;
};

struct SessionResult {
  std::size_t measured = 0;
  std::vector<std::string> lost;      ///< "TEXT: STATUS: REASON" of each wrong, failed, crashed or timed-out cell
  std::vector<std::string> expected;  ///< the same for cells that failed by a known limit of their algorithm
  std::vector<std::string> skipped;   ///< "TEXT: REASON"
  std::size_t left = 0;               ///< cells left because time ran out or a signal asked the run to end
};

/// Writes the records of the run and its algorithms if there is anything to write, records the skipped cells, and
/// measures the others.
SessionResult run_session(const Work& work, const RunRequest& asked, const SessionOptions& options);

/// Adds a measurement record to `lost`, `expected` and `skipped`, so that a resumed run also reports the cells that it
/// found done.
void note(SessionResult& result, const nlohmann::ordered_json& measurement, const std::string& text);

/// The command line of this program, quoted for a shell.
std::string command_text();

/// Reports all problems on standard error. Returns the exit status: 1 if a cell is lost.
int conclude(const SessionResult& result);

}  // namespace sortlab
