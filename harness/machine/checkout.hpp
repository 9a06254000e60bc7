// Where the checkout lies: configs, published numbers and papers' machines are read from it, results written to it.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// The folder that holds `configs/` and `generators/`: SORTLAB_ROOT if set, else the nearest one above the running
/// program, else above the current folder. Throws BadInput if there is none.
const std::filesystem::path& checkout_root();

/// results/local/<machine id>, where this machine's records and profile go. Not created here.
std::filesystem::path local_results(std::string_view machine_id);

}  // namespace sortlab
