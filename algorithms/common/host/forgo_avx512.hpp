// A switch for programs that run under a tool without support for AVX-512, such as valgrind.
#pragma once

namespace sortlab {

/// Restricts Highway and our own dispatch to AVX2 and narrower instruction sets from now on.
void forgo_avx512();

}  // namespace sortlab
