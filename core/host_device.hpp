// A mark for functions that also run on a CUDA device; those that are constexpr need none (--expt-relaxed-constexpr).
// What both call must not use the compiler's builtins, also not through std::bit_width and its like: nvcc 13.0 takes
// gcc's __builtin_clzll and __builtin_bswap64 in device code and makes wrong results of them, without a warning.
#pragma once

#ifdef __CUDACC__
#define SORTLAB_HOST_DEVICE __host__ __device__
#else
#define SORTLAB_HOST_DEVICE
#endif
