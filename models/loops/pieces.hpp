// Where a CPU sort's model takes the costs of the sort's pieces from. A model of kind component reads what calibration
// measured of each piece alone, with the sort's own code. One of kind hardware, named <sort>-loops, derives them: the
// cycles of the compiled loop by static analysis (harness/calibrate/loops.py), branch mispredictions, bytes between
// caches and memory, each at a rate that was measured without any sorting code.
//
// How core and memory overlap is a property of the machine (MB12, overlap.core): ‖core, memory‖ₚ.
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

  /// The same for pieces that threads take one by one, of which a slow thread takes fewer.
  Core by_pieces() const {
    Core core = *this;
    core.by_pieces_ = true;
    return core;
  }
  /// How much longer a thread is at work in its core while the others are: the slowest, or all if by pieces. Threads
  /// may share a core, its clock, or, in a virtual machine, their cores with others'.
  double pace() const;

  /// An element of the loop with exactly these arguments, with all data in the first-level cache: what the instructions
  /// wait for each other, or, at the core's pace, the port that binds. Throws MissingQuantity.
  double loop(const std::string& name, double first, double second = 0, double third = 0) const;
  /// Conditional branches per element.
  double branches(const std::string& name, double first, double second = 0, double third = 0) const;

  /// A mispredicted branch.
  double miss() const { return machine_.at("branch_miss"); }

  /// Stalls on repeated additions to one word, at `collision_bits`: where two words are equal with probability 2^-bits,
  /// the most frequent one is hit at least as often.
  double chain(double collision_bits) const;

  /// So many stores to different lines, which a core completes one after the other.
  double stores(double count) const { return pace() * count * machine_.at("store_commit"); }

  /// So many stores of whole registers; crossing: unaligned, from wherever the last one ended.
  double wide_stores(double count, double register_bytes, bool crossing) const {
    return pace() * count * machine_.at("store_wide", {register_bytes, crossing ? 1.0 : 0.0});
  }

  /// Extra time when `bytes` per element come from a working set of so many bytes per thread instead of the first-level
  /// cache, whose ports are part of every loop: by `table` (read, read_ahead, rewrite or copy).
  double beyond(std::string_view table, double threads, double bytes, double working_set) const;

  /// Moving an element's `bytes` (as `table` counts them: those above, copy_nt, write or write_nt) at what a working
  /// set of so many bytes a thread allows.
  double moving(std::string_view table, double threads, double bytes, double working_set) const;

  /// Writing to random lines of a working set of `bytes`, beyond the time of the first-level cache.
  double far_line(double threads, double bytes) const;

  /// ‖core, memory‖ with the exponent measured for reading, or for copies by non-temporal stores.
  double overlapped(double core, double memory, double threads, bool streams) const;

 private:
  double of_loop(const std::string& name, std::string_view what, std::span<const double> arguments) const;

  const MachineProfile& machine_;
  const Workload& workload_;
  bool by_pieces_ = false;
};

/// The derived value of a table of pieces, or nothing for a table that is no piece of the sort.
using DerivedPieces = std::optional<double> (*)(const Core&, std::string_view table, std::span<const double> arguments);

class Pieces {
 public:
  /// derived: null for what calibration measured.
  Pieces(const MachineProfile& machine, const Workload& workload, DerivedPieces derived)
      : core_(machine, workload), derived_(derived) {}

  double at(std::string_view table, std::initializer_list<double> arguments = {}) const {
    return at(table, std::span{arguments.begin(), arguments.size()});
  }
  double at(std::string_view table, std::span<const double> arguments) const;
  /// Whether costs of the sort's pieces are derived: then there are some that calibration does not measure.
  bool derives() const { return derived_ != nullptr; }
  double cache(std::string_view level) const { return core_.machine().cache(level); }

 private:
  Core core_;
  DerivedPieces derived_;
};

}  // namespace sortlab
