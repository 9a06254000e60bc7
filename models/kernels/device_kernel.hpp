// Cost of a kernel on a device (models/README.md explains it, and numbers the micro-benchmarks):
//
//   T = launch + tiles of a multiprocessor / their throughput
//
// The launch is what a kernel adds to a stream that is never empty (MB7). A multiprocessor holds a few resident blocks;
// each waits for its accesses to memory (MB3), reads its tile (MB1), works on it (MB8), and writes without waiting
// (MB1, MB2). So blocks are the customers of a closed queueing network of two resources, memory and the multiprocessor,
// with writes as additional load on memory: few blocks take turns, many overlap, and a grid of one block per
// multiprocessor takes as long as one block alone, all by one rule (cost.hpp: throughput).
//
// Where operations were counted (Level::operations), nothing of the sort is timed: a block's time alone follows from
// its instructions, its slot stays empty between two blocks as MB7 shows, memory is one queue of all multiprocessors,
// scans look back as MB9 does, and searches wait for memory once per round (models/README.md, "By counts").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/energy.hpp"
#include "models/model.hpp"

namespace sortlab {

struct OperationCounts;

inline constexpr double kMixed = 0;  ///< the argument `sorted` of tables of merges

/// Traffic of a grid between its multiprocessors and memory, or the second-level cache.
struct Traffic {
  double read = 0;         ///< bytes
  double written = 0;      ///< bytes
  double working_set = 0;  ///< bytes touched since they were last read: if they fit, they come from the cache
  double access = 4;       ///< bytes per access of a thread
  double runs = 0;         ///< destinations of a tile's output; 0: written in order
  double run_bytes = 0;    ///< bytes of each
  double spilled = 0;      ///< bytes between registers and the second-level cache
};

/// Work of a multiprocessor between reading a tile and writing it.
struct TileWork {
  double cycles = 0;        ///< per element, of a fully occupied multiprocessor
  double alone = 0;         ///< seconds of a block alone on a multiprocessor
  double chain = 0;         ///< cycles per element of such a block, where derived from its instructions
  int resident = 1;         ///< blocks that a multiprocessor holds
  double issue = 0;         ///< cycles of the busiest instruction pipe; 0: not counted
  double shared = 0;        ///< cycles of shared memory's data pipe; 0: not counted
  double instructions = 0;  ///< per warp and element; 0: not counted
};

struct KernelWork {
  std::string phase;
  int pass = 0;
  double tiles = 1;         ///< tiles of the grid: blocks, or the tiles that persistent blocks take
  bool persistent = false;  ///< blocks are persistent: each takes several tiles
  bool drifts = false;      ///< persistent blocks take tiles from a common counter, so they do not stay in step
  /// True if barriers separate a block's work for the pipes from that for shared memory. Within a block the two kinds
  /// of work alternate; several resident blocks overlap, and the queueing model treats each as a customer of both
  /// resources.
  bool apart = false;
  double elements = 0;  ///< elements of the grid
  int round_trips = 1;  ///< dependent accesses to memory for a tile, one after another
  /// Dependent accesses of a thread to shared memory per tile, as in a search or a merge.
  double chained = 0;
  double waiting = 0;  ///< further waiting of the grid in seconds, for other blocks or for a search in memory
  Traffic traffic{};
  TileWork tile{};
};

/// KernelWork::chained of a tile's merge: a thread searches the beginning of its `items` elements and merges them.
double chained_merge(double tile, double items);
/// KernelWork::chained of sorting a tile: merges of the elements of two threads, of four …
double chained_merge_sort(double threads, double items);

/// The sizes of an element as tables of tiles take them: bytes of a key, bytes of a value.
struct ElementBytes {
  double key = 0;
  double value = 0;
  double both() const { return key + value; }
};
ElementBytes element_bytes(const Workload& workload);

/// Source of a tile's cycles. A model at level `operations` is of kind hardware, one at level `tiles` of kind
/// component.
enum class Level : std::uint8_t {
  operations,  ///< instructions and wavefronts, counted once, over the rates of the hardware
  tiles,       ///< measured without memory, in a micro-benchmark of the tile's work
};

/// A device as one sort's kernels use it. All functions throw MissingQuantity, naming what the profile lacks.
class DeviceCosts {
 public:
  /// `variant`: the parameters that choose among a sort's kernels, whose operations were counted ("split=fused",
  /// "form=two_read digit_bits=5" …), empty for a sort that has one set of them.
  DeviceCosts(const MachineProfile& device, Level level, std::string algorithm, std::string variant,
              ElementBytes bytes);

  /// Work of a phase's tile, from the tables `tile.<table>` and `alone.<table>` at `arguments`, or from the operations
  /// counted for the phase. `last` is one more argument of the first table, if it has one; blocks were measured alone
  /// at `alone_last`, digits of full entropy.
  TileWork tile(const std::string& phase, const std::string& table, std::vector<double> arguments,
                std::optional<double> last = std::nullopt, double alone_last = kFullEntropy) const;

  PhasePrediction kernel(const KernelWork& work) const;

  /// The scan of the counters of all tiles: measured, or two launches and a chain of tiles that look back (MB9).
  PhasePrediction scan(std::string phase, int pass, double counters) const;

  /// `searches` binary searches, one per thread, in runs of `run` keys; `how`: for "splitters", or along the merge
  /// "path". Measured, or derived: a wait for memory in each round.
  PhasePrediction searches(std::string phase, int pass, const std::string& how, double searches, double run,
                           double array_bytes) const;
  /// Seconds until the last of `blocks` blocks that begin together has its prefix by look-back.
  double look_back(double blocks) const;
  /// Seconds of an access that finds its word in the second-level cache.
  double cached_latency() const;

  /// `count` fillings of small arrays, one after another.
  PhasePrediction fillings(std::string phase, int pass, double count) const;

  const MachineProfile& profile() const { return device_; }

  /// Keeps the operations of a kernel of which the caller takes the seconds alone, until they are taken.
  void keep_operations(const PhasePrediction& kernel) const { add_metered(kept_, kernel.work); }
  Operations take_operations() const { return std::exchange(kept_, {}); }

 private:
  /// Share of the time for which memory, or the cache if the data fits, is busy.
  double memory_share(const Traffic& traffic, double seconds) const;
  /// The busiest resource, or "latency" if none is busy for most of the time. `memory`: share of the time for which
  /// memory is busy; `elements_a_cycle`: rate of a multiprocessor.
  std::string binding(const KernelWork& work, double memory, double elements_a_cycle) const;

  /// Seconds of a block of `elements` alone on a multiprocessor, from the instructions of a warp.
  double derived_alone(const KernelWork& work, double elements) const;
  double derived_scan(double counters) const;
  double derived_searches(const std::string& how, double searches, double run, double array_bytes) const;

  /// Speed of a scaled profile's pipes on a tile's counted work, relative to the profile that it is scaled from.
  double faster_pipes(const std::string& phase, const OperationCounts* counted) const;

  const MachineProfile& device_;
  Level level_;
  std::string algorithm_;
  std::string variant_;
  ElementBytes bytes_;
  mutable Operations kept_{};  ///< beside the times that const functions return
};

/// Statistics of a pass's digits.
struct PassDigits {
  double entropy = 0;   ///< bits
  double distinct = 1;  ///< expected number of different digits in a tile
};

/// The digits at bits [shift, shift + bits) in tiles of `tile` keys. The first pass reads the input's own order; later
/// ones read keys reordered by other digits, which count as independent of their neighbours.
PassDigits pass_digits(const DistributionView& view, bool first, int shift, int bits, double tile);

/// 1 if keys come sorted, 0 if in random order.
double sortedness(const DistributionView& view);

/// Number of blocks of `tile` elements; the last may be smaller.
double count_blocks(double elements, double tile);

}  // namespace sortlab
