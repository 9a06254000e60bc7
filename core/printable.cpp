#include "core/printable.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "core/standard_streams.hpp"
#include "core/utf8.hpp"

namespace sortlab {
namespace {

/// Number of characters of UTF-8: bytes that do not continue one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Cuts a text of more than `most` characters to `most - 1` and an ellipsis.
std::string shortened(const std::string& text, std::size_t most) {
  if (width(text) <= most) return text;
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++bytes) {
    const bool begins = (static_cast<unsigned char>(text[bytes]) & 0xc0) != 0x80;
    if (begins && characters++ == most - 1) break;
  }
  std::string_view kept = std::string_view{text}.substr(0, bytes);
  while (kept.ends_with(' ')) kept.remove_suffix(1);
  return std::string{kept} + "…";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Character c = decode_utf8(text);
    const std::string_view bytes = text.substr(0, c.bytes);
    if (c.code == '\n') {
      line += ' ';
    } else if (c.code && (*c.code < 0x20 || (*c.code >= 0x7f && *c.code < 0xa0))) {
      line += fmt::format("\\x{:02x}", *c.code);
    } else if (c.code && is_unseen(*c.code)) {
      line += fmt::format("\\u{:04x}", *c.code);
    } else if (c.code) {
      line += bytes;
    } else {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    }
    text.remove_prefix(c.bytes);
  }
  return line;
}

void tell(std::string_view line) {
  write_patiently(STDERR_FILENO, printable(line) + "\n");  // may fail: the terminal may be gone
}

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(std::string_view text) const {
  if (!terminal_) return;
  std::string line = printable(text);
  if (const std::size_t width = terminal_width(STDERR_FILENO); line.size() >= width) line.resize(width - 1);
  write_patiently(STDERR_FILENO, "\r\033[K" + line);
}

void StatusLine::wipe() const {
  if (terminal_) write_patiently(STDERR_FILENO, "\r\033[K");
}

std::size_t terminal_width(int file) {
  if (const char* columns = std::getenv("COLUMNS")) {
    std::size_t width = 0;
    const std::string_view text = columns;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error == std::errc{} && end == text.data() + text.size() && width > 0) return width;
  }
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t table_width(int file) {
  const bool told = std::getenv("COLUMNS") != nullptr || isatty(file) == 1;
  return told ? terminal_width(file) : std::numeric_limits<std::size_t>::max();
}

std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> lines{header};
  for (const auto& row : rows) lines.push_back(row);
  std::vector<std::size_t> widths(header.size(), 0);
  for (auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = printable(line[i]);
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) row += line[i] + std::string(widths[i] - width(line[i]) + 2, ' ');
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

FittedTable fitted_table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows,
                         std::size_t naming, std::size_t max_width) {
  constexpr std::size_t gap = 2;
  constexpr std::size_t least = 12;  // a narrower column says nothing
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < header.size(); ++i) {
    widths.push_back(width(header[i]));
    for (auto& row : rows) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }
  const auto least_width = [&](std::size_t i) { return i < naming ? widths[i] : std::min(widths[i], least); };
  FittedTable result;
  std::size_t columns = 0;
  for (std::size_t taken = 0; columns < header.size(); ++columns) {
    taken += least_width(columns) + (columns > 0 ? gap : 0);
    if (taken > max_width && columns >= naming) break;
  }
  result.left_out.assign(header.begin() + static_cast<std::ptrdiff_t>(columns), header.end());
  widths.resize(columns);
  std::size_t whole = gap * (columns - 1);
  for (const std::size_t one : widths) whole += one;
  for (; whole > max_width; --whole) {
    const auto widest =
        std::max_element(widths.begin() + static_cast<std::ptrdiff_t>(std::min(naming, columns)), widths.end());
    if (widest == widths.end() || *widest <= least) break;  // names alone are wider: a terminal wraps them
    --*widest;
  }
  const auto cut = [&](std::vector<std::string>& line) {
    line.resize(columns);
    for (std::size_t i = 0; i < columns; ++i) line[i] = shortened(line[i], widths[i]);
  };
  cut(header);
  std::ranges::for_each(rows, cut);
  result.text = table(header, rows);
  return result;
}

}  // namespace sortlab
