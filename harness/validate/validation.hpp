// A validation: cells are drawn from a seed, their predictions are written and committed to, and only then are they
// measured. One file holds all records, in this order: `validation`, `prediction`s, `drift`, `run`, `measurement`s,
// `drift`, `validation_end`.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/session.hpp"
#include "harness/validate/validation_record.hpp"

namespace sortlab {

inline constexpr const char* kValidationFile = "validation.jsonl";
inline constexpr const char* kValidationProfile = "profile.json";

struct ValidationOptions {
  std::filesystem::path folder;  ///< folder that holds the profile, kValidationProfile, and gets kValidationFile
  ValidationRequest asked;
  /// Measures some of the profile's tables again; returns nothing if that is impossible. May be empty.
  std::function<std::optional<MachineProfile>()> calibrate_again{};
  const StopSignals* stop = nullptr;  ///< held from `committed` on
  bool quiet = false;
};

struct ValidationResult {
  SessionResult session;
  std::size_t cells = 0;
  std::size_t done_before = 0;  ///< number of these that were measured before the file was opened
  std::size_t predictions = 0;
  std::string commitment;  ///< SHA-256 of the `validation` record, which commits to all predictions
  bool began = false;      ///< the file existed before this call
  bool ended = false;
  std::vector<std::pair<std::string, std::string>> different;  ///< cells and models whose predictions differ now
  /// Signed errors, shares of the measured time, by kind of model and number of threads.
  std::map<std::pair<std::string, int>, std::vector<double>> errors;
  /// The same by kind of model and file of keys, for cells that sort one.
  std::map<std::pair<std::string, std::string>, std::vector<double>> errors_by_file;
  /// The same of joules by plug-in, and the cells without joules to believe, by reason.
  std::map<std::string, std::vector<double>> energy_errors;
  std::map<std::string, std::size_t> without_energy;
  std::vector<std::string> coverage;  ///< drawn cells that each kind predicts, in lines for people
};

/// Draws cells and writes their predictions, or reads both from the file. Then measures the cells without measurement.
/// A finished file is not measured again: this build's models predict the same cells, and `different` lists the
/// differences. Calls `committed` before anything is measured. Throws BadInput for a file that is not a validation,
/// that belongs to another machine or another build of the models, or whose predictions differ from its commitment.
ValidationResult validate(
    const ValidationOptions& options,
    const std::function<void(const ValidationResult&)>& committed = [](const auto&) {});

/// The models' predictions for `cells`, cell by cell. Removes cells without predictions.
std::vector<CommittedPrediction> predict_for_commitment(std::vector<Cell>& cells, const MachineProfile& profile,
                                                        std::optional<ModelKind> kind);

/// The seed and budget with which a validation file was begun; nullopt if there is no such file yet.
struct BegunWith {
  std::uint64_t seed = 0;
  double budget_s = 0;
};
std::optional<BegunWith> begun_with(const std::filesystem::path& folder);

}  // namespace sortlab
