#define SORTLAB_X86_SIMD_SORTS avx2_openmp
#include "algorithms/x86_simd_sort/sorts-inl.hpp"
