// Where a model of a sort on the CPU takes the costs of the sort's pieces from. A model of kind component reads what
// calibration measured of them, each alone, by the sort's own code. One of kind hardware, named <sort>-loops, derives
// them: the cycles of the compiled loop by static analysis (harness/calibrate/loops.py), branches that nobody foresees,
// bytes between caches and memory, each at a rate that was measured without any sorting code.
//
// How the two overlap is the machine's, too (MB12, overlap.core): ‖core, memory‖ₚ.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "models/cost.hpp"
#include "models/model.hpp"

namespace sortlab {

/// The machine without the sort's pieces, as derivations read it. Times are in seconds; those of data of one element
/// are of the element's thread while all threads do the same.
class Core {
 public:
  Core(const MachineProfile& machine, const Workload& workload) : machine_(machine), workload_(workload) {}

  const MachineProfile& machine() const { return machine_; }
  const Workload& workload() const { return workload_; }

  /// An element of the loop with just these arguments, all it reads in the first-level cache. Throws MissingQuantity.
  double loop(const std::string& name, double first, double second = 0, double third = 0) const;
  /// Conditional branches an element of it.
  double branches(const std::string& name, double first, double second = 0, double third = 0) const;

  /// A branch that was not foreseen.
  double miss() const { return machine_.at("branch_miss"); }

  /// A chain of additions to one word, as far as that of `collision_bits` keeps the core waiting: who adds to words of
  /// which two are the same with chance 2^-bits meets the fullest at least as often.
  double chain(double collision_bits) const;

  /// So many stores to different lines, of which a core completes one after the other.
  double stores(double count) const { return count * machine_.at("store_commit"); }

  /// So many stores of whole registers; crossing: from wherever the last ones ended, not from where lines begin.
  double wide_stores(double count, double register_bytes, bool crossing) const {
    return count * machine_.at("store_wide", {register_bytes, crossing ? 1.0 : 0.0});
  }

  /// What it takes more that `bytes` an element lie in a working set of so many bytes a thread, and not in the
  /// first-level cache, whose ports are part of every loop: by `table` (read or copy).
  double beyond(std::string_view table, double threads, double bytes, double working_set) const;

  /// Moving an element's `bytes` (read and written) at what `table` (read, copy, copy_nt, write_nt) allows a working
  /// set of so many bytes a thread.
  double moving(std::string_view table, double threads, double bytes, double working_set) const;

  /// Writing to one of many lines of `bytes` in no order, beyond what the first-level cache takes.
  double far_line(double threads, double bytes) const;

  /// ‖core, memory‖ with the exponent measured for reading, or for copies by non-temporal stores.
  double overlapped(double core, double memory, double threads, bool streams) const;

 private:
  double of_loop(const std::string& name, std::string_view what, std::span<const double> arguments) const;

  const MachineProfile& machine_;
  const Workload& workload_;
};

/// What a table of pieces would hold, or nothing of a table that is no piece of the sort.
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
  double cache(std::string_view level) const { return core_.machine().cache(level); }

 private:
  Core core_;
  DerivedPieces derived_;
};

}  // namespace sortlab
