// A mark for functions that also run on a CUDA device; those that are constexpr need none (--expt-relaxed-constexpr).
#pragma once

#ifdef __CUDACC__
#define SORTLAB_HOST_DEVICE __host__ __device__
#else
#define SORTLAB_HOST_DEVICE
#endif
