// The records of a validation (results/README.md): `validation`, which commits to predictions before anything is
// measured; `drift`, how far the machine moved; and `validation_end`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/validate/draw.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// A prediction as the line in the file.
struct CommittedPrediction {
  std::string cell;
  std::string model;
  std::string line;  ///< without its line break
};

/// What determines the draw, and the request.
struct ValidationRequest {
  DrawOptions draw;
  double budget_s = 600;
  std::string config{};  ///< a config's name; empty: none
};

/// The profile that was predicted from, as a file beside the records.
struct ProfileFile {
  const MachineProfile& profile;
  std::string name;    ///< beside the records: "profile.json"
  std::string sha256;  ///< of its bytes
};

/// SHA-256 of all lines, each with its line break: what `sha256sum` says of a file of them.
std::string sha256_of_lines(const std::vector<CommittedPrediction>& predictions);

nlohmann::ordered_json validation_record(const ValidationRequest& asked, const ProfileFile& profile, const Drawn& drawn,
                                         const std::vector<CommittedPrediction>& predictions);

/// A cell that was measured a second time at the end.
struct Repeat {
  std::string cell;
  double first_s = 0;  ///< medians
  double again_s = 0;
  std::vector<double> samples_s{};
};

/// `again`: some of the profile's tables measured again; null where nothing was. `when`: "begin" or "end".
nlohmann::ordered_json drift_record(const std::string& validation, const std::string& when,
                                    const MachineProfile& profile, const MachineProfile* again,
                                    const std::vector<Repeat>& repeats);

struct ValidationEnd {
  std::size_t measured = 0;            ///< cells with a time
  std::size_t left = 0;                ///< for want of time
  std::size_t lost = 0;                ///< wrong, failed, crashed, out of time or skipped
  std::string predicted_again_sha256;  ///< predictions of the same cells by the same models after measuring
  std::vector<std::pair<std::string, std::string>> different;  ///< cells and models whose predictions then differed
  std::string records_sha256;                                  ///< of the file so far
};

nlohmann::ordered_json validation_end_record(const std::string& validation, const ValidationEnd& end);

}  // namespace sortlab
