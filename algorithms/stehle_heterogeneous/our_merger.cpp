// Our multiway merge: exact shares of the output, one per thread and chain, and streaming stores.
#include <vector>

#include "algorithms/stehle_heterogeneous/loser_chain.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"
#include "algorithms/stehle_heterogeneous/run_split.hpp"
#include "algorithms/stehle_heterogeneous/vector_chain.hpp"
#include "core/thread_team.hpp"

namespace sortlab::heterogeneous {
namespace {

/// Number of chains that a thread advances in turn.
constexpr std::size_t kChains = 4;

/// Segment of the output between two of the remaining elements, or up to an end.
struct Stretch {
  std::uint64_t begin = 0;  ///< ranks among the elements of the runs
  std::uint64_t end = 0;
  std::uint64_t remainder = 0;  ///< number of remaining elements before it
};

template <class K, class V, template <class, class, std::size_t> class Chain>
class OurMerger final : public RunMerger {
 public:
  using Arrays = MergeArrays<K, V>;

  explicit OurMerger(const Resources& resources) : team_(resources.threads, resources.cpus) {}

  void merge(const Buffers& from, std::span<const std::uint64_t> bounds, const Buffers& to,
             PhaseTimer& phases) override {
    const Arrays arrays{.keys = static_cast<const K*>(from.keys.data),
                        .values = static_cast<const V*>(from.values.data),
                        .out_keys = static_cast<K*>(to.keys.data),
                        .out_values = static_cast<V*>(to.values.data)};
    const std::vector<Stretch> stretches = split_output(arrays, bounds, from.keys.count);
    team_.run([&](int thread) {
      const auto phase = phases.phase("merge", 0, thread);
      for (const Stretch& stretch : thread_share(static_cast<std::uint64_t>(thread), stretches, bounds.back())) {
        merge_stretch(arrays, bounds, stretch);
      }
      finish_streaming();
    });
  }

 private:
  /// Splits the output at the positions of the elements that remain after the chunks, and writes these.
  static std::vector<Stretch> split_output(const Arrays& arrays, std::span<const std::uint64_t> bounds,
                                           std::uint64_t n) {
    std::vector<Stretch> stretches(1);
    for (std::uint64_t i = bounds.back(); i < n; ++i) {
      Stretch& last = stretches.back();
      for (std::size_t run = 0; run + 1 < bounds.size(); ++run) {
        const K* const begin = arrays.keys + bounds[run];
        const K* const end = arrays.keys + bounds[run + 1];
        last.end += static_cast<std::uint64_t>(std::upper_bound(begin, end, arrays.keys[i], KeyLess{}) - begin);
      }
      arrays.out_keys[last.end + last.remainder] = arrays.keys[i];
      if constexpr (Arrays::has_values) arrays.out_values[last.end + last.remainder] = arrays.values[i];
      stretches.push_back({.begin = last.end, .end = 0, .remainder = last.remainder + 1});
    }
    stretches.back().end = bounds.back();
    return stretches;
  }

  /// Share of a thread, in whole cache lines so that no two threads write to one.
  std::vector<Stretch> thread_share(std::uint64_t thread, const std::vector<Stretch>& stretches,
                                    std::uint64_t elements) const {
    const std::uint64_t begin = cut(elements, thread, static_cast<std::uint64_t>(team_.size()));
    const std::uint64_t end = cut(elements, thread + 1, static_cast<std::uint64_t>(team_.size()));
    std::vector<Stretch> share;
    for (Stretch stretch : stretches) {
      stretch.begin = std::max(stretch.begin, begin);
      stretch.end = std::min(stretch.end, end);
      if (stretch.begin < stretch.end) share.push_back(stretch);
    }
    return share;
  }

  /// Begin of part `index` of `parts`.
  static std::uint64_t cut(std::uint64_t elements, std::uint64_t index, std::uint64_t parts) {
    constexpr std::uint64_t line = OutputLines<K, V>::kLine;
    if (index == parts) return elements;
    return (elements / parts * index + elements % parts * index / parts) / line * line;
  }

  static void merge_stretch(const Arrays& arrays, std::span<const std::uint64_t> bounds, const Stretch& stretch) {
    const std::size_t runs = bounds.size() - 1;
    if (runs <= 2) return merge_by<2>(arrays, bounds, stretch);
    if (runs <= 4) return merge_by<4>(arrays, bounds, stretch);
    if (runs <= 8) return merge_by<8>(arrays, bounds, stretch);
    if (runs <= 16) return merge_by<16>(arrays, bounds, stretch);
    merge_by<kMaxRuns>(arrays, bounds, stretch);
  }

  template <std::size_t kLeaves>
  static void merge_by(const Arrays& arrays, std::span<const std::uint64_t> bounds, const Stretch& stretch) {
    RunSplit<K> split(arrays.keys, bounds);
    std::array<Chain<K, V, kLeaves>, kChains> chains;
    const auto place = [&](std::size_t chain) {
      return stretch.begin + cut(stretch.end - stretch.begin, chain, kChains);
    };
    const auto first = split.at(stretch.begin);
    std::vector<std::uint64_t> begin(first.begin(), first.end());
    for (std::size_t i = 0; i < kChains; ++i) {
      const auto end = split.at(place(i + 1));
      chains[i].start(arrays, begin, end, place(i) + stretch.remainder);
      begin.assign(end.begin(), end.end());
    }
    constexpr std::uint64_t kRound = OutputLines<K, V>::kRound;
    while (true) {
      std::uint64_t round = kRound;
      for (const auto& chain : chains) round = std::min(round, chain.left());
      if (round == 0) break;
      Chain<K, V, kLeaves>::template advance<kChains>(chains.data(), round);
      for (auto& chain : chains) chain.gave(round);
    }
    for (auto& chain : chains) {
      while (chain.left() > 0) {
        const std::uint64_t round = std::min(kRound, chain.left());
        Chain<K, V, kLeaves>::template advance<1>(&chain, round);
        chain.gave(round);
      }
      chain.give_greatest();
    }
  }

  ThreadTeam team_;
};

}  // namespace

bool has_vector_chains() {
  return vectors_here();
}

std::unique_ptr<RunMerger> make_our_merger(const Problem& problem, const Resources& resources, Heads heads) {
  return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<RunMerger> {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<RunMerger> {
      if constexpr (sizeof(K) <= 8) {
#if defined(__x86_64__)
        if (heads != Heads::tree && vectors_here()) {
          return std::make_unique<OurMerger<K, V, VectorChain>>(resources);
        }
#endif
        if (heads == Heads::vectors) throw_no_code_for("merge=ours: heads in", "vectors");
        return std::make_unique<OurMerger<K, V, LoserChain>>(resources);
      }
      throw_no_code_for("merge=ours: key", to_name(problem.key));
    });
  });
}

}  // namespace sortlab::heterogeneous
