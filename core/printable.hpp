// Output to a terminal: foreign text made harmless, and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// `text` on one line and without control characters (line breaks become spaces, others are written as \x1b), without
/// those that turn the direction of text or cannot be seen (\u202e) and without bytes that are no UTF-8 (\xff): a
/// record's string must neither move a reader's cursor nor display as something else.
std::string printable(std::string_view text);

/// One line on standard error, made printable: every message of a command that may hold a name goes through here.
void tell(std::string_view line);

/// Rows of cells in columns as wide as they need, a header first; every cell is made printable. Ends with a line break.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

/// How many characters a line of this terminal holds: $COLUMNS where that is set, 80 where `file` is no terminal.
std::size_t terminal_width(int file);

struct FittedTable {
  std::string text;
  std::vector<std::string> left_out;  ///< headings of the last columns, for which there is no room
};

/// The same in lines of at most `most_width` characters: the widest cells are cut with an ellipsis, never those of the
/// first `naming` columns, and columns that would have to be too narrow to read are left out, the last first.
FittedTable fitted_table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows,
                         std::size_t naming, std::size_t most_width);

}  // namespace sortlab
