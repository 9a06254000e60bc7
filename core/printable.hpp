// What goes to a terminal: text of users and strangers made harmless, and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// `text` on one line and without control characters (line breaks become spaces, others are written as \x1b), without
/// those that turn the direction of text or cannot be seen (\u202e) and without bytes that are no UTF-8 (\xff): a
/// record's string must neither move a reader's cursor nor show something else than it is.
std::string printable(std::string_view text);

/// One line on standard error, made printable: every message of a command that may hold a name goes through here.
void tell(std::string_view line);

/// Rows of cells in columns as wide as they need, a header first; every cell is made printable. Ends with a line break.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

}  // namespace sortlab
