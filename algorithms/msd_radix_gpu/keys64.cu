#include "algorithms/msd_radix_gpu/instantiate.cuh"

namespace sortlab::msd_gpu {

template std::unique_ptr<Sorter> make_sorter<std::uint64_t, NoValue>(const Problem&, const Plan&,
                                                                     KeyOrder<std::uint64_t>, const Resources&);
template std::unique_ptr<BucketSorter> make_bucket_sorter<std::uint64_t, NoValue>(const Problem&, const Plan&,
                                                                                  KeyOrder<std::uint64_t>,
                                                                                  const Resources&);
template std::unique_ptr<TopCounter> make_top_counter<std::uint64_t>(KeyOrder<std::uint64_t>, const Resources&);

}  // namespace sortlab::msd_gpu
