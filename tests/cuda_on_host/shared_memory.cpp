// Definitions of the kernels' dynamic shared memory, under the names that the kernels declare.
#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "cuda_runtime.h"

namespace sortlab::msd_gpu {

alignas(128) thread_local uint4 shared[kSharedBytes / sizeof(uint4)];
alignas(128) thread_local uint4 shared_bytes[kSharedBytes / sizeof(uint4)];
alignas(128) thread_local uint4 dynamic[kSharedBytes / sizeof(uint4)];

namespace stable {
alignas(128) thread_local uint4 shared[kSharedBytes / sizeof(uint4)];
}

}  // namespace sortlab::msd_gpu
