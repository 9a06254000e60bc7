#include "harness/plan/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>

#include "harness/cell/input_size.hpp"

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

std::string text_of(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

std::vector<Block> shard_of(std::vector<Block> blocks, Shard shard) {
  if (blocks.empty()) return {};
  std::vector<std::size_t> by_work(blocks.size());
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  std::ranges::stable_sort(by_work, std::greater{}, [&](std::size_t b) { return work_of(blocks[b]); });
  // Of more shards than blocks the first get one each and the others none, so that those need not be counted.
  std::vector<std::uint64_t> work(std::min(static_cast<std::size_t>(shard.count), blocks.size()), 0);
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
