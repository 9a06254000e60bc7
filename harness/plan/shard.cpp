#include "harness/plan/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <set>

#include "harness/plan/blocks.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/plan/tuning.hpp"

namespace sortlab {
namespace {

std::uint64_t nominal_work(const Block& block) {
  std::uint64_t work = 0;
  for (const Cell& cell : block) work += nominal_ns(cell);
  return work;
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
  throw BadInput(fmt::format("shard: '{}' is not allowed; allowed: i/n with i from 1 to n, as 2/8, and n up to {}",
                             text.substr(0, 40), std::numeric_limits<int>::max()));
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

std::vector<Block> planned_blocks(const std::vector<Sweep>& sweeps) {
  return group_into_blocks(expand_sweeps(sweeps, Tunings{}, [](Case&) {}));
}

std::vector<Block> select_shard(std::vector<Block> blocks, const std::vector<Block>& planned, Shard shard) {
  if (planned.empty()) return {};
  std::vector<std::uint64_t> work;
  for (const Block& block : planned) work.push_back(nominal_work(block));
  std::vector<std::size_t> longest_first(planned.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first, std::greater{}, [&](std::size_t b) { return work[b]; });
  // If there are more shards than blocks, each of the first shards gets one block and the others none.
  std::vector<std::uint64_t> dealt(std::min(static_cast<std::size_t>(shard.count), planned.size()), 0);
  std::set<InputKey> mine;
  for (const std::size_t block : longest_first) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(dealt) - dealt.begin());
    dealt[least] += work[block];
    if (least + 1 == static_cast<std::size_t>(shard.index)) mine.insert(input_key(planned[block].front().subject));
  }
  std::erase_if(blocks, [&](const Block& block) { return !mine.contains(input_key(block.front().subject)); });
  return blocks;
}

}  // namespace sortlab
