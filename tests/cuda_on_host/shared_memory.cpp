// Dynamic shared memory of the kernels, by the names that they give it.
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
