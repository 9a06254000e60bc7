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

/// Adds points of the kernel that `kernel_of(arguments)` gives for passes of Shape on words of a kind.
template <class Shape, class Words, bool kHasEntropy, class KernelOf>
void add_ha_tiles(Rounds& rounds, DeviceBench& bench, const char* name, std::vector<double> at, KernelOf kernel_of) {
  using Whole = typename Shape::template Pass<RegisterMemory<Words>>;
  using Word = typename Whole::Word;
  using V = typename Whole::V;
  const unsigned blocks = blocks_of(bench);
  auto* const out = bench.out();
  const auto run = [=]<class P>(cudaStream_t stream, unsigned times, int entropy) {
    auto arguments = middle_pass<P>(blocks, digit_mask<Word>(P::kDigitBits, entropy, Keep::lowest));
    if constexpr (P::kHasValues && Shape::kWritesPairs) {
      using Pairs = Pair<Word, V>;
      arguments.to.pairs = Discarded<Pairs>{reinterpret_cast<Pairs*>(out)};
    }
    kernel_of(arguments)<<<dim3{blocks, times}, P::kThreads, 0, stream>>>(arguments);
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

}  // namespace sortlab::calibration
