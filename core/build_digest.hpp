// Identity of the build of each plug-in in this program.
#pragma once

#include <string>
#include <string_view>

namespace sortlab {

/// The digest of a plug-in's object code (16 hexadecimal digits): sources, all they include, compiler and flags.
/// Throws std::out_of_range for a name that no plug-in has.
const std::string& build_digest(std::string_view algorithm);

/// The same, or nullptr.
const std::string* find_build_digest(std::string_view algorithm);

/// The name under which a distribution of a module has its digest. No sort has such a name.
inline std::string distribution_digest_name(std::string_view distribution) {
  return "distribution " + std::string{distribution};
}

struct RegisterBuildDigest {
  RegisterBuildDigest(std::string_view algorithm, std::string_view digest);
};

}  // namespace sortlab
