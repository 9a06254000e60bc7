// Passes of a radix sort that counts the digits of each tile: what the kernels of a pass have in common.
#pragma once

#include <cmath>
#include <vector>

#include "models/kernels/device_kernel.hpp"

namespace sortlab {

struct TiledPass {
  int pass = 0;
  int bits = 0;            ///< width of the digit
  double counters = 0;     ///< one for each digit and tile
  PassDigits digits;       ///< statistics of the keys' digits
  double working_set = 0;  ///< bytes that the first kernel reads from: beyond the caches in the first pass
  double arrays = 0;       ///< bytes of input and output
};

/// The passes over n elements in tiles of `tile`. Digits: LsdDigits, or a plan's own type with the same members.
template <class Digits>
std::vector<TiledPass> tiled_passes(const Digits& plan, double n, const ElementBytes& bytes, double tile,
                                    const DistributionView& view) {
  const double tiles = count_blocks(n, tile);
  const double arrays = 2 * n * bytes.both();
  std::vector<TiledPass> passes;
  for (int pass = 0; pass < plan.passes(); ++pass) {
    const int bits = plan.bits(pass);
    passes.push_back({.pass = pass,
                      .bits = bits,
                      .counters = std::exp2(bits) * tiles,
                      .digits = pass_digits(view, pass == 0, plan.shift(pass), bits, tile),
                      .working_set = pass == 0 ? kBeyondCaches : arrays,
                      .arrays = arrays});
  }
  return passes;
}

/// Traffic of a kernel that reads all keys and writes the counters of each tile's digits.
inline Traffic counting_traffic(const TiledPass& pass, double n, const ElementBytes& bytes, double counter_bytes) {
  return {.read = n * bytes.key,
          .written = pass.counters * counter_bytes,
          .working_set = pass.working_set,
          .access = bytes.key};
}

/// Traffic of a kernel that moves all elements and writes each tile as one run per digit. `offset_bytes`: bytes that it
/// reads for each counter.
inline Traffic scatter_traffic(const TiledPass& pass, double n, const ElementBytes& bytes, double tile,
                               double offset_bytes) {
  return {.read = n * bytes.both() + pass.counters * offset_bytes,
          .written = n * bytes.both(),
          .working_set = pass.arrays,
          .access = bytes.key,
          .runs = pass.digits.distinct,
          .run_bytes = tile / pass.digits.distinct * bytes.key};
}

}  // namespace sortlab
