#include "harness/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <numeric>
#include <regex>
#include <tuple>

namespace sortlab {
namespace {

/// Work of a block in bytes moved, about: an integer, so that every machine deals out the same shards.
std::uint64_t work_of(const Block& block) {
  const Case& c = block.front().what;
  return block.size() * (1000 + input_bytes(c) * static_cast<std::uint64_t>(std::bit_width(c.n)));
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  const auto number = [](std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size() ? value : 0;
  };
  if (slash != std::string_view::npos) {
    const Shard shard{.index = number(text.substr(0, slash)), .count = number(text.substr(slash + 1))};
    if (shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw BadInput(
      fmt::format("shard: '{}' is not allowed; allowed: i/n with i from 1 to n, as 2/8", text.substr(0, 40)));
}

double parse_duration(std::string_view text) {
  double factor = 1;
  std::string_view digits = text;
  if (!text.empty()) {
    constexpr std::string_view units = "smh";
    if (const auto unit = units.find(text.back()); unit != std::string_view::npos) {
      factor = unit == 0 ? 1 : unit == 1 ? 60 : 3600;
      digits.remove_suffix(1);
    }
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || !(number > 0) || !(number * factor < 1e9)) {
    throw BadInput(fmt::format("time-budget: '{}' is not allowed; allowed: a time above 0, as 90, 90s, 5m or 1.5h",
                               text.substr(0, 40)));
  }
  return number * factor;
}

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

std::vector<Block> shard_of(std::vector<Block> blocks, Shard shard) {
  std::vector<std::size_t> by_work(blocks.size());
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  std::ranges::stable_sort(by_work, std::greater{}, [&](std::size_t b) { return work_of(blocks[b]); });
  std::vector<std::uint64_t> work(static_cast<std::size_t>(shard.count), 0);
  std::vector<bool> mine(blocks.size(), false);
  for (const std::size_t block : by_work) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(work) - work.begin());
    work[least] += work_of(blocks[block]);
    mine[block] = least + 1 == static_cast<std::size_t>(shard.index);
  }
  std::vector<Block> chosen;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (mine[b]) chosen.push_back(std::move(blocks[b]));
  }
  return chosen;
}

}  // namespace sortlab
