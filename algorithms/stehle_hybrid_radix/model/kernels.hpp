// Times of the hybrid radix sort's kernels, as its probes measured them, or from the operations that they execute.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "algorithms/stehle_hybrid_radix/model/buckets.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Kernels of one setting and type. All times are in seconds and include launches. Throws MissingQuantity.
class HybridKernels {
 public:
  virtual ~HybridKernels() = default;

  /// The input is listed as one bucket, in blocks.
  virtual double begin(double blocks) const = 0;
  virtual double clear(double buckets) const = 0;
  /// `hottest`: the share of the most frequent digit, as a warp sees it.
  virtual double count(const hybrid_buckets::Pass& pass, double hottest) const = 0;
  virtual double scatter(const hybrid_buckets::Pass& pass, double hottest) const = 0;
  virtual double sum(double buckets) const = 0;
  /// `listed`: sub-buckets, of all buckets.
  virtual double list(double buckets, double listed) const = 0;
  /// The local sorts of one pass: all are launched, whatever there is for them.
  virtual double local(std::span<const hybrid_buckets::Local> listed,
                       const hybrid_radix::LocalClasses& classes) const = 0;
  /// Pairs taken apart, or put together.
  virtual double pairs(bool decomposes, double n) const = 0;

  /// Operations of the kernels whose times were asked for since the last call; none where they are not counted.
  virtual Operations take_operations() const { return {}; }
};

// Buckets of local sorts that rank, and what those leave to CUB's sort

/// Maximum keys of a bucket in a class.
double class_end(const hybrid_radix::LocalClasses& classes, std::size_t size_class,
                 const hybrid_radix::Settings& settings);
/// Keys of a block that sorts the buckets of a class. CUB's sort takes the smallest block that holds them.
double capacity(bool by_rank, const hybrid_radix::LocalClasses& classes, std::size_t size_class,
                const hybrid_radix::Settings& settings, ElementBytes bytes);
/// Expected comparisons of a key with the others of its bin: bins are formed by log2(class_keys) bits, each of which is
/// one with probability `ones`.
double count_comparisons(const hybrid_buckets::Local& local, double class_keys);
/// True if the ranked sort would need too many comparisons and leaves the bucket to CUB's sort.
bool is_left(const hybrid_buckets::Local& local, double class_keys);

/// Derived: instructions of the compiled kernels, shared memory by contention, memory, latencies and launches.
std::unique_ptr<HybridKernels> counted_kernels(const MachineProfile& device, const hybrid_radix::Settings& settings,
                                               ElementBytes bytes);

}  // namespace sortlab
