#include "algorithms/multi_gpu_radix/instantiate.cuh"

namespace sortlab::multi_gpu {

template std::unique_ptr<Sorter> make_shard_sorter<uint128, NoValue>(const Problem&, const Settings&, KeyOrder<uint128>,
                                                                     const Resources&);
template std::unique_ptr<Sorter> make_shard_sorter<uint128, std::uint32_t>(const Problem&, const Settings&,
                                                                           KeyOrder<uint128>, const Resources&);
template std::unique_ptr<Sorter> make_shard_sorter<uint128, std::uint64_t>(const Problem&, const Settings&,
                                                                           KeyOrder<uint128>, const Resources&);

}  // namespace sortlab::multi_gpu
