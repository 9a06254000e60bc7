// CUB's merge sort in Sortlab's order of keys; everything else is the library's default.
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_cub_merge(const Problem&, const Parameters&, const Resources&);

namespace {

const Register registered{std::make_unique<DeviceAlgorithm>(
    Info{.name = "cub_merge",
         .title = "CUB's DeviceMergeSort, as the toolkit ships it",
         .source = "CUB, CUDA Core Compute Libraries",
         .family = "merge",
         .version = SORTLAB_CUB_VERSION,
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = true},
    &make_cub_merge)};

}  // namespace
}  // namespace sortlab
