// Compressed files, as gzip(1) writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sortlab {

/// True for bytes that begin as a file of gzip does.
bool is_gzip(std::string_view bytes);

/// The content of a file of gzip, whose parts may be several. Throws std::runtime_error with the reason where it ends
/// early, is damaged, is followed by anything else but zeros, or holds more than `most` bytes.
std::string gunzip(std::string_view bytes, std::size_t most);

}  // namespace sortlab
