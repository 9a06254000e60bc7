// Costs of a CPU sort's pieces. A model of kind component reads the time that calibration measured of each piece alone,
// with the sort's own code. A model of kind hardware, named <sort>-loops, derives it from the cycles of the compiled
// loop by static analysis (harness/calibrate/loops.py), branch mispredictions, and bytes between caches and memory,
// each at a rate that was measured without any sorting code.
//
// The overlap of core and memory is a property of the machine (MB12, overlap.core): ‖core, memory‖ₚ.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "models/cost.hpp"
#include "models/model.hpp"

namespace sortlab {

/// The machine without the sort's pieces, as derivations read it. Times are in seconds; those per element are of one
/// thread while all threads do the same.
class Core {
 public:
  Core(const MachineProfile& machine, const Workload& workload) : machine_(machine), workload_(workload) {}

  const MachineProfile& machine() const { return machine_; }
  const Workload& workload() const { return workload_; }

  /// Copy for pieces that threads take one by one, so that a slow thread takes fewer.
  Core by_pieces() const {
    Core core = *this;
    core.by_pieces_ = true;
    return core;
  }
  /// Slowdown of a thread while the other threads work: of the slowest one, or the mean if by pieces. Threads may share
  /// a core, its clock, or, in a virtual machine, their cores with other machines.
  double pace() const;

  /// Time of one element of the loop with exactly these arguments and all data in the first-level cache: the latency of
  /// its instructions, or the busiest port at the core's pace, whichever is longer. Throws MissingQuantity.
  double loop(const std::string& name, double first, double second = 0, double third = 0) const;
  /// Conditional branches per element.
  double branches(const std::string& name, double first, double second = 0, double third = 0) const;

  /// Time of a mispredicted branch.
  double miss() const { return machine_.at("branch_miss"); }

  /// Stalls on repeated additions to one word, at `collision_bits`: where two words are equal with probability 2^-bits,
  /// the most frequent one is hit at least as often.
  double chain(double collision_bits) const;

  /// Time of `count` stores to different lines, which a core completes one after the other.
  double stores(double count) const { return pace() * count * machine_.at("store_commit"); }

  /// Time of `count` stores of whole registers. `crossing`: unaligned, each begins where the last one ended.
  double wide_stores(double count, double register_bytes, bool crossing) const {
    return pace() * count * machine_.at("store_wide", {register_bytes, crossing ? 1.0 : 0.0});
  }

  /// Extra time when `bytes` per element come from a working set of that size per thread instead of the first-level
  /// cache, whose ports are part of every loop: by `table` (read, read_ahead, rewrite or copy).
  double beyond(std::string_view table, double threads, double bytes, double working_set) const;

  /// Time of moving an element's `bytes` at the rate of a working set of that many bytes a thread. `table`: read,
  /// read_ahead, rewrite, copy, copy_nt, write or write_nt.
  double moving(std::string_view table, double threads, double bytes, double working_set) const;

  /// Time of writing to a random line of a working set of `bytes`, beyond the time of the first-level cache.
  double far_line(double threads, double bytes) const;

  /// ‖core, memory‖ with the exponent measured for reading, or for copies by non-temporal stores.
  double overlapped(double core, double memory, double threads, bool streams) const;

 private:
  double loop_quantity(const std::string& name, std::string_view what, std::span<const double> arguments) const;

  const MachineProfile& machine_;
  const Workload& workload_;
  bool by_pieces_ = false;
};

/// The derived value of a table of pieces, or nullopt for a table that is no piece of the sort.
using DerivedPieces = std::optional<double> (*)(const Core&, std::string_view table, std::span<const double> arguments);

class Pieces {
 public:
  /// `measured`: costs are those that calibration measured. One that it did not (another register width, wider keys)
  /// is that of the nearest measured piece, times the ratio of both as derived.
  Pieces(const MachineProfile& machine, const Workload& workload, DerivedPieces derived, bool measured)
      : core_(machine, workload), derived_(derived), measured_(measured) {}

  double at(std::string_view table, std::initializer_list<double> arguments = {}) const {
    return at(table, std::span{arguments.begin(), arguments.size()});
  }
  double at(std::string_view table, std::span<const double> arguments) const;
  /// True if costs of the sort's pieces are derived; then there are some that calibration does not measure.
  bool derives() const { return !measured_; }
  double cache(std::string_view level) const { return core_.machine().cache(level); }

 private:
  double derive(std::string_view table, std::span<const double> arguments) const;
  double of_other_width(std::string_view table, std::span<const double> arguments) const;

  Core core_;
  DerivedPieces derived_;
  bool measured_;
};

}  // namespace sortlab
