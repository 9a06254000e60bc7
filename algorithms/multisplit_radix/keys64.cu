// Kernels for 8-byte keys.
#include "algorithms/multisplit_radix/histogram.cuh"
#include "algorithms/multisplit_radix/scatter.cuh"

namespace sortlab::multisplit {

using Word = std::uint64_t;

template void count_buckets(const Tiles<Word>&, const Shape&, cudaStream_t);
template void scatter(const Pass<Word, NoValue>&, const Shape&, cudaStream_t);
template void scatter(const Pass<Word, std::uint32_t>&, const Shape&, cudaStream_t);
template void scatter(const Pass<Word, std::uint64_t>&, const Shape&, cudaStream_t);

}  // namespace sortlab::multisplit
