// A sort on a CUDA device: its Info, which is in every build. Its kernels are in gpu_sort.cu.
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace gpu_sort {

[[gnu::weak]] std::unique_ptr<sortlab::Sorter> make(const sortlab::Problem&, const sortlab::Parameters&,
                                                    const sortlab::Resources&);

}  // namespace gpu_sort

namespace {

using namespace sortlab;

const Register registered{std::make_unique<DeviceAlgorithm>(Info{.name = "gpu_sort",
                                                                 .title = "CUB's radix sort in two arrays, an example",
                                                                 .source = "CUB, CUDA Core Compute Libraries",
                                                                 .family = "radix",
                                                                 .version = SORTLAB_VERSION,
                                                                 .keys = {KeyType::u32, KeyType::u64},
                                                                 .values = {ValueType::none},
                                                                 .stable = true},
                                                            &gpu_sort::make)};

}  // namespace
