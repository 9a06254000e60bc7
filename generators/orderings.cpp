// Uniform keys in a given order: sorted, reverse, nearly_sorted (k swaps) and runs (g ascending runs).
//
// All four hold the multiset that `uniform` makes with the same options and seed. A sorted input is the sorted sequence
// of U, as in Leischner et al., and not 0, 1, 2, ..., which is `iota`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "generators/fill_keys.hpp"
#include "generators/formulas/orderings.hpp"
#include "generators/formulas/uniform.hpp"
#include "generators/sort_ranks.hpp"

namespace sortlab {
namespace {

/// Uniform ranks that are put in order and then mapped to keys.
class Ordering final : public Distribution {
 public:
  Ordering(Order order, DistributionInfo info) : order_(order), info_(std::move(info)) {
    info_.parameters.push_back(range_bits_parameter());
    info_.parameters.push_back(floats_parameter());
  }

  const DistributionInfo& info() const override { return info_; }
  std::optional<std::string> declines(const Input& input) const override {
    if (auto reason = key_space_declines(input)) return reason;
    if (order_ != Order::nearly_sorted || swap_count(input) <= allowed_work(input.n)) return std::nullopt;
    return fmt::format("swaps={} is too many for {} keys; allowed: 0 to {}", swap_count(input), input.n,
                       allowed_work(input.n));
  }
  Parameters resolved(const Input& input) const override { return resolve_key_space(input); }
  Parameters scaled_to(const Input& input, std::uint64_t fewer) const override {
    Parameters parameters = resolved(input);
    if (order_ != Order::nearly_sorted || fewer >= input.n) return parameters;
    const auto swaps = static_cast<double>(parameters.integer("swaps"));
    const double share = static_cast<double>(fewer) / static_cast<double>(input.n);
    parameters.set("swaps", static_cast<std::int64_t>(std::ceil(swaps * share)));
    return parameters;
  }
  bool needs_total_order(const Input& input) const override { return key_space(input).has_nan(input.key); }
  std::optional<double> entropy_bits(const Input& input) const override {
    return key_space(input).distinct_bits(input.key);
  }
  std::optional<double> bit_probability(const Input& input) const override { return uniform_bit_probability(input); }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      using B = Bits<K>;
      const KeySpace space = key_space(input);
      const int cut = key_width(input.key) - space.range_bits;
      fill_in_place<B>(UniformRank<B>{cut}, input.seed, input.n, keys, threads);
      auto* ranks = static_cast<B*>(keys);
      sort_runs(ranks, input.n, run_count(input, order_), space.range_bits, threads);
      if (order_ == Order::reverse) std::reverse(ranks, ranks + input.n);
      if (order_ == Order::nearly_sorted) {
        for_each_swap(input, [=](std::uint64_t i, std::uint64_t j) { std::swap(ranks[i], ranks[j]); });
      }
      const KeyOfRank<K> to_key{space};
      in_parallel(input.n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) ranks[i] = to_key(ranks[i]);
      });
    });
  }

 private:
  /// Sorts each run.
  template <class B>
  static void sort_runs(B* ranks, std::uint64_t n, std::uint64_t runs, int bits, int threads) {
    const auto scratch = std::make_unique_for_overwrite<B[]>(n);
    const int threads_a_run = std::max(1, static_cast<int>(static_cast<std::uint64_t>(threads) / runs));
    in_parallel(runs, threads, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t run = first; run < last; ++run) {
        const std::uint64_t begin = part_begin(0, n, runs, run);
        sort_ranks(ranks + begin, scratch.get() + begin, part_begin(0, n, runs, run + 1) - begin, bits, threads_a_run);
      }
    });
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
