// Kernels for 4-byte keys.
#include "algorithms/multisplit_radix/histogram.cuh"
#include "algorithms/multisplit_radix/scatter.cuh"

namespace sortlab::multisplit {

template void count_buckets(const Tiles<std::uint32_t>&, const Shape&, cudaStream_t);
template void scatter(const Pass<std::uint32_t, NoValue>&, const Shape&, cudaStream_t);
template void scatter(const Pass<std::uint32_t, std::uint32_t>&, const Shape&, cudaStream_t);
template void scatter(const Pass<std::uint32_t, std::uint64_t>&, const Shape&, cudaStream_t);

}  // namespace sortlab::multisplit
