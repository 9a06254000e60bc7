#include "harness/verify/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/verify/key_image.hpp"

namespace sortlab {
namespace {

std::string words_for(const Verification& verdict, const Findings& found, std::uint64_t n) {
  if (!verdict.multiset) return "the keys are not those of the input: some lost, changed or doubled";
  if (!verdict.order) return fmt::format("out of order at element {} of {}", found.descends_at, n);
  if (verdict.pairing == false) return "values parted from their keys, lost or doubled";
  if (verdict.tiles == false) return fmt::format("element {} of {} came from another tile", found.strayed_at, n);
  if (verdict.stability == false) {
    return fmt::format("claims to be stable, but equal keys changed places at element {} of {}", found.swapped_at, n);
  }
  return {};
}

}  // namespace

bool checks_stability(const InputDigest& input, const Problem& problem, bool claims_stable) {
  const bool ids_are_unique = problem.value == ValueType::u64 || input.n <= (std::uint64_t{1} << 32);
  return problem.value != ValueType::none && claims_stable && ids_are_unique;
}

std::optional<Verification> wrong_length(const InputDigest& input, const Buffers& output, const Problem& problem) {
  const bool separate_values = problem.value != ValueType::none && problem.layout == Layout::separate;
  if (output.keys.count == input.n && (!separate_values || output.values.count == input.n)) return std::nullopt;
  Verification wrong;
  wrong.digest = fmt::format("{:016x}", 0);
  wrong.reason =
      fmt::format("returned {} keys and {} values for {} elements", output.keys.count, output.values.count, input.n);
  return wrong;
}

BorderElement border_element(const void* key, const void* value, const Problem& problem) {
  BorderElement element;
  with_key_type(problem.key, [&]<class K>() {
    K read;
    std::memcpy(&read, key, sizeof(K));
    element.key = to_ordered(read);
  });
  if (value != nullptr) {
    with_value_type(problem.value, [&]<class V>() {
      if constexpr (!std::is_same_v<V, NoValue>) {
        V read;
        std::memcpy(&read, value, sizeof(V));
        element.value = read;
      }
    });
  }
  return element;
}

void ShardFindings::add(const Findings& found, std::uint64_t count, const BorderElement& first,
                        const BorderElement& last) {
  all_.keys += found.keys;
  all_.pairs += found.pairs;
  if (count == 0) return;
  const auto note = [&](std::uint64_t& at, std::uint64_t here) {
    if (here != kNowhere) at = std::min(at, count_ + here);
  };
  if (count_ > 0) {
    note(all_.descends_at, first.key < last_.key ? 0 : kNowhere);
    if (stability_) note(all_.swapped_at, first.key == last_.key && first.value <= last_.value ? 0 : kNowhere);
  }
  note(all_.descends_at, found.descends_at);
  note(all_.swapped_at, found.swapped_at);
  count_ += count;
  last_ = last;
}

std::optional<Verification> wrong_shards(const InputDigest& input, const Buffers& output, const Problem& problem) {
  std::uint64_t keys = 0;
  std::uint64_t values = 0;
  for (const Buffers& shard : output.shards) {
    keys += shard.keys.count;
    values += shard.values.count;
  }
  const bool right_values = problem.value == ValueType::none || values == input.n;
  if (output.shards.size() == problem.shards.size() && keys == input.n && right_values) return std::nullopt;
  Verification wrong;
  wrong.digest = fmt::format("{:016x}", 0);
  wrong.reason = fmt::format("returned {} keys and {} values in {} shards for {} elements in {}", keys, values,
                             output.shards.size(), input.n, problem.shards.size());
  return wrong;
}

Verification verdict_on(const Findings& found, const InputDigest& input, const Problem& problem, bool stability_checked,
                        const Order& order) {
  Verification verdict;
  verdict.order = found.descends_at == kNowhere;
  verdict.multiset = found.keys == input.keys;
  if (problem.value != ValueType::none) verdict.pairing = found.pairs == input.pairs;
  if (stability_checked) verdict.stability = found.swapped_at == kNowhere;
  if (order.tile != 0 && checks_stability(input, problem, true)) verdict.tiles = found.strayed_at == kNowhere;
  verdict.ordered_by = describe_order(order);
  verdict.digest = fmt::format("{:016x}", found.keys);
  verdict.reason = words_for(verdict, found, input.n);
  return verdict;
}

}  // namespace sortlab
