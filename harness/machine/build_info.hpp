// Facts about this build of Sortlab.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sortlab {

/// The version, which project() in CMakeLists.txt sets.
const std::string& version();

/// True if sorts for CUDA devices are compiled in.
bool cuda_built();

/// `version`, `commit` (null outside git), `dirty` (sources changed or added since that commit; null outside git),
/// `compiler`, `flags`, `build_type`, `libraries` (name to version). Versions of peers are in Info::version.
const nlohmann::ordered_json& build_record();

}  // namespace sortlab
