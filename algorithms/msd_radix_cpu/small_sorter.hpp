// Few elements, sorted in place by one thread. Such a sort often takes less time than cache misses for code: so there
// is one call of one kernel, and no phase.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::msd {

/// The number of elements from which reading the clock is negligible: fewer are sorted without phases.
inline constexpr std::uint64_t kClocked = 2048;

/// Sorts n elements that are words already, with or without values beside them.
template <class Word, bool values>
class SmallSorter final : public Sorter {
 public:
  SmallSorter(std::uint64_t n, const Kernels<Word>& kernels) : n_(n), sort_few_(kernels.sort_few) {}

  Buffers sort(Buffers data, PhaseTimer& /*phases*/) override {
    auto* const words = static_cast<Word*>(data.keys.data);
    sort_few_(words, values ? static_cast<Word*>(data.values.data) - words : 0, n_);
    return data;
  }

 private:
  std::size_t n_;
  void (*sort_few_)(Word* words, std::ptrdiff_t to_values, std::size_t n);
};

}  // namespace sortlab::msd
