// CUB's radix sort with its defaults, as a program uses it.
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_cub_radix(const Problem&, const Parameters&, const Resources&);

namespace {

const Register registered{
    std::make_unique<DeviceAlgorithm>(Info{.name = "cub_radix",
                                           .title = "CUB's DeviceRadixSort (OneSweep), as the toolkit ships it",
                                           .source = "CUB, CUDA Core Compute Libraries",
                                           .family = "radix",
                                           .version = SORTLAB_CUB_VERSION,
                                           .stable = true,
                                           .roles = {{"gpu_radix_of_today", {}}}},
                                      &make_cub_radix, Zeros::equal)};

}  // namespace
}  // namespace sortlab
