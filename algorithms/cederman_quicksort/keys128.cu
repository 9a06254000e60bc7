#include "algorithms/cederman_quicksort/kernels.cuh"

namespace sortlab::gpu_quicksort {

SORTLAB_INSTANTIATE(uint128);

}  // namespace sortlab::gpu_quicksort
