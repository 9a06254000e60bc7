#include "algorithms/common/host/forgo_avx512.hpp"

#include <hwy/highway.h>

namespace sortlab {

void forgo_avx512() {
#if HWY_ARCH_X86
  hwy::DisableTargets(HWY_AVX2 - 1);  // wider targets have lower bits
#endif
}

}  // namespace sortlab
