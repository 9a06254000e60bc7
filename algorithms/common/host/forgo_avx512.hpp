// For programs under an instrument that does not support AVX-512.
#pragma once

namespace sortlab {

/// From now on neither Highway nor our own dispatch uses anything wider than AVX2.
void forgo_avx512();

}  // namespace sortlab
