// The records of a validation (results/README.md): `validation`, which commits to predictions before anything is
// measured; `drift`, the drift of the machine; and `validation_end`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/validate/draw.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// A prediction and its line in the file.
struct CommittedPrediction {
  std::string cell;
  std::string model;
  nlohmann::ordered_json record;
  std::string line;  ///< the record's text, without its line break
};

/// The options that determine the draw, and the request.
struct ValidationRequest {
  DrawOptions draw;
  double budget_s = 600;
  std::string config{};               ///< name of a config; empty: none
  std::vector<std::string> inputs{};  ///< files of keys that were drawn from, as distributions; empty: none
};

/// The file of the profile that the predictions read, beside the records.
struct ProfileFile {
  const MachineProfile& profile;
  std::string name;    ///< file name beside the records: "profile.json"
  std::string sha256;  ///< SHA-256 of its bytes
};

/// SHA-256 of all lines, each with its line break, as `sha256sum` computes it for a file of these lines.
std::string sha256_of_lines(const std::vector<CommittedPrediction>& predictions);

nlohmann::ordered_json validation_record(const ValidationRequest& asked, const ProfileFile& profile, const Drawn& drawn,
                                         const std::vector<CommittedPrediction>& predictions);

/// A cell that was measured a second time at the end.
struct Repeat {
  std::string cell;
  double first_s = 0;  ///< medians in seconds
  double again_s = 0;
  std::vector<double> samples_s{};
};

/// Makes a drift record. `again`: repeated measurements of some tables of the profile, or null. `when`: "begin" or
/// "end".
nlohmann::ordered_json drift_record(const std::string& validation, const std::string& when,
                                    const MachineProfile& profile, const MachineProfile* again,
                                    const std::vector<Repeat>& repeats);

struct ValidationEnd {
  std::size_t measured = 0;            ///< number of cells with a time
  std::size_t left = 0;                ///< number of cells left for lack of time
  std::size_t lost = 0;                ///< number of cells that were wrong, failed, crashed, timed out or skipped
  std::string predicted_again_sha256;  ///< SHA-256 of the predictions of the same cells after measuring
  std::vector<std::pair<std::string, std::string>> different;  ///< cells and models whose predictions then differed
  std::string records_sha256;                                  ///< SHA-256 of the file so far
};

nlohmann::ordered_json validation_end_record(const std::string& validation, const ValidationEnd& end);

}  // namespace sortlab
