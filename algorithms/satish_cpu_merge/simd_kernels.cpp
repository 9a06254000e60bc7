// The kernels of each register width. Highway compiles this file once for each target.
#include "algorithms/common/host/fixed_vectors.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/satish_cpu_merge/simd_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "algorithms/satish_cpu_merge/runs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::satish_merge {
namespace HWY_NAMESPACE {

#if SORTLAB_TARGET_WITH_WIDTH
// Four registers per side and two merges at once were the best of five choices for lanes of 32 bits. Lanes of 64 bits
// use the same, untested. Pairs take twice the registers, and use two per side.
const Kernels<std::int32_t>* kernels_32() {
  return Runs<KeysOnly<std::int32_t>, merge_depth(false), 2>::table();
}
const Kernels<std::int64_t>* kernels_64(bool pairs) {
  if (pairs) return Runs<KeysAndValues<std::int64_t>, merge_depth(true), 2>::table();
  return Runs<KeysOnly<std::int64_t>, merge_depth(false), 2>::table();
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::satish_merge
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortlab::satish_merge {
const HighwayTargets& widths() {
  static const auto widths = HighwayTargets::by_width(HWY_TARGETS, {"scalar", 0});
  return widths;
}

// The width is a parameter of the sort, so the functions are called by name and not through Highway's dispatch table,
// which the whole program shares.
template <>
const Kernels<std::int32_t>* simd_kernels(std::int64_t target, bool /*pairs*/) {
  switch (target) {
#if HWY_TARGETS & HWY_SSE4
    case HWY_SSE4: return N_SSE4::kernels_32();
#endif
#if HWY_TARGETS & HWY_AVX2
    case HWY_AVX2: return N_AVX2::kernels_32();
#endif
#if HWY_TARGETS & HWY_AVX3
    case HWY_AVX3: return N_AVX3::kernels_32();
#endif
#if HWY_TARGETS & HWY_NEON
    case HWY_NEON: return N_NEON::kernels_32();
#endif
    default: return nullptr;
  }
}

template <>
const Kernels<std::int64_t>* simd_kernels(std::int64_t target, bool pairs) {
  switch (target) {
#if HWY_TARGETS & HWY_SSE4
    case HWY_SSE4: return N_SSE4::kernels_64(pairs);
#endif
#if HWY_TARGETS & HWY_AVX2
    case HWY_AVX2: return N_AVX2::kernels_64(pairs);
#endif
#if HWY_TARGETS & HWY_AVX3
    case HWY_AVX3: return N_AVX3::kernels_64(pairs);
#endif
#if HWY_TARGETS & HWY_NEON
    case HWY_NEON: return N_NEON::kernels_64(pairs);
#endif
    default: return nullptr;
  }
}

}  // namespace sortlab::satish_merge
#endif
