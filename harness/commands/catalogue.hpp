// What there is to choose from, as `sortlab list` shows it: one JSON array a kind.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace sortlab {

/// `name`, `title`, `source`, `family`, `version`, `build`, `parallel`, `stable`, `in_place`, `allocates_inside`,
/// `keys`, `values`, `layouts`, `parameters`, `presets`, `phases`, `limits`, `runs_here` and, if not, `reason`.
nlohmann::ordered_json algorithm_catalogue();

/// `name`, `algorithm`, `title`, `source`, `postcondition`, `iterations`, `phases`, `runs_here` and, if not, `reason`.
nlohmann::ordered_json component_catalogue();

/// `name`, `title`, `source`, `parameters`.
nlohmann::ordered_json distribution_catalogue();

/// `name`, `title`, `source`, `algorithms`, `analytical`, `level`.
nlohmann::ordered_json model_catalogue();

/// `name`, `title`, `path` of configs/**.json; `error` where a file cannot be read.
nlohmann::ordered_json config_catalogue();

/// `id`, `name`, `origin`, `source`, `cores`, `clock_hz`, `path` of the profiles in models/machines/ and results/**;
/// `here` if it is of this machine; `error` where a file cannot be read.
nlohmann::ordered_json machine_catalogue();

}  // namespace sortlab
