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

/// Writes one line, made printable, to standard error. Every message of a command that may hold a name goes through
/// here.
void tell(std::string_view line);

/// A line on standard error that changes in place. Where standard error is no terminal, nothing is shown.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_shown() const { return terminal_; }
  /// Shows `text`, made printable and cut to the terminal's width, in place of what was shown before.
  void show(std::string_view text) const;
  /// Leaves the terminal's line empty, for tell().
  void wipe() const;

 private:
  bool terminal_;
};

/// Lays out a header and rows of cells in columns as wide as they need. Every cell is made printable; the text ends
/// with a line break.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

/// Width of the terminal in characters: $COLUMNS where that is set, 80 where `file` is no terminal.
std::size_t terminal_width(int file);

/// Width for tables: that of the terminal, or no limit where `file` is no terminal and $COLUMNS is not set.
std::size_t table_width(int file);

struct FittedTable {
  std::string text;
  std::vector<std::string> left_out;  ///< headings of the last columns, which do not fit
};

/// Lays out a table in lines of at most `max_width` characters. The widest cells are cut with an ellipsis, never those
/// of the first `naming` columns; columns that would be too narrow to read are left out, the last first.
FittedTable fitted_table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows,
                         std::size_t naming, std::size_t max_width);

}  // namespace sortlab
