#include "algorithms/msd_radix_gpu/instantiate.cuh"

namespace sortlab::msd_gpu {

template std::unique_ptr<Sorter> make_sorter<uint128, NoValue>(const Problem&, const Plan&, KeyOrder<uint128>,
                                                               const Resources&);

}  // namespace sortlab::msd_gpu
