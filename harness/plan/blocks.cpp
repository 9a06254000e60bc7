#include "harness/plan/blocks.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <map>

#include "harness/cell/case_text.hpp"

namespace sortlab {

namespace {

/// Maximum length of a filter: more than anybody types, and short enough to compile at once.
constexpr std::size_t kMaxFilterBytes = 1000;

[[noreturn]] void refuse(std::string_view filter, std::string_view why) {
  throw BadInput(fmt::format("--filter: '{}{}' {}; allowed: a regular expression of RE2, up to {} bytes",
                             filter.substr(0, 60), filter.size() > 60 ? "..." : "", why, kMaxFilterBytes));
}

/// Compiles a filter. RE2 matches every expression in time linear in the text, and without deep recursion.
RE2 compile_filter(const std::string& filter) {
  if (filter.size() > kMaxFilterBytes) refuse(filter, fmt::format("has {} bytes", filter.size()));
  RE2::Options options;
  options.set_log_errors(false);
  return RE2{filter, options};
}

}  // namespace

std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter) {
  const RE2 expression = compile_filter(filter);
  if (!expression.ok()) {
    // "missing ): ((u32": the part after the colon quotes the expression.
    const std::string& error = expression.error();
    refuse(filter, fmt::format("is no regular expression ({})", error.substr(0, error.find(':'))));
  }
  const std::string example = cells.empty() ? "" : case_text(cells.front().subject);
  std::erase_if(cells, [&](const Cell& cell) { return !RE2::PartialMatch(case_text(cell.subject), expression); });
  if (cells.empty()) refuse(filter, fmt::format("matches no cell: it is searched in texts like '{}'", example));
  return cells;
}

InputKey input_key(const Case& c) {
  return {c.residency, c.host_memory,      c.key,        c.value, c.n, c.distribution.text,
          c.seed,      to_text(c.devices), c.shard_sizes};
}

std::vector<Block> group_into_blocks(std::vector<Cell> cells) {
  std::vector<Block> blocks;
  std::map<InputKey, std::size_t> place;
  for (Cell& cell : cells) {
    const auto [found, is_new] = place.try_emplace(input_key(cell.subject), blocks.size());
    if (is_new) blocks.emplace_back();
    blocks[found->second].push_back(std::move(cell));
  }
  return blocks;
}

}  // namespace sortlab
