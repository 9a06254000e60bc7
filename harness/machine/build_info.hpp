// Which build of Sortlab this is.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sortlab {

/// The version, from the one place that sets it: project() in CMakeLists.txt.
const std::string& version();

/// Whether sorts for CUDA devices are compiled in.
bool cuda_built();

/// `version`, `commit` (null outside git), `dirty` (tracked sources changed or sources added since that commit; null
/// outside git), `compiler`, `flags`, `build_type`, `libraries` (name to version). Peers' versions are in Info.version.
const nlohmann::ordered_json& build_record();

}  // namespace sortlab
