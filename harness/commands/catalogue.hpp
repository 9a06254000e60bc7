// The catalogue behind `sortlab list`: one JSON array per kind.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sortlab {

/// The facts of facts_of (harness/record/algorithm_record.hpp), and those of this build and machine: `version`,
/// `build`, `parameters`, `runs_here` and, if not, `reason`.
nlohmann::ordered_json algorithm_catalogue();

/// `name`, `algorithm`, `title`, `source`, `postcondition`, `iterations`, `phases`, `runs_here` and, if not, `reason`.
nlohmann::ordered_json component_catalogue();

/// `name`, `title`, `source`, `parameters`.
nlohmann::ordered_json distribution_catalogue();

/// `name`, `title`, `source`, `algorithms`, `model_kind`, `family`; `papers_times` where it is made from them.
nlohmann::ordered_json model_catalogue();

/// `tables` that a model reads of the profiles there are (find_tables_read), as in its predictions.
nlohmann::ordered_json model_details(const std::string& name);

/// `name`, `title`, `path` of configs/**.json; `error` where a file cannot be read.
nlohmann::ordered_json config_catalogue();

/// `id`, `name`, `origin`, `source`, `cores`, `clock_hz`, `path` of the profiles in models/machines/ and results/**;
/// `here` if it is of this machine; `error` where a file cannot be read.
nlohmann::ordered_json machine_catalogue();

}  // namespace sortlab
