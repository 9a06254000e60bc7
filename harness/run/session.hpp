// The work of `run`, `bench` or `tune`: measures, writes the records, and reports to the user at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/cell/work.hpp"
#include "harness/record/measurement.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/record/run_record.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {

struct SessionOptions {
  RecordAppender* out = nullptr;                                  ///< file that records go to; null: none
  std::function<void(const Cell&, const Measured&)> measured{};   ///< called with each measurement
  std::function<void(const nlohmann::ordered_json&)> recorded{};  ///< called with each measurement's record
  bool quiet = false;                                             ///< no progress
  SupervisorOptions supervisor;
};

struct SessionResult {
  std::size_t measured = 0;
  std::size_t disturbed = 0;          ///< cells among them that are marked as disturbed
  std::size_t throttled = 0;          ///< cells among these that a quota of a control group stopped
  std::vector<std::string> lost;      ///< "TEXT: STATUS: REASON" of each cell wrong, failed, crashed or timed out
  std::vector<std::string> expected;  ///< the same for cells that failed by a known limit of their algorithm
  std::vector<std::string> skipped;   ///< "TEXT: REASON"
  std::size_t left = 0;               ///< cells not measured: out of time, or a signal asked the run to end
};

/// Writes the records of the run and its algorithms if there is anything to write, records the skipped cells, and
/// measures the others.
SessionResult run_session(const Work& work, const RunRequest& asked, const SessionOptions& options);

/// Adds a measurement to `lost`, `expected` or `skipped`, so that a resumed run also reports the cells that it found
/// done.
void note(SessionResult& result, const Measured& measurement, const std::string& text);

/// A command, this program's own unless another is given, quoted for a shell.
std::string command_text(const std::vector<std::string>& words = command_line());
/// A word as a shell reads it back: in quotation marks if it needs them.
std::string shell_word(const std::string& word);

/// Reports all problems on standard error. Returns the exit status: 1 if a cell is lost.
int conclude(const SessionResult& result);

}  // namespace sortlab
