// The record of one invocation of `run`, `bench`, `count` or `tune`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sortlab {

/// The user's request, for the run record.
struct RunRequest {
  std::vector<std::string> command;
  std::string config{};  ///< a config's name; empty: none
  std::string config_digest{};
  std::string filter{};
  std::string shard{"1/1"};
  std::string validation{};  ///< SHA-256 of the validation's record, which commits to predictions; empty: none
};

/// `run` and `started` of its record: "20261123T014353Z-3fa2c1" and "2026-11-23T01:43:53Z".
struct RunIdentity {
  std::string id;
  std::string started;
};
RunIdentity new_run();

/// A note on runs among `records` that started later than now, by this machine's clock, or an empty text: their cells
/// count as newer than what is measured today.
std::string note_on_later_runs(const std::vector<nlohmann::ordered_json>& records);

/// The `run` record (results/README.md).
nlohmann::ordered_json run_record(const RunIdentity& run, const RunRequest& asked);

/// This program's command line.
std::vector<std::string> command_line();

/// The words of a command without the folders of the user's files of keys, which no record holds.
std::vector<std::string> without_key_paths(std::vector<std::string> words);

}  // namespace sortlab
