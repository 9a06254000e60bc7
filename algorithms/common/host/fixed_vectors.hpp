// Targets for kernels that keep vectors in arrays and members. Include before Highway.
//
// Vectors of SVE have no size that the compiler knows, so they can be neither. On Arm such kernels use the 128 bits of
// NEON.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

/// True while Highway compiles for a target that HighwayTargets::by_width() names.
#define SORTLAB_TARGET_WITH_WIDTH \
  (HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON)
