#include "algorithms/multi_gpu_radix/instantiate.cuh"

namespace sortlab::multi_gpu {

template std::unique_ptr<Sorter> make_shard_sorter<std::uint64_t, NoValue>(const Problem&, const Settings&,
                                                                           KeyOrder<std::uint64_t>, const Resources&);
template std::unique_ptr<Sorter> make_shard_sorter<std::uint64_t, std::uint32_t>(const Problem&, const Settings&,
                                                                                 KeyOrder<std::uint64_t>,
                                                                                 const Resources&);
template std::unique_ptr<Sorter> make_shard_sorter<std::uint64_t, std::uint64_t>(const Problem&, const Settings&,
                                                                                 KeyOrder<std::uint64_t>,
                                                                                 const Resources&);

}  // namespace sortlab::multi_gpu
