// The levels as compiled in the sorter's own files (keys32.cu and its siblings), for probes, which would otherwise
// compile every kernel again.
#pragma once

#include "algorithms/leischner_sample_sort/sample_sorter.cuh"

namespace sortlab::sample_sort {

extern template class SampleLevels<std::uint32_t, NoValue>;
extern template class SampleLevels<std::uint64_t, NoValue>;
extern template class SampleLevels<std::uint32_t, std::uint32_t>;
extern template class SampleLevels<std::uint64_t, std::uint64_t>;

}  // namespace sortlab::sample_sort
