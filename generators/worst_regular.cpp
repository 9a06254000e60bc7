// WR of Helman, Bader and JáJá: the worst load for a sort by regular sampling.
//
// Each processor's keys come in p/2 pairs of ranges. Processors other than 0 put more than half of a pair's keys, by
// c/s, into its first range, and one key just above the boundary, where their sample falls; processor 0 repeats the
// boundary itself c/s times. With s samples a processor, the splitters then divide the keys as unevenly as regular
// sampling allows.
#include <fmt/format.h>

#include "generators/helman.hpp"
#include "generators/ranges.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

class WorstRegular final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  Parameters resolved(const Input& input) const override {
    Parameters parameters = input.parameters;
    parameters.set("s", static_cast<std::int64_t>(samples(input)));
    return parameters;
  }

  std::optional<std::string> declines(const Input& input) const override {
    const std::uint64_t p = helman::processors(input);
    if (p % 2 != 0) return fmt::format("p={} is odd: ranges come in pairs", p);
    if (samples(input) < p) return fmt::format("s={} is below p={}", samples(input), p);
    // Between two boundaries there must be room for one key more than there are processors.
    if (helman::range_bits(input) < 64 && (std::uint64_t{1} << helman::range_bits(input)) / p < p + 2) {
      return fmt::format("range_bits={} is too small for p={}", helman::range_bits(input), p);
    }
    return helman::too_few(input, uint128{p} * samples(input), "p*s");
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      const KeySpace space = helman::key_space(input);
      const std::uint64_t p = helman::processors(input);
      const std::uint64_t s = samples(input);
      const Ranges ranges{p, space.range_bits};
      const KeyOfRank<K> key_of{space};
      for_each_chunk<4>(
          input.seed, 0, input.n, threads, [&](std::uint64_t first, std::uint64_t count, const std::uint32_t* words) {
            for (std::uint64_t i = 0; i < count; ++i) {
              const auto processor = static_cast<std::uint64_t>((uint128{first + i + 1} * p - 1) / input.n);
              const std::uint64_t begin = helman::part_begin(0, input.n, p, processor);
              const std::uint64_t c = helman::part_begin(0, input.n, p, processor + 1) - begin;
              const uint128 rank =
                  rank_at(ranges, p, processor, first + i - begin, c / p, c / s, random128(words + 4 * i));
              store<Bits<K>>(keys, first + i, key_of(static_cast<Bits<K>>(rank)));
            }
          });
    });
  }

 private:
  /// The rank of element `i` of a processor. `share` is c/p, half of a pair's keys; `excess` is c/s.
  static uint128 rank_at(const Ranges& ranges, std::uint64_t p, std::uint64_t processor, std::uint64_t i,
                         std::uint64_t share, std::uint64_t excess, uint128 random) {
    const std::uint64_t pair = std::min(i / (2 * share), p / 2 - 1);
    const std::uint64_t k = i - pair * 2 * share;
    const uint128 low = ranges.boundary(2 * pair);
    const uint128 middle = ranges.boundary(2 * pair + 1);
    const uint128 high = ranges.boundary(2 * pair + 2);
    const auto between = [&](uint128 below, uint128 above) { return below + 1 + scaled(random, above - below - 1); };
    if (processor == 0) {
      if (k + 1 < share) return between(low, middle);
      if (k + 1 < share + excess) return middle;
      const bool last_pair = pair == p / 2 - 1;
      return k + 1 == 2 * share && !last_pair ? high : between(middle, high);
    }
    if (k + 1 < share + excess) return between(low, middle);
    return k + 1 == share + excess ? middle + processor : between(middle + processor, high);
  }

  /// Samples a processor; as many as processors unless said otherwise.
  static std::uint64_t samples(const Input& input) {
    return input.parameters.is_auto("s") ? helman::processors(input)
                                         : static_cast<std::uint64_t>(input.parameters.integer("s"));
  }

  DistributionInfo info_{.name = "worst_regular",
                         .title = "WR: the worst load for regular sampling",
                         .source = "Helman, JáJá & Bader 1996 (deterministic sorting)",
                         .parameters = {helman::processors_parameter(),
                                        {.name = "s",
                                         .meaning = "samples a processor, at least p; auto: p",
                                         .standard = "auto",
                                         .range = {1, 1048576},
                                         .automatic = {240}},
                                        helman::range_bits_parameter(31),
                                        helman::wide_parameter()}};
};

const RegisterDistribution registered{std::make_unique<WorstRegular>()};

}  // namespace
}  // namespace sortlab
