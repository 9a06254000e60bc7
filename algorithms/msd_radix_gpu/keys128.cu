#include "algorithms/msd_radix_gpu/instantiate.cuh"

namespace sortlab::msd_gpu {

template std::unique_ptr<Sorter> make_sorter<uint128, NoValue>(const Problem&, const Plan&, KeyOrder<uint128>,
                                                               const Resources&);
template std::unique_ptr<BucketSorter> make_bucket_sorter<uint128, NoValue>(const Problem&, const Plan&,
                                                                            KeyOrder<uint128>, const Resources&);
template std::unique_ptr<TopCounter> make_top_counter<uint128>(KeyOrder<uint128>, const Resources&);

}  // namespace sortlab::msd_gpu
