// Probes shared by Ha's two sorts, which share their kernels.
#pragma once

#include "algorithms/common/cuda/counting_pass/kernels.cuh"
#include "algorithms/common/cuda/radix_tiles.hpp"
#include "algorithms/common/cuda/register_memory.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"

namespace sortlab::calibration {

/// A pass in the middle of a sort, over the highest digit.
template <class P>
ha::PassArguments<P> middle_pass(std::uint64_t tiles, typename P::Word mask) {
  constexpr int pass = 8 * sizeof(typename P::Word) / P::kDigitBits - 1;
  ha::PassArguments<P> arguments{};
  arguments.from.keys = decltype(arguments.from.keys){mask};
  arguments.n = tiles * P::kTile;
  arguments.pass = pass;
  arguments.map.plan.passes = pass + 2;
  return arguments;
}

/// Adds points of the kernel that `choose_kernel(arguments)` returns, for passes of Shape on one kind of words.
template <class Shape, class Words, bool kHasEntropy, class KernelOf>
void add_ha_tiles(Rounds& rounds, DeviceBench& bench, const char* name, std::vector<double> at,
                  KernelOf choose_kernel) {
  using Whole = typename Shape::template Pass<RegisterMemory<Words>>;
  using Word = typename Whole::Word;
  using V = typename Whole::V;
  const unsigned blocks = block_count(bench);
  auto* const out = bench.out();
  const auto run = [=]<class P>(cudaStream_t stream, unsigned times, int entropy) {
    auto arguments = middle_pass<P>(blocks, digit_mask<Word>(P::kDigitBits, entropy, Keep::lowest));
    if constexpr (P::kHasValues && Shape::kWritesPairs) {
      using Pairs = Pair<Word, V>;
      arguments.to.pairs = Discarded<Pairs>{reinterpret_cast<Pairs*>(out)};
    }
    choose_kernel(arguments)<<<dim3{blocks, times}, P::kThreads, 0, stream>>>(arguments);
    check_launch();
  };
  add_radix_tiles(rounds, bench,
                  {.name = name,
                   .at = std::move(at),
                   .digit_bits = kHasEntropy ? Whole::kDigitBits : 0,
                   .threads = Whole::kThreads,
                   .elements = Whole::kTile,
                   .element_bytes = static_cast<int>(sizeof(Word) + kTileValueBytes<V>),
                   .launch = [=](cudaStream_t stream, unsigned times, int entropy) {
                     if constexpr (kHasEntropy) {
                       using Masked = typename Shape::template Pass<RegisterMemory<Words, true>>;
                       if (entropy < Whole::kDigitBits) {
                         return run.template operator()<Masked>(stream, times, entropy);
                       }
                     }
                     run.template operator()<Whole>(stream, times, Whole::kDigitBits);
                   }});
}

/// Names of the tables of one of the sorts: tiles sorted, output positions of sorted tiles, digits counted.
struct HaTables {
  const char* sort;
  const char* shuffle;
  const char* count;
};

template <class Paper, class Tuned, class Word, class V>
void add_ha_types(Rounds& rounds, DeviceBench& bench, const HaTables& tables) {
  static_assert(Paper::template Pass<GlobalMemory>::kTile == AscendingTiles::kTile);
  const auto key = sizeof(Word);
  const auto value = kTileValueBytes<V>;
  add_ha_tiles<Paper, QuadraticWords, true>(rounds, bench, tables.sort, point(0, key, value),
                                            []<class P>(const ha::PassArguments<P>&) { return ha::presort<P>; });
  add_ha_tiles<Tuned, QuadraticWords, true>(
      rounds, bench, tables.sort, point(1, key, value),
      []<class P>(const ha::PassArguments<P>&) { return ha::sort_and_shuffle<P>; });
  add_ha_tiles<Paper, AscendingTiles, false>(rounds, bench, tables.shuffle, point(key, value),
                                             []<class P>(const ha::PassArguments<P>&) { return ha::shuffle<P>; });
  add_ha_tiles<Tuned, LinearWords, false>(rounds, bench, tables.count, point(key, value),
                                          []<class P>(const ha::PassArguments<P>&) { return ha::count<P>; });
}

/// Declares the tables of the sort `name` and adds their points, for passes of the shapes of its two presets.
template <template <class, class> class Paper, template <class, class> class Tuned>
void add_ha_radix_tiles(Rounds& rounds, DeviceBench& bench, const std::string& name, const HaTables& tables) {
  const std::string sort = name + ": ";
  declare_radix_tiles(rounds, tables.sort,
                      sort +
                          "tiles sorted, and stored (wide: 0, preset paper) or written to their places (wide: 1, "
                          "preset tuned)",
                      {"wide", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, tables.shuffle, sort + "places of sorted tiles (preset paper)",
                      {"key_bytes", "value_bytes"}, false);
  declare_radix_tiles(rounds, tables.count, sort + "digits counted (preset tuned)", {"key_bytes", "value_bytes"},
                      false);
  for_tile_types([&]<class K, class V>() { add_ha_types<Paper<K, V>, Tuned<K, V>, K, V>(rounds, bench, tables); });
}

}  // namespace sortlab::calibration
