// Sorts few elements in place by one thread. The instruction cache misses of such a sort may take longer than sorting,
// so it is one call of one kernel, without phases.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::msd {

/// Minimum number of elements that are sorted with phases: reading the clock then takes negligible time.
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
