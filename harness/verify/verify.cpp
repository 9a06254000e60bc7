#include "harness/verify/verify.hpp"

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "harness/verify/element_hash.hpp"
#include "harness/verify/elements.hpp"
#include "harness/verify/findings.hpp"
#include "harness/verify/key_image.hpp"
#include "harness/verify/verify_records.hpp"

namespace sortlab {
namespace {

/// Elements checked at a time: few enough for the first-level cache to serve the loop of the order and that of the
/// hash.
constexpr std::uint64_t kBlock = 1024;

/// Elements a thread below which another costs more than it saves: about 30 µs to start it, and then the result lies in
/// the caches of several cores.
constexpr std::uint64_t kPerThread = std::uint64_t{1} << 20;

template <class Elements>
void add_digests(const Elements& elements, std::uint64_t begin, std::uint64_t end, Findings& found) {
  std::uint64_t keys = 0;
  std::uint64_t pairs = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const auto key = std::bit_cast<Bits<decltype(elements.key(i))>>(elements.key(i));
    keys += hash_of_key(key);
    if constexpr (Elements::paired) pairs += hash_of_pair(key, elements.value(i));
  }
  found.keys += keys;
  found.pairs += pairs;
}

/// Finds the first i in [begin, end), begin > 0, for which `wrong(i)` holds. Has no branch per element, since it is
/// rare.
template <class Wrong>
void note_first(std::uint64_t begin, std::uint64_t end, std::uint64_t& at, const Wrong& wrong) {
  if (at != kNowhere) return;
  std::uint32_t any = 0;
  for (std::uint64_t i = begin; i < end; ++i) any |= static_cast<std::uint32_t>(wrong(i));
  if (any == 0) return;
  for (at = begin; !wrong(at);) ++at;
}

template <class Elements, class By>
void check_order(const Elements& elements, std::uint64_t begin, std::uint64_t end, bool stable, const By& by,
                 Findings& found) {
  if constexpr (Elements::paired && !By::kWhole) {
    note_first(begin, end, found.strayed_at, [&](std::uint64_t i) { return by.strays(i, elements.value(i)); });
  }
  begin = std::max<std::uint64_t>(begin, 1);
  const auto image = [&](std::uint64_t i) { return by.image(elements.key(i)); };
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"  // without branches, for vectors
#endif
  note_first(begin, end, found.descends_at, [&](std::uint64_t i) { return !by.begins(i) & (image(i) < image(i - 1)); });
  if constexpr (Elements::paired) {
    if (!stable) return;
    note_first(begin, end, found.swapped_at, [&](std::uint64_t i) {
      return !by.begins(i) & (image(i) == image(i - 1)) & (elements.value(i) <= elements.value(i - 1));
    });
  }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

/// The range of f32 keys; nullopt for others.
template <class Elements>
FloatRange float_range(const Elements& elements, std::uint64_t n) {
  FloatRange range;
  if constexpr (std::is_same_v<decltype(elements.key(0)), float>) {
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint32_t ordered = to_ordered(elements.key(i));
      range.smallest = std::min(range.smallest, ordered);
      range.largest = std::max(range.largest, ordered);
    }
  }
  return range;
}

/// Adds the findings in [begin, end) to `found`. Compiled for each type and layout of elements, unlike its caller.
using Share = std::function<void(std::uint64_t begin, std::uint64_t end, Findings& found)>;

/// Calls `share` for the blocks of [0, n), from several threads, and joins what they find.
Findings in_parallel(std::uint64_t n, int threads, const Share& share) {
  const auto parts = std::clamp<std::uint64_t>(n / kPerThread, 1, static_cast<std::uint64_t>(std::max(threads, 1)));
  std::vector<Findings> found(parts);
  const auto work = [&](std::uint64_t part) {
    Findings mine;
    const std::uint64_t end = n / parts * (part + 1) + (part + 1 == parts ? n % parts : 0);
    for (std::uint64_t i = n / parts * part; i < end; i += kBlock) share(i, std::min(i + kBlock, end), mine);
    found[part] = mine;
  };
  {
    std::vector<std::jthread> others;
    for (std::uint64_t part = 1; part < parts; ++part) others.emplace_back(work, part);
    work(0);
  }
  Findings all;
  for (const Findings& part : found) {
    all.keys += part.keys;
    all.pairs += part.pairs;
    all.descends_at = std::min(all.descends_at, part.descends_at);
    all.swapped_at = std::min(all.swapped_at, part.swapped_at);
    all.strayed_at = std::min(all.strayed_at, part.strayed_at);
  }
  return all;
}

/// Everything that is to be found in n elements in the order of whole keys.
Findings find_all(const Buffers& output, const Problem& problem, std::uint64_t n, bool stable, int threads) {
  return with_elements(output, problem, [&](const auto& elements) {
    return in_parallel(n, threads, [&](std::uint64_t begin, std::uint64_t end, Findings& mine) {
      check_order(elements, begin, end, stable, WholeOrder{}, mine);
      add_digests(elements, begin, end, mine);
    });
  });
}

}  // namespace

InputDigest digest_input(const Buffers& input, const Problem& problem, int threads) {
  if (problem.key == KeyType::string) return digest_of_records(input, problem, threads);
  const Findings found = with_elements(input, problem, [&](const auto& elements) {
    return in_parallel(problem.n, threads, [&](std::uint64_t begin, std::uint64_t end, Findings& mine) {
      add_digests(elements, begin, end, mine);
    });
  });
  return {problem.n, found.keys, found.pairs};
}

InputDigest digest_shards(const Buffers& input, const Problem& problem, int threads) {
  InputDigest all{problem.n, 0, 0};
  for (const Buffers& shard : input.shards) {
    Problem part = problem;
    part.n = shard.keys.count;
    const InputDigest digest = digest_input(shard, part, threads);
    all.keys += digest.keys;
    all.pairs += digest.pairs;
  }
  return all;
}

Verification verify_shards(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                           int threads) {
  if (auto wrong = wrong_shards(input, output, problem)) return *wrong;
  const bool stable = checks_stability(input, problem, claims_stable);
  ShardFindings found{stable};
  for (const Buffers& shard : output.shards) {
    const std::uint64_t n = shard.keys.count;
    const auto border = [&](std::uint64_t i) {
      if (n == 0) return BorderElement{};
      const auto at = [&](const Array& array, std::uint64_t width) -> const void* {
        return array.count == 0 ? nullptr : static_cast<const std::byte*>(array.data) + i * width;
      };
      return border_element(at(shard.keys, byte_size(problem.key)), at(shard.values, byte_size(problem.value)),
                            problem);
    };
    found.add(find_all(shard, problem, n, stable, threads), n, border(0), border(n - 1));
  }
  return verdict_on(found.all(), input, problem, stable, {});
}

Verification verify(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                    int threads, const Order& order) {
  if (problem.key == KeyType::string) return verify_records(input, output, problem, claims_stable, threads);
  if (auto wrong = wrong_length(input, output, problem)) return *wrong;
  const bool stable = checks_stability(input, problem, claims_stable);
  const Findings found = with_elements(output, problem, [&](const auto& elements) {
    const auto find = [&](const auto& by) {
      return in_parallel(input.n, threads, [&](std::uint64_t begin, std::uint64_t end, Findings& mine) {
        check_order(elements, begin, end, stable, by, mine);
        add_digests(elements, begin, end, mine);
      });
    };
    if (order.is_whole()) return find(WholeOrder{});
    return find(PartialOrder{order, order.unit_floats ? float_range(elements, input.n).unit_floats() : UnitFloats{}});
  });
  return verdict_on(found, input, problem, stable, order);
}

}  // namespace sortlab
