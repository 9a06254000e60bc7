#include "algorithms/msd_radix_gpu/instantiate.cuh"

namespace sortlab::msd_gpu {

template std::unique_ptr<Sorter> make_sorter<uint128, std::uint32_t>(const Problem&, const Plan&, KeyOrder<uint128>,
                                                                     const Resources&);
template std::unique_ptr<BucketSorter> make_bucket_sorter<uint128, std::uint32_t>(const Problem&, const Plan&,
                                                                                  KeyOrder<uint128>, const Resources&);

}  // namespace sortlab::msd_gpu
