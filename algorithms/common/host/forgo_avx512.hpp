// For programs under an instrument that does not support AVX-512.
#pragma once

namespace sortlab {

/// From now on nothing of Highway's runs here, and nothing chooses, what is wider than AVX2.
void forgo_avx512();

}  // namespace sortlab
