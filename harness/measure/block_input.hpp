// The input of a block: made once, kept as it is, and copied afresh before every sort.
#pragma once

#include <optional>

#include "core/pages.hpp"
#include "harness/cell/case.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

/// Memory that outlives a block: the next one finds it mapped and warm.
struct InputMemory {
  Pages keys;          ///< the input itself
  Pages sorted;        ///< keys to sort, layout separate
  Pages values;        ///< values to sort, layout separate
  Pages together;      ///< pairs to sort, layout together
  Pages bytes;         ///< of records: the input itself; then `keys` and `sorted` hold where they lie
  Pages sorted_bytes;  ///< of records to sort
};

class BlockInput {
 public:
  /// Makes the input of `c` with `threads` threads, in `memory`, for sorts in `layouts`. Throws std::bad_alloc.
  BlockInput(const Case& c, const std::vector<Layout>& layouts, InputMemory& memory, int threads);

  /// A fresh copy in the arrays to sort. Small inputs are copied by the calling thread alone, so that they lie in the
  /// cache of the core that will sort them; larger ones by all threads.
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
