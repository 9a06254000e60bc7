// One invocation of `run` or `bench`: the run record, the cells, their records, and what to tell the user at the end.
#pragma once

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {

/// What was asked for; goes into the run record.
struct Asked {
  std::vector<std::string> command;
  std::string config;  ///< a config's name; empty: none
  std::string config_digest;
  std::string filter;
  Shard shard;
};

struct SessionOptions {
  RecordAppender* out = nullptr;                            ///< where records go, if anywhere
  std::function<void(const nlohmann::ordered_json&)> show;  ///< called with each measurement
  bool quiet = false;                                       ///< no progress
  SupervisorOptions supervisor;
};

struct SessionResult {
  std::size_t measured = 0;
  std::vector<std::string> lost;     ///< "TEXT: STATUS: REASON" of each cell wrong, failed, crashed or out of time
  std::vector<std::string> skipped;  ///< "TEXT: REASON"
  std::size_t left = 0;              ///< for want of time
};

/// One invocation.
struct RunIdentity {
  std::string id;
  std::string started;
};
RunIdentity new_run();
/// The `run` record (results/README.md).
nlohmann::ordered_json run_record(const RunIdentity& run, const Asked& asked);

/// Why a cell cannot run here, or nothing: what its distribution, its algorithm or this machine's processors say.
std::optional<std::string> reason_to_skip(const Cell& cell);

/// Writes a run record if there is anything to write, skips what will not run, measures the rest.
SessionResult run_session(const std::vector<Block>& blocks, const Asked& asked, const SessionOptions& options);

/// What `lost` and `skipped` say of a measurement record, so that a resumed run tells of what it found done.
void note(SessionResult& result, const nlohmann::ordered_json& measurement, const std::string& text);

/// Tells of all that did not go well, on standard error; returns the exit status: 1 if a cell is lost.
int conclude(const SessionResult& result);

/// This program's command line.
std::vector<std::string> command_line();

}  // namespace sortlab
