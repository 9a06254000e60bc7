// Uniform keys in a given order: sorted, reverse, nearly_sorted (k swaps) and runs (g ascending runs).
//
// All four hold the multiset that `uniform` makes with the same options and seed (a sorted input is the sorted sequence
// of U, as Leischner et al. use it, not 0, 1, 2, ...; that is `iota`).
#include <memory>

#include "generators/sort_ranks.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

/// The stream of the swaps' positions; stream 0 holds the keys.
constexpr std::uint64_t kSwapStream = 1;

enum class Order : std::uint8_t { sorted, reverse, nearly_sorted, runs };

/// Uniform ranks, put in order as ranks, then made keys.
class Ordering final : public Distribution {
 public:
  Ordering(Order order, DistributionInfo info) : order_(order), info_(std::move(info)) {
    info_.parameters.push_back(range_bits_parameter());
    info_.parameters.push_back(floats_parameter());
  }

  const DistributionInfo& info() const override { return info_; }
  std::optional<std::string> declines(const Input& input) const override { return key_space_declines(input); }
  Parameters resolved(const Input& input) const override { return resolve_key_space(input); }
  bool needs_total_order(const Input& input) const override { return key_space(input).has_nan(input.key); }
  std::optional<double> entropy_bits(const Input& input) const override {
    return key_space(input).distinct_bits(input.key);
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      using B = Bits<K>;
      const KeySpace space = key_space(input);
      const int cut = width_of(input.key) - space.range_bits;
      fill_uniformly<B>(input.seed, 0, input.n, keys, threads, [=](B random) { return random >> cut; });
      auto* ranks = static_cast<B*>(keys);
      sort_runs(ranks, input.n, order_ == Order::runs ? input.parameters.integer("runs") : 1, space.range_bits,
                threads);
      if (order_ == Order::reverse) std::reverse(ranks, ranks + input.n);
      if (order_ == Order::nearly_sorted) swap_pairs(ranks, input);
      const KeyOfRank<K> key_of{space};
      in_parallel(input.n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) ranks[i] = key_of(ranks[i]);
      });
    });
  }

 private:
  /// Sorts run r, which covers [floor(r*n/runs), floor((r+1)*n/runs)), for each r.
  template <class B>
  static void sort_runs(B* ranks, std::uint64_t n, std::int64_t runs, int bits, int threads) {
    const auto scratch = std::make_unique_for_overwrite<B[]>(n);
    const auto begin_of = [&](std::uint64_t run) {
      return static_cast<std::uint64_t>(uint128{n} * run / static_cast<std::uint64_t>(runs));
    };
    const int threads_a_run = static_cast<int>(std::max<std::int64_t>(1, threads / runs));
    in_parallel(static_cast<std::uint64_t>(runs), threads, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t run = first; run < last; ++run) {
        const std::uint64_t begin = begin_of(run);
        sort_ranks(ranks + begin, scratch.get() + begin, begin_of(run + 1) - begin, bits, threads_a_run);
      }
    });
  }

  /// Swaps the elements at two uniform positions, k times, one after the other: block s of the stream gives swap s.
  template <class B>
  static void swap_pairs(B* ranks, const Input& input) {
    if (input.n == 0) return;
    const RandomStream random{input.seed, kSwapStream};
    const auto swaps = static_cast<std::uint64_t>(input.parameters.integer("swaps"));
    for (std::uint64_t s = 0; s < swaps; ++s) {
      const auto words = random.block(s);
      std::swap(ranks[scaled(random64(words.data()), input.n)], ranks[scaled(random64(words.data() + 2), input.n)]);
    }
  }

  Order order_;
  DistributionInfo info_;
};

const RegisterDistribution sorted{
    std::make_unique<Ordering>(Order::sorted, DistributionInfo{.name = "sorted",
                                                               .title = "Uniform keys, sorted",
                                                               .source = "Leischner, Osipov & Sanders 2010, section 6",
                                                               .parameters = {}})};

const RegisterDistribution reverse{
    std::make_unique<Ordering>(Order::reverse, DistributionInfo{.name = "reverse",
                                                                .title = "Uniform keys, sorted descending",
                                                                .source = "the mirror image of sorted",
                                                                .parameters = {}})};

const RegisterDistribution nearly_sorted{std::make_unique<Ordering>(
    Order::nearly_sorted, DistributionInfo{.name = "nearly_sorted",
                                           .title = "Uniform keys, sorted, then pairs at random positions swapped",
                                           .source = "at most 2k keys out of place",
                                           .parameters = {{.name = "swaps",
                                                           .meaning = "number of swaps k, one after the other",
                                                           .standard = std::int64_t{1000},
                                                           .range = {0, 1e12},
                                                           .always_shown = true}}})};

const RegisterDistribution runs{
    std::make_unique<Ordering>(Order::runs, DistributionInfo{.name = "runs",
                                                             .title = "Uniform keys in ascending runs of equal length",
                                                             .source = "what a merge sort meets half-way",
                                                             .parameters = {{.name = "runs",
                                                                             .meaning = "number of runs g",
                                                                             .standard = std::int64_t{16},
                                                                             .range = {1, 1e9},
                                                                             .always_shown = true}}})};

}  // namespace
}  // namespace sortlab
