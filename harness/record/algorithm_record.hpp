// An algorithm's Info as a record: its origin, what it runs on, its roles.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "algorithms/plugin.hpp"

namespace sortlab {

class RecordAppender;

/// Facts of the algorithm independent of build and machine, as in `sortlab list algorithms --json` and in records. The
/// parameters of presets are as declared, those of roles as in records of measurements.
nlohmann::ordered_json algorithm_facts(const Info& info);

/// The `algorithm` record (results/README.md).
nlohmann::ordered_json algorithm_record(const Info& info);

/// Records every algorithm of this program, unless the file already has the same record.
void append_algorithms(RecordAppender& out);

}  // namespace sortlab
