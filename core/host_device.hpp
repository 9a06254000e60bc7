// Mark for functions that also run on a CUDA device; constexpr functions need none (--expt-relaxed-constexpr).
// Functions for both sides must not use compiler builtins, nor std::bit_width and the like, which do: nvcc 13.0 accepts
// gcc's __builtin_clzll and __builtin_bswap64 in device code and computes wrong results, without a warning.
#pragma once

#ifdef __CUDACC__
#define SORTLAB_HOST_DEVICE __host__ __device__
#else
#define SORTLAB_HOST_DEVICE
#endif
