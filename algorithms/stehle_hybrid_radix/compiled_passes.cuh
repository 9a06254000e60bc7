// The passes as compiled in the sorter's own files (keys32.cu and its siblings), for components and probes, which would
// otherwise compile every kernel again.
#pragma once

#include "algorithms/stehle_hybrid_radix/hybrid_sorter.cuh"

namespace sortlab::hybrid_radix {

extern template class HybridPasses<std::uint32_t, NoValue, std::uint32_t>;
extern template class HybridPasses<std::uint64_t, NoValue, std::uint32_t>;
extern template class HybridPasses<std::uint32_t, std::uint32_t, std::uint32_t>;
extern template class HybridPasses<std::uint64_t, std::uint64_t, std::uint32_t>;

}  // namespace sortlab::hybrid_radix
