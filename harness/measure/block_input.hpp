// The input of a block: made once, kept unchanged, and copied anew before every sort.
#pragma once

#include <optional>

#include "core/pages.hpp"
#include "harness/cell/case.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

/// Memory that is kept from block to block, so that the next block finds it mapped and warm.
struct InputMemory {
  Pages keys;          ///< the unchanged input
  Pages sorted;        ///< keys to sort, layout separate
  Pages values;        ///< values to sort, layout separate
  Pages together;      ///< pairs to sort, layout together
  Pages bytes;         ///< for records, the unchanged input; `keys` and `sorted` then hold their positions
  Pages sorted_bytes;  ///< bytes of the records to sort
};

class BlockInput {
 public:
  /// Makes the input of `c` in `memory` with `threads` threads, for sorts in `layouts`. Throws std::bad_alloc.
  BlockInput(const Case& c, const std::vector<Layout>& layouts, InputMemory& memory, int threads);

  /// Copies the input anew to the arrays to sort. The calling thread copies small inputs alone, so that they lie in the
  /// cache of the core that will sort them. All threads copy larger ones.
  Buffers restore(Layout layout);

  const InputDigest& digest() const { return digest_; }
  std::optional<double> entropy_bits() const { return entropy_bits_; }
  int threads() const { return threads_; }

 private:
  void make_records(const Input& input);

  Case case_;
  InputMemory& memory_;
  int threads_;
  InputDigest digest_;
  std::optional<double> entropy_bits_;
};

}  // namespace sortlab
