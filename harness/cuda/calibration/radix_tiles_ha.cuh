// What the probes of Ha's two sorts share, which share their kernels.
#pragma once

#include "algorithms/ha_implicit_radix/kernels.cuh"
#include "harness/cuda/calibration/radix_tiles.hpp"
#include "harness/cuda/calibration/register_memory.cuh"
#include "harness/cuda/calibration/tile_input.cuh"
#include "harness/cuda/calibration/tile_probe.hpp"

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

/// Adds points of a kernel of pass P. `keep` as its words are random or ascend.
template <class P>
void add_ha_tiles(Rounds& rounds, DeviceBench& bench, const char* name, std::vector<double> at, Keep keep,
                  bool has_entropy, void (*kernel)(ha::PassArguments<P>)) {
  using Word = typename P::Word;
  const unsigned blocks = blocks_of(bench);
  auto* const out = bench.out();
  add_radix_tiles(rounds, bench,
                  {.name = name,
                   .at = std::move(at),
                   .digit_bits = has_entropy ? P::kDigitBits : 0,
                   .threads = P::kThreads,
                   .elements = P::kTile,
                   .element_bytes = static_cast<int>(sizeof(Word) + kTileValueBytes<typename P::V>),
                   .launch = [=](cudaStream_t stream, unsigned times, int entropy) {
                     auto arguments = middle_pass<P>(
                         blocks, digit_mask<Word>(P::kDigitBits, has_entropy ? entropy : P::kDigitBits, keep));
                     if constexpr (P::kHasValues) {
                       if (keep == Keep::highest)
                         arguments.to.pairs =
                             decltype(arguments.to.pairs){reinterpret_cast<Pair<Word, typename P::V>*>(out)};
                     }
                     kernel<<<dim3{blocks, times}, P::kThreads, 0, stream>>>(arguments);
                     check_launch();
                   }});
}

}  // namespace sortlab::calibration
