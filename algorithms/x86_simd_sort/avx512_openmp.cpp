#define SORTLAB_X86_SIMD_SORTS avx512_openmp
#include "algorithms/x86_simd_sort/sorts-inl.hpp"
