// What a kernel costs on a device (reference: papers_and_models sections 4.4 and 4.5):
//
//   T = launch + dependent accesses + max(one tile alone, ‖memory, multiprocessors‖_p)
//
// The launch is what a kernel adds to a stream that is never empty (MB7). Then a block reads what it needs in some
// round trips, one after another (MB3), works on its tile, and writes. A grid of a block a multiprocessor takes as long
// as one block alone; a larger one as long as memory (MB1, MB2) or the multiprocessors (MB8) do, which overlap with the
// exponent p (MB12).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/model.hpp"

namespace sortlab {

inline constexpr double kBeyondCaches = 1e12;  ///< bytes of a working set: the profile's largest answers

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
  double cycles = 0;                       ///< of a multiprocessor an element, when it has as many blocks as it holds
  double alone = 0;                        ///< seconds of a block that has a multiprocessor for itself
  std::string binding = "multiprocessor";  ///< what in it binds: "issue" or "shared", where operations were counted
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

/// The sizes of an element as tables of tiles take them: bytes of a key, bytes of a value.
struct ElementBytes {
  double key = 0;
  double value = 0;
  double both() const { return key + value; }
};
/// Throws BadInput for keys of a width that was not calibrated.
ElementBytes element_bytes(const Workload& workload);

/// How a tile's cycles are known (reference section 4.3).
enum class Level : std::uint8_t {
  operations,  ///< A: instructions and wavefronts, counted once, over the rates of the hardware
  tiles,       ///< B: measured without memory, in a micro-benchmark of the tile's work
};

std::string name_of(Level level);  ///< "A" or "B"

/// A device as the kernels of one sort meet it. All functions throw MissingQuantity, naming what the profile lacks.
class DeviceCosts {
 public:
  /// `variant`: the setting whose operations were counted ("fused", "two_read 5" …), empty for a sort that has one.
  DeviceCosts(const MachineProfile& device, Level level, std::string algorithm, std::string variant,
              ElementBytes bytes);

  /// The tile's work of a phase: of tables `tile.<table>` and `alone.<table>` at `arguments`, the first with the
  /// entropy of its digits as its last argument, if it has one; or of what was counted for the phase.
  TileWork tile(const std::string& phase, const std::string& table, std::vector<double> arguments,
                std::optional<double> entropy = std::nullopt) const;

  PhasePrediction kernel(const KernelWork& work) const;

  /// The scan of the counters of all tiles.
  PhasePrediction scan(std::string phase, int pass, double counters) const;

  /// Seconds of binary searches in runs of so many bytes beyond a launch.
  double search(double bytes) const;
  /// Seconds of an access that finds its word in the second-level cache.
  double cached_latency() const;

  /// `count` fillings of small arrays, one after another.
  PhasePrediction fillings(std::string phase, int pass, double count) const;

  const MachineProfile& profile() const { return device_; }

 private:
  const MachineProfile& device_;
  Level level_;
  std::string algorithm_;
  std::string variant_;
  ElementBytes bytes_;
};

/// What a pass meets in its digits.
struct PassDigits {
  double entropy = 0;   ///< bits
  double distinct = 1;  ///< expected number of different digits in a tile
  bool constant = false;
};

/// The digits at bits [shift, shift + bits) in tiles of `tile` keys. The first pass meets the input's own order; what
/// later ones meet was reordered by other digits, and counts as independent of its neighbours.
PassDigits pass_digits(const DistributionView& view, bool first, int shift, int bits, double tile);

/// 1 if keys come sorted, 0 if in random order.
double sortedness(const DistributionView& view);

double blocks_of(double elements, double tile);  ///< the last may be smaller

}  // namespace sortlab
