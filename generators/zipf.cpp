// Keys whose frequencies follow Zipf's law, drawn by inversion of its sum (Gray et al. 1994 give an approximation; see
// zipf_table.hpp for ours), as Stehle & Jacobsen 2017 and PARADIS use them with theta = 0.75.
//
// Papers leave open how many distinct keys there are and which key a rank becomes; both change what a radix sort meets.
// `distinct` is n unless said otherwise. `map` says which key rank i is: `identity` takes i itself, so that high digits
// are 0; `bit_reversed` mirrors the bits of i - 1, so that frequent keys lie evenly apart; `hashed` mixes them.
#include "generators/zipf_table.hpp"

#include <fmt/format.h>

#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

/// Mixes 64 or 32 bits one to one (the finalisers of MurmurHash3, Appleby).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}

/// One to one from ranks, counted from 0, to B. Rank 0 does not become 0.
template <class B>
constexpr B hashed(std::uint64_t rank) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  if constexpr (sizeof(B) == 4) {
    return mixed(static_cast<std::uint32_t>(rank + (golden >> 32)));
  } else {
    const std::uint64_t high = mixed(rank + golden);
    return sizeof(B) == 8 ? B{high} : static_cast<B>(uint128{high} << 64 | mixed(high + golden));
  }
}

/// Bit b of the rank, counted from 0, becomes bit w-1-b of the w bits of B.
template <class B>
constexpr B bit_reversed(std::uint64_t rank) {
  constexpr std::uint64_t odd[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
  std::uint64_t x = __builtin_bswap64(rank);
  for (int b = 0; b < 3; ++b) x = (x >> (1 << b) & odd[b]) | (x & odd[b]) << (1 << b);
  return sizeof(B) == 16 ? static_cast<B>(uint128{x} << 64) : static_cast<B>(x >> (64 - 8 * sizeof(B)) % 64);
}

class Zipf final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  Parameters resolved(const Input& input) const override {
    Parameters parameters = input.parameters;
    parameters.set("distinct", static_cast<std::int64_t>(distinct(input)));
    return parameters;
  }

  std::optional<std::string> declines(const Input& input) const override {
    const int bits = input.key == KeyType::i32 ? 31 : width_of(input.key);
    if (bits >= 64 || distinct(input) < std::uint64_t{1} << bits) return std::nullopt;
    return fmt::format("distinct={} does not fit in {}", distinct(input), name_of(input.key));
  }

  std::optional<double> entropy_bits(const Input& input) const override {
    if (is_float(input.key) && !one_to_one(input)) return std::nullopt;
    return zipf_entropy_bits(input.parameters.real("theta"), distinct(input));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    if (input.n == 0) return;
    const ZipfTable table{input.parameters.real("theta"), distinct(input)};
    const std::string& map = input.parameters.word("map");
    with_key_type(input.key, [&]<class K>() {
      using B = Bits<K>;
      const KeyOfRank<K> key_of{{.range_bits = width_of(input.key)}};
      if (map == "identity") return draw<B>(input, table, keys, threads, key_of_integer<K>);
      if (map == "hashed") {
        return draw<B>(input, table, keys, threads, [&](std::uint64_t i) { return key_of(hashed<B>(i - 1)); });
      }
      draw<B>(input, table, keys, threads, [&](std::uint64_t i) { return key_of(bit_reversed<B>(i - 1)); });
    });
  }

 private:
  template <class B, class KeyOf>
  static void draw(const Input& input, const ZipfTable& table, void* keys, int threads, const KeyOf& key_of) {
    for_each_chunk<2>(input.seed, 0, input.n, threads,
                      [&](std::uint64_t first, std::uint64_t count, const std::uint32_t* words) {
                        for (std::uint64_t i = 0; i < count; ++i) {
                          store<B>(keys, first + i, key_of(table.rank(random64(words + 2 * i))));
                        }
                      });
  }

  static std::uint64_t distinct(const Input& input) {
    if (!input.parameters.is_auto("distinct")) return static_cast<std::uint64_t>(input.parameters.integer("distinct"));
    return std::max<std::uint64_t>(input.n, 1);
  }

  /// Whether different ranks become different float keys.
  static bool one_to_one(const Input& input) {
    const std::string& map = input.parameters.word("map");
    return map != "hashed" && distinct(input) <= std::uint64_t{1} << (input.key == KeyType::f32 ? 24 : 53);
  }

  DistributionInfo info_{.name = "zipf",
                         .title = "Zipf's law: rank i of N with probability in proportion to i^-theta",
                         .source = "Gray et al. 1994; Stehle & Jacobsen 2017, section 6",
                         .parameters = {{.name = "theta",
                                         .meaning = "exponent; 0 is uniform",
                                         .standard = 0.75,
                                         .range = {0, 4},
                                         .always_shown = true},
                                        {.name = "distinct",
                                         .meaning = "number N of distinct keys; auto: n",
                                         .standard = "auto",
                                         .range = {1, 1099511627776},
                                         .automatic = {1048576}},
                                        {.name = "map",
                                         .meaning = "the key of rank i: i, or i-1 with its bits mirrored or mixed",
                                         .standard = "identity",
                                         .choices = {"identity", "bit_reversed", "hashed"}}}};
};

const RegisterDistribution registered{std::make_unique<Zipf>()};

}  // namespace
}  // namespace sortlab
