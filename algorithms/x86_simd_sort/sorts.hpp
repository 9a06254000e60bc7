// x86-simd-sort's functions, compiled for each instruction set, without OpenMP and with it.
#pragma once

#include <cstddef>

namespace sortlab::external::x86_simd {

/// Sorts n keys, and values with them unless these are null.
using Sort = void (*)(void* keys, void* values, std::size_t n);

/// Keys by how they are compared, values by their width in bytes.
struct Sorts {
  struct OfKey {
    Sort alone;
    Sort with_4;
    Sort with_8;
  };
  OfKey u32, i32, f32, u64, i64, f64;
};

/// Sorts on one thread.
const Sorts& avx512();
const Sorts& avx2();
/// Sorts on as many threads as omp_set_num_threads() set last.
const Sorts& avx512_openmp();
const Sorts& avx2_openmp();

}  // namespace sortlab::external::x86_simd
