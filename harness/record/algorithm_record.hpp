// What others must know about an algorithm, from its Info into records: its origin, what it runs on, its roles.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "algorithms/plugin.hpp"

namespace sortlab {

class RecordAppender;

/// What holds of the algorithm in any build and on any machine, as `sortlab list algorithms --json` and records show
/// it. The parameters of presets are as given, those of roles as records of measurements hold them.
nlohmann::ordered_json facts_of(const Info& info);

/// The `algorithm` record (results/README.md).
nlohmann::ordered_json algorithm_record(const Info& info);

/// Records every algorithm of this program, but those that the file has the same record of.
void append_algorithms(RecordAppender& out);

}  // namespace sortlab
