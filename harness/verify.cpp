#include "harness/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>
#include <vector>

namespace sortlab {
namespace {

constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

/// Elements checked at a time: few enough for the first-level cache to serve the loop of the order and that of the
/// hash.
constexpr std::uint64_t kBlock = 1024;

/// Elements a thread below which another costs more than it saves: about 30 µs to start it, and then the result lies in
/// the caches of several cores.
constexpr std::uint64_t kPerThread = std::uint64_t{1} << 20;

// 64 bits without pattern: the leading fractional bits of the square roots of 2, 3, 5 and 7.
constexpr std::uint64_t kRoot2 = 0x6A09E667F3BCC908;
constexpr std::uint64_t kRoot3 = 0xBB67AE8584CAA73B;
constexpr std::uint64_t kRoot5 = 0x3C6EF372FE94F82B;
constexpr std::uint64_t kRoot7 = 0xA54FF53A5F1D36F1;

/// The two halves of the 128-bit product, folded into one.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const uint128 product = uint128{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A permutation of 32-bit words, linear neither in integers nor in bits.
constexpr std::uint32_t permute(std::uint32_t word, std::uint64_t factor, std::uint64_t mask) {
  return word * (static_cast<std::uint32_t>(factor) | 1) ^ static_cast<std::uint32_t>(mask);
}

// Each hash is a product of two factors that both depend on the element, so that no sum of keys, and no sum of their
// squares, determines the digest. For 32-bit words the factors have 32 bits: that product exists as a vector
// instruction on every x86-64 (pmuludq), and compilers use it.
std::uint64_t hash_of_key(std::uint32_t key) {
  return std::uint64_t{permute(key, 1, kRoot2)} * permute(key, kRoot3, kRoot5);
}
std::uint64_t hash_of_key(std::uint64_t key) {
  return fold(key ^ kRoot2, key + kRoot3);
}
std::uint64_t hash_of_key(uint128 key) {
  const auto low = static_cast<std::uint64_t>(key);
  return fold(low ^ kRoot2, (static_cast<std::uint64_t>(key >> 64) ^ low) + kRoot3);
}

std::uint64_t hash_of_pair(std::uint32_t key, std::uint32_t value) {
  return std::uint64_t{permute(key, kRoot3, kRoot5)} * permute(value, kRoot5, kRoot7);
}
template <class B, class V>
std::uint64_t hash_of_pair(B key, V value) {
  return fold(hash_of_key(key) ^ kRoot5, value + kRoot7);
}

// The ways in which elements lie in memory, behind one face: key(i) and value(i).
template <class K>
struct KeysAlone {
  static constexpr bool paired = false;
  explicit KeysAlone(const Buffers& buffers) : keys(buffers.keys.as<const K>().data()) {}
  K key(std::uint64_t i) const { return keys[i]; }
  const K* keys;
};
template <class K, class V>
struct Separate {
  static constexpr bool paired = true;
  explicit Separate(const Buffers& buffers)
      : keys(buffers.keys.as<const K>().data()), values(buffers.values.as<const V>().data()) {}
  K key(std::uint64_t i) const { return keys[i]; }
  V value(std::uint64_t i) const { return values[i]; }
  const K* keys;
  const V* values;
};
template <class K, class V>
struct Together {
  static constexpr bool paired = true;
  explicit Together(const Buffers& buffers) : pairs(buffers.keys.as<const Pair<K, V>>().data()) {}
  K key(std::uint64_t i) const { return pairs[i].key; }
  V value(std::uint64_t i) const { return pairs[i].value; }
  const Pair<K, V>* pairs;
};

/// Calls `f` with the elements of `buffers`, typed.
template <class F>
auto with_elements(const Buffers& buffers, const Problem& problem, F&& f) {
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, [&]<class V>() {
      if constexpr (std::is_same_v<V, NoValue>) {
        return f(KeysAlone<K>{buffers});
      } else if (problem.layout == Layout::together) {
        return f(Together<K, V>{buffers});
      } else {
        return f(Separate<K, V>{buffers});
      }
    });
  });
}

/// What one thread finds in its share of the elements.
struct Findings {
  std::uint64_t keys = 0;
  std::uint64_t pairs = 0;
  std::uint64_t descends_at = kNowhere;  ///< first element smaller than the one before it
  std::uint64_t swapped_at = kNowhere;   ///< first element with the key, but not a greater id, of the one before it
};

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

/// Finds the first i in [begin, end), begin > 0, where `wrong(i)`: without a branch an element, since it is rare.
template <class Wrong>
void note_first(std::uint64_t begin, std::uint64_t end, std::uint64_t& at, const Wrong& wrong) {
  if (at != kNowhere) return;
  std::uint32_t any = 0;
  for (std::uint64_t i = begin; i < end; ++i) any |= static_cast<std::uint32_t>(wrong(i));
  if (any == 0) return;
  for (at = begin; !wrong(at);) ++at;
}

template <class Elements>
void check_order(const Elements& elements, std::uint64_t begin, std::uint64_t end, bool stable, Findings& found) {
  begin = std::max<std::uint64_t>(begin, 1);
  const auto ordered = [&](std::uint64_t i) { return to_ordered(elements.key(i)); };
  note_first(begin, end, found.descends_at, [&](std::uint64_t i) { return ordered(i) < ordered(i - 1); });
  if constexpr (Elements::paired) {
    if (!stable) return;
    note_first(begin, end, found.swapped_at, [&](std::uint64_t i) {
      return (ordered(i) == ordered(i - 1)) & (elements.value(i) <= elements.value(i - 1));
    });
  }
}

/// Calls `share(begin, end, findings)` for the blocks of [0, n), from several threads, and joins what they find.
template <class Share>
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
  }
  return all;
}

std::string words_for(const Verification& verdict, const Findings& found, std::uint64_t n) {
  if (!verdict.multiset) return "the keys are not those of the input: some lost, changed or doubled";
  if (!verdict.order) return fmt::format("out of order at element {} of {}", found.descends_at, n);
  if (verdict.pairing == false) return "values parted from their keys, lost or doubled";
  if (verdict.stability == false) {
    return fmt::format("claims to be stable, but equal keys changed places at element {} of {}", found.swapped_at, n);
  }
  return {};
}

}  // namespace

InputDigest digest_of(const Buffers& input, const Problem& problem, int threads) {
  const Findings found = with_elements(input, problem, [&](const auto& elements) {
    return in_parallel(problem.n, threads, [&](std::uint64_t begin, std::uint64_t end, Findings& mine) {
      add_digests(elements, begin, end, mine);
    });
  });
  return {problem.n, found.keys, found.pairs};
}

Verification verify(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                    int threads) {
  const bool paired = problem.value != ValueType::none;
  const bool separate_values = paired && problem.layout == Layout::separate;
  if (output.keys.count != input.n || (separate_values && output.values.count != input.n)) {
    Verification wrong;
    wrong.digest = fmt::format("{:016x}", 0);
    wrong.reason =
        fmt::format("returned {} keys and {} values for {} elements", output.keys.count, output.values.count, input.n);
    return wrong;
  }
  const bool ids_are_unique = problem.value == ValueType::u64 || input.n <= (std::uint64_t{1} << 32);
  const bool check_stability = paired && claims_stable && ids_are_unique;
  const Findings found = with_elements(output, problem, [&](const auto& elements) {
    return in_parallel(input.n, threads, [&](std::uint64_t begin, std::uint64_t end, Findings& mine) {
      check_order(elements, begin, end, check_stability, mine);
      add_digests(elements, begin, end, mine);
    });
  });

  Verification verdict;
  verdict.order = found.descends_at == kNowhere;
  verdict.multiset = found.keys == input.keys;
  if (paired) verdict.pairing = found.pairs == input.pairs;
  if (check_stability) verdict.stability = found.swapped_at == kNowhere;
  verdict.digest = fmt::format("{:016x}", found.keys);
  verdict.reason = words_for(verdict, found, input.n);
  return verdict;
}

}  // namespace sortlab
