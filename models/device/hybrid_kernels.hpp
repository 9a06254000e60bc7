// What the kernels of the hybrid radix sort take: as its probes measured them, or from what they execute.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "models/device/device_kernel.hpp"
#include "models/device/hybrid_buckets.hpp"

namespace sortlab {

/// Of one setting and type; all in seconds, launches included. Throws MissingQuantity.
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
};

/// Derived: instructions of the compiled kernels, shared memory by contention, memory, latencies and launches.
std::unique_ptr<HybridKernels> counted_kernels(const MachineProfile& device, const hybrid_radix::Settings& settings,
                                               ElementBytes bytes);

}  // namespace sortlab
