// Folders in which the program finds configs, published numbers and the papers' machines, and to which it writes.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// The root folder: SORTLAB_ROOT if set, else share/sortlab of the prefix that the program is installed in, else the
/// nearest checkout above the program, else above the current folder. An installed share/sortlab has configs/,
/// models/machines/, results/ and plots/ like a checkout. Throws BadInput if there is none.
const std::filesystem::path& checkout_root();

/// The folder for this machine's records and profile: results/local/<machine id> of a checkout. An installed Sortlab
/// may not be writable, so its folder is in $XDG_DATA_HOME/sortlab, by default ~/.local/share/sortlab. Does not create
/// it.
std::filesystem::path local_results(std::string_view machine_id);

/// Resolves a file name from the command line: `given` if it exists, else the same path below checkout_root(), so that
/// `configs/quick.json` is found from everywhere.
std::filesystem::path given_or_shared(const std::filesystem::path& given);

}  // namespace sortlab
