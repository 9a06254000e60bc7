// The shared libraries that are loaded in this process, as they are in its memory: LD_LIBRARY_PATH, LD_PRELOAD or an
// upgrade may bring another build of a library than the one that Sortlab was compiled with.
#pragma once

#include <map>
#include <set>
#include <string>

namespace sortlab {

/// The name that other programs know each library by (DT_SONAME), and the build id that its linker gave it; where it
/// has none the SHA-256 of its file. Without the program itself and what the kernel maps.
std::map<std::string, std::string> loaded_libraries();

/// Names that both have with different builds.
std::set<std::string> different_libraries(const std::map<std::string, std::string>& a,
                                          const std::map<std::string, std::string>& b);

/// The command, not for users, that prints loaded_libraries() as JSON.
inline constexpr const char* kLibrariesCommand = "loaded-libraries";

/// Libraries of which LD_LIBRARY_PATH brings another build: this program, started without it, has others. Empty where
/// the variable is not set, or where the program does not start without it.
std::set<std::string> libraries_of_library_path();

}  // namespace sortlab
