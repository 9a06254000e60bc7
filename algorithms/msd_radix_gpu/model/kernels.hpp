// Times of msd_radix_gpu's kernels on the tree of its keys (tree.hpp), as their probes measured them, or from the
// operations that they execute.
#pragma once

#include <memory>
#include <span>

#include "algorithms/msd_radix_gpu/model/tree.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Kernels for one type and number of keys, sorted by one plan. All times are in seconds and include launches.
/// `in_order`: 1 for ordered keys, 0 for random order. Throws MissingQuantity.
class MsdKernels {
 public:
  virtual ~MsdKernels() = default;

  // Sorts that are one kernel
  virtual double few(const msd_tree::Kinds& kinds) const = 0;
  virtual double one_level(const msd_tree::Tree& tree, double in_order) const = 0;

  // Passes over all keys: the histogram of the top digits, and the partitions by them
  virtual double count(const msd_tree::Tree& tree, double in_order) const = 0;
  virtual double first(const msd_tree::Tree& tree, double in_order) const = 0;
  virtual double second(const msd_tree::Tree& tree, double in_order) const = 0;

  /// A level with a kernel for each step. If `level` is null, the kernels find nothing to do.
  virtual double stepped(const msd_tree::Level* level, double in_order) const = 0;
  /// All of `levels` in one kernel.
  virtual double together(std::span<const msd_tree::Level> levels, double in_order) const = 0;

  virtual double buckets(const msd_tree::Tree& tree) const = 0;

  /// Operations of the kernels whose times were asked for since the last call; none where they are not counted.
  virtual Operations take_operations() const { return {}; }
};

std::unique_ptr<MsdKernels> measured_msd_kernels(const MachineProfile& device, ElementBytes bytes, double n,
                                                 const msd_gpu::Plan& plan);

/// Derived: instructions of the compiled kernels, shared memory by contention, memory, latencies, barriers and
/// launches.
std::unique_ptr<MsdKernels> counted_msd_kernels(const MachineProfile& device, ElementBytes bytes, double n,
                                                const msd_gpu::Plan& plan);

}  // namespace sortlab
