// What a kernel costs on a device (reference: papers_and_models sections 4.4 and 4.5):
//
//   T = launch + dependent accesses + max(one tile alone, ‖memory, multiprocessors‖_p)
//
// The launch is what a kernel adds to a stream that is never empty (MB7). Then a block reads what it needs in some
// round trips, one after another (MB3), works on its tile, and writes. A grid of a block a multiprocessor takes as long
// as one block alone; a larger one as long as memory (MB1, MB2) or the multiprocessors (MB8) do, which overlap with the
// exponent p (MB12).
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"

namespace sortlab {

/// What a grid moves between its multiprocessors and memory, or the second-level cache.
struct Traffic {
  double read = 0;         ///< bytes
  double written = 0;      ///< bytes
  double working_set = 0;  ///< bytes that were touched since they were last read: those that fit come from the cache
  double access = 4;       ///< bytes a thread reads or writes at once
  double runs = 0;         ///< places that a tile's output goes to; 0: written in order
  double run_bytes = 0;    ///< of each
};

/// What a multiprocessor does between reading a tile and writing it.
struct TileWork {
  double cycles = 0;  ///< of a multiprocessor an element, when it has as many blocks as it holds
  double alone = 0;   ///< seconds of a block that has a multiprocessor for itself
};

struct KernelWork {
  std::string phase;
  int pass = 0;
  double blocks = 1;
  double elements = 0;  ///< of the grid
  int round_trips = 1;  ///< dependent accesses to memory of a block, one after another
  double waiting = 0;   ///< seconds that a block waits besides, for other blocks or for a search in memory
  Traffic traffic{};
  TileWork tile{};
};

/// Throws MissingQuantity.
PhasePrediction kernel(const KernelWork& work, const MachineProfile& device);

/// `count` launches one after another that have next to nothing to do, as fillings of small arrays.
PhasePrediction launches(std::string phase, int pass, double count, const MachineProfile& device);

/// What a pass meets in its digits.
struct PassDigits {
  double entropy = 0;   ///< bits
  double distinct = 1;  ///< expected number of different digits in a tile
  bool constant = false;
};

/// The digits at bits [shift, shift + bits) in tiles of `tile` keys. The first pass meets the input's own order; what
/// later ones meet was reordered by other digits, and counts as independent of its neighbours.
PassDigits pass_digits(const DistributionView& view, bool first, int shift, int bits, double tile);

/// The sizes of an element as tables of tiles take them: bytes of a key, bytes of a value. Throws BadInput for a
/// width that was not calibrated.
struct ElementBytes {
  double key = 0;
  double value = 0;
  double both() const { return key + value; }
};
ElementBytes element_bytes(const Workload& workload);

double blocks_of(double elements, double tile);  ///< the last may be smaller

}  // namespace sortlab
