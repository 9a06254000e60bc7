// Where the program finds configs, published numbers and the papers' machines, and where it writes.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// The one place that decides: SORTLAB_ROOT if set; else share/sortlab of the prefix that the program is installed in;
/// else the nearest checkout above the program, and then above the current folder. An installed share/sortlab has
/// configs/, models/machines/, results/ and plots/ as a checkout has them. Throws BadInput if there is none.
const std::filesystem::path& checkout_root();

/// The folder for this machine's records and profile: results/local/<machine id> of a checkout; for an installed
/// Sortlab, which may not be writable, in $XDG_DATA_HOME/sortlab, by default ~/.local/share/sortlab. Not created here.
std::filesystem::path local_results(std::string_view machine_id);

/// A file that a command names: itself if it is there, else the one of that path below checkout_root(), so that
/// `configs/quick.json` is found from everywhere.
std::filesystem::path given_or_shared(const std::filesystem::path& given);

}  // namespace sortlab
