// Times of the sample sort's kernels, as its probes measured them, or from the operations that they execute.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/leischner_sample_sort/plan.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Buckets of about the same size.
struct SizedBuckets {
  double buckets = 0;
  double elements = 0;  ///< elements of each
  double rounds = 0;    ///< rounds of quicksort that separate few distinct keys; 0: keys are mostly distinct
};

/// Kernels of one setting and type. All times are in seconds and include launches. Throws MissingQuantity. `log`:
/// binary logarithm of the ways; `ordered`: share of warps whose elements go to a single bucket.
class SampleSortKernels {
 public:
  virtual ~SampleSortKernels() = default;

  virtual double begin() const = 0;
  virtual double sample(double segments, double log) const = 0;
  virtual double find(double elements, double log, double ordered, double segments) const = 0;
  virtual double scan(double counters) const = 0;
  virtual double scatter(double elements, double log, double ordered, double segments) const = 0;
  virtual double list(double segments) const = 0;
  virtual double sort(const std::vector<SizedBuckets>& buckets) const = 0;

  /// Operations of the kernels whose times were asked for since the last call; none where they are not counted.
  virtual Operations take_operations() const { return {}; }
};

/// Derived: instructions of the compiled kernels, shared memory by contention, memory, latencies and launches. Of the
/// preset tuned.
std::unique_ptr<SampleSortKernels> counted_kernels(const MachineProfile& device, const sample_sort::Settings& settings,
                                                   ElementBytes bytes);

}  // namespace sortlab
