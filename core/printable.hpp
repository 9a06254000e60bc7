// What goes to a terminal: text of users and strangers made harmless, and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// `text` on one line and without control characters (line breaks become spaces, others are written as \x1b): a
/// record's string must not move a reader's cursor.
std::string printable(std::string_view text);

/// Rows of cells in columns as wide as they need, a header first; every cell is made printable. Ends with a line break.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

}  // namespace sortlab
