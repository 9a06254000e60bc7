#include "algorithms/stehle_hybrid_radix/instantiate_sorter.cuh"

namespace sortlab::hybrid_radix {

template std::unique_ptr<Sorter> make_sorter<std::uint64_t, std::uint64_t>(const Problem&, KeyOrder<std::uint64_t>,
                                                                           const Settings&, const Resources&);
template class HybridPasses<std::uint64_t, std::uint64_t, std::uint32_t>;  // for compiled_passes.cuh

}  // namespace sortlab::hybrid_radix
