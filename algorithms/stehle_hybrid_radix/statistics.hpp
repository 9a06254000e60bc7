// Statistics of the last sort, read from its tables outside the timed call.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/plugin.hpp"

namespace sortlab::hybrid_radix {

struct PassStatistics {
  std::uint64_t buckets = 0;     ///< buckets partitioned by the pass
  std::uint64_t blocks = 0;      ///< blocks of these buckets
  std::uint64_t keys = 0;        ///< keys in these buckets: n times the share that model and paper give
  std::uint64_t local = 0;       ///< buckets sorted locally at the end of the pass
  std::uint64_t local_keys = 0;  ///< keys in the local buckets
  std::uint64_t merged = 0;      ///< local buckets of more than one sub-bucket
  std::uint64_t left = 0;        ///< local buckets left by the ranked sort to the block radix sort
};

/// Interface of the sorter for its tests.
class HybridSorterBase : public Sorter {
 public:
  virtual std::vector<PassStatistics> statistics() const = 0;
};

}  // namespace sortlab::hybrid_radix
