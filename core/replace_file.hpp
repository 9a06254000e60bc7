// Atomic replacement of files: the one writer of whole files.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// Makes `text` the content of a file, creating its folder if necessary. It is written to a temporary file beside the
/// target, synchronised, and renamed: after a kill or on a full disk, and for a reader, there is the old file or the
/// new one. A symbolic link is followed. The file keeps its mode; a new one gets the umask's. Anything but a plain file
/// (/dev/null) is written to directly, and so is a file that cannot be renamed over (one that a container mounts). A
/// file with further hard links keeps them: it is written in place, while the temporary file is there, and put back if
/// that fails; a kill in that moment leaves the temporary file, whole.
/// Throws std::runtime_error that names the file and the reason.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Throws, as replace_file() would, where a file cannot be written: for commands that measure for minutes before. Makes
/// its folder if necessary.
void check_replaceable(const std::filesystem::path& path);

/// Waits until a file's content is on disk. Returns 0, also where the file system cannot synchronise, or the error.
int synchronise(int file);

}  // namespace sortlab
