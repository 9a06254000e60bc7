// thrust::sort, called with an execution policy and an allocator that caches its memory.
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_thrust_sort(const Problem&, const Parameters&, const Resources&);

namespace {

const Register registered{std::make_unique<DeviceAlgorithm>(
    Info{.name = "thrust_sort",
         .title = "thrust::sort, as the toolkit ships it",
         .source = "Thrust, CUDA Core Compute Libraries",
         .family = "radix",
         .version = SORTLAB_CUB_VERSION,  // all libraries of CCCL share one version
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = false,
         .allocates_inside = true,
         .synchronises = true},
    &make_thrust_sort, Zeros::equal)};

}  // namespace
}  // namespace sortlab
