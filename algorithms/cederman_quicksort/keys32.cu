#include "algorithms/cederman_quicksort/kernels.cuh"

namespace sortlab::gpu_quicksort {

SORTLAB_INSTANTIATE(std::uint32_t);

}  // namespace sortlab::gpu_quicksort
