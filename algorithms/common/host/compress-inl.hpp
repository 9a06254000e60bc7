// Compress for one instruction set: moves the lanes of a mask together. Included once for each target.
//
// Replaces Highway's Compress where that of 1.0.3 is slow: its permutation tables are on the stack, where GCC rebuilds
// them for every vector (AVX2 and SSE4, and 64-bit lanes on AVX-512).
#if defined(SORTLAB_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_COMPRESS_INL
#undef SORTLAB_COMPRESS_INL
#else
#define SORTLAB_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include "algorithms/common/host/compress_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr bool kHasCompress = HWY_ARCH_X86 != 0 && HWY_TARGET <= HWY_AVX3;
inline constexpr bool kPermutes = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3;
/// True if partitioned() works on vectors of T. (On other targets, Highway's own Compress partitions.)
template <class T>
inline constexpr bool kPartitions = !kHasCompress || sizeof(T) == 8;

/// Permutes a vector by the table's row for `mask`. The row counts 4-byte lanes in a vector of 32 bytes, and bytes in a
/// shorter one.
template <class D, class Vector, class Mask>
HWY_INLINE Vector permuted(D d, Vector v, Mask mask) {
  constexpr std::size_t lane_bytes = sizeof(hn::TFromD<D>);
  constexpr std::size_t bytes = hn::MaxLanes(d) * lane_bytes;
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  if constexpr (bytes == 32) {
    const hn::Repartition<std::uint32_t, D> d32;
    const hn::Rebind<std::uint8_t, decltype(d32)> d8;
    const auto row = hn::LoadU(d8, kCompressTable<32 / lane_bytes, lane_bytes / 4>[bits[0]].data());
    const auto lanes = hn::IndicesFromVec(d32, hn::PromoteTo(d32, row));
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(d32, v), lanes));
  } else {
    const hn::Repartition<std::uint8_t, D> d8;
    const auto row = hn::LoadU(d8, kCompressTable<16 / lane_bytes, lane_bytes>[bits[0]].data());
    return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), row));
  }
}

/// The lanes of `mask` in order, followed by undefined lanes.
template <class D, class Vector, class Mask>
HWY_INLINE Vector compressed(D d, Vector v, Mask mask) {
  if constexpr (kPermutes) {
    return permuted(d, v, mask);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  } else if constexpr (sizeof(hn::TFromD<D>) == 8 && sizeof(Vector) == 64) {
    return Vector{_mm512_maskz_compress_epi64(mask.raw, v.raw)};
#endif
  } else {
    return hn::Compress(v, mask);
  }
}

/// The lanes of `mask` in order, then the others. With up to eight lanes, a table lookup and a permutation take half
/// the work of two compress instructions.
template <class D, class Vector, class Mask>
HWY_INLINE Vector partitioned(D d, Vector v, Mask mask) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  static_assert(kPartitions<hn::TFromD<D>> && sizeof(Vector) == 64);
  (void)d;
  const auto* const row = kCompressTable<8, 1>[static_cast<std::uint8_t>(mask.raw)].data();
  const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row));
  return Vector{_mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(lanes), v.raw)};
#else
  return compressed(d, v, mask);
#endif
}

}  // namespace sortlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
