// The catalogue behind `sortlab list`: one JSON array per kind.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sortlab {

/// The facts of algorithm_facts (harness/record/algorithm_record.hpp), and facts about this build and machine:
/// `version`, `build`, `parameters`, `runs_here` and, if that is false, `reason`.
nlohmann::ordered_json algorithm_catalogue();

/// `name`, `algorithm`, `title`, `source`, `postcondition`, `iterations`, `phases`, `runs_here` and, if that is false,
/// `reason`.
nlohmann::ordered_json component_catalogue();

/// `name`, `title`, `source`, `parameters`.
nlohmann::ordered_json distribution_catalogue();

/// `name`, `title`, `source`, `algorithms`, `model_kind`, `family`; `papers_times` if it is made from times of the
/// paper.
nlohmann::ordered_json model_catalogue();

/// `tables` that a model reads from the existing profiles (find_tables_read()), in the form of prediction records.
nlohmann::ordered_json model_details(const std::string& name);

/// `name`, `title`, `path` of configs/**.json; `error` if a file cannot be read.
nlohmann::ordered_json config_catalogue();

/// `profile`, the name for `--machine`, and `id`, `name`, `origin`, `source`, `cores`, `clock_hz`, `path` of
/// known_profiles(); `here` if it belongs to this machine; `date` and `commit` of a calibration, and `gpu`, the name of
/// its first device; `error` if a file cannot be read.
nlohmann::ordered_json machine_catalogue();

}  // namespace sortlab
