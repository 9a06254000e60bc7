#include "harness/count/kernel_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

/// The fields of a CSV line. Quotes within a quoted field are doubled.
std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

/// Parses "1,876,404.5". Returns nullopt for a text, and for "no data".
std::optional<double> parse_number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Columns {
 public:
  explicit Columns(std::vector<std::string> header) : header_(std::move(header)) {}

  std::size_t size() const { return header_.size(); }
  std::size_t at(const std::string& name) const {
    const auto found = std::ranges::find(header_, name);
    if (found == header_.end()) throw BadInput(fmt::format("ncu: its table lacks the column '{}'", name));
    return static_cast<std::size_t>(found - header_.begin());
  }

 private:
  std::vector<std::string> header_;
};

}  // namespace

std::vector<KernelRow> kernel_rows(const std::string& log, const std::vector<std::string>& metrics) {
  // The range's column differs between versions in name and form, so the range is found by its own name.
  static const std::regex range{"sortlab_([0-9]+)_([0-9]+)"};
  std::vector<KernelRow> rows;
  std::optional<Columns> columns;
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('"')) continue;  // a message of ncu
    const std::vector<std::string> fields = split_fields(line);
    if (fields.front() == "ID") {
      columns.emplace(fields);
      continue;
    }
    std::smatch found;
    if (!columns || fields.size() != columns->size() || !std::regex_search(line, found, range)) continue;
    KernelRow row;
    row.name = fields[columns->at("Kernel Name")];
    row.grid = fields[columns->at("Grid Size")];
    row.block = fields[columns->at("Block Size")];
    const auto number = [&](const std::string& name) { return parse_number(fields[columns->at(name)]); };
    row.registers = static_cast<int>(number("launch__registers_per_thread").value_or(0));
    row.shared_bytes = static_cast<std::int64_t>(number("launch__shared_mem_per_block_static").value_or(0) +
                                                 number("launch__shared_mem_per_block_dynamic").value_or(0));
    row.sort = static_cast<std::size_t>(std::stoull(found[1]));
    row.reading = std::stoll(found[2]);
    for (const std::string& metric : metrics) {
      if (const auto value = number(metric)) row.metrics[metric] = *value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace sortlab
