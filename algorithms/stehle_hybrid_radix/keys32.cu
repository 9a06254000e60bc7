#include "algorithms/stehle_hybrid_radix/instantiate_sorter.cuh"

namespace sortlab::hybrid_radix {

template std::unique_ptr<Sorter> make_sorter<std::uint32_t, NoValue>(const Problem&, KeyOrder<std::uint32_t>,
                                                                     const Settings&, const Resources&);
template class HybridPasses<std::uint32_t, NoValue, std::uint32_t>;  // for compiled_passes.cuh

}  // namespace sortlab::hybrid_radix
