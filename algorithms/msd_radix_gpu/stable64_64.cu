#include "algorithms/msd_radix_gpu/instantiate_stable.cuh"

namespace sortlab::msd_gpu {

template std::unique_ptr<Sorter> make_stable_sorter<std::uint64_t, std::uint64_t>(const Problem&,
                                                                                  KeyOrder<std::uint64_t>,
                                                                                  const Resources&);
template std::unique_ptr<BucketSorter> make_stable_bucket_sorter<std::uint64_t, std::uint64_t>(const Problem&,
                                                                                               KeyOrder<std::uint64_t>,
                                                                                               const Resources&);

}  // namespace sortlab::msd_gpu
