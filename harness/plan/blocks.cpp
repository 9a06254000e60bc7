#include "harness/plan/blocks.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <tuple>

#include "harness/cell/case_text.hpp"

namespace sortlab {

std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter) {
  std::regex expression;
  try {
    expression.assign(filter);
  } catch (const std::regex_error&) {
    throw BadInput(fmt::format("filter: '{}' is no regular expression (ECMAScript)", filter.substr(0, 80)));
  }
  const std::string example = cells.empty() ? "" : text_of(cells.front().what);
  std::erase_if(cells, [&](const Cell& cell) { return !std::regex_search(text_of(cell.what), expression); });
  if (cells.empty()) {
    throw BadInput(
        fmt::format("filter: '{}' matches no cell; it is searched in texts like '{}'", filter.substr(0, 80), example));
  }
  return cells;
}

std::vector<Block> blocks_of(std::vector<Cell> cells) {
  std::vector<Block> blocks;
  std::map<std::tuple<Residency, HostMemory, KeyType, ValueType, std::uint64_t, std::string, std::uint64_t>,
           std::size_t>
      place;
  for (Cell& cell : cells) {
    const Case& c = cell.what;
    const auto [found, is_new] = place.try_emplace(
        {c.residency, c.host_memory, c.key, c.value, c.n, c.distribution.text, c.seed}, blocks.size());
    if (is_new) blocks.emplace_back();
    blocks[found->second].push_back(std::move(cell));
  }
  return blocks;
}

}  // namespace sortlab
