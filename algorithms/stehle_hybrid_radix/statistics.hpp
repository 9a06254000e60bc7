// What the last sort did, read from its tables outside the timed call.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/plugin.hpp"

namespace sortlab::hybrid_radix {

struct PassStatistics {
  std::uint64_t buckets = 0;     ///< partitioned by the pass
  std::uint64_t blocks = 0;      ///< of them
  std::uint64_t keys = 0;        ///< in them: n times the share of model and paper
  std::uint64_t local = 0;       ///< buckets sorted locally at its end
  std::uint64_t local_keys = 0;  ///< in them
  std::uint64_t merged = 0;      ///< of them of more than one sub-bucket
  std::uint64_t left = 0;        ///< of them left by the ranked sort to the other one
};

/// A sorter of this folder, as its tests see it.
class HybridSorterBase : public Sorter {
 public:
  virtual std::vector<PassStatistics> statistics() const = 0;
};

}  // namespace sortlab::hybrid_radix
