// The two forms of compress, for one instruction set: included once for each by split_kernels.cpp.
//
// In place of Highway's Compress where that of 1.0.3 is slow: it has its tables of permutations on the stack, where GCC
// fills them anew for every vector (AVX2 and SSE4, and 64-bit lanes on AVX-512).
#if defined(SORTLAB_KNF_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_KNF_COMPRESS_INL
#undef SORTLAB_KNF_COMPRESS_INL
#else
#define SORTLAB_KNF_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include "algorithms/knf_split_radix/compress_table.hpp"
#include "algorithms/knf_split_radix/split_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::knf::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr bool kHasCompress = HWY_ARCH_X86 != 0 && HWY_TARGET <= HWY_AVX3;
inline constexpr bool kPermutes = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3;

/// A vector by a row of a table, whose parts are 4-byte lanes in a vector of 32 bytes and bytes in a shorter one.
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

template <class D, class Vector, class Mask>
HWY_INLINE Vector compressed(D d, Vector v, Mask mask) {
  if constexpr (kPermutes) {
    return permuted(d, v, mask);
  } else if constexpr (kHasCompress && sizeof(hn::TFromD<D>) == 8) {
    const hn::Repartition<std::uint32_t, D> halves;
    const auto both = hn::MaskFromVec(hn::BitCast(halves, hn::VecFromMask(d, mask)));
    return hn::BitCast(d, hn::Compress(hn::BitCast(halves, v), both));
  } else {
    return hn::Compress(v, mask);
  }
}

/// Writes the lanes of `mask` one after the other; what lies behind them in a vector's length may change.
template <CompressForm form, class D, class Vector, class Mask>
HWY_INLINE void put(D d, Vector v, Mask mask, hn::TFromD<D>* to) {
  if constexpr (form == CompressForm::memory && !kPermutes) {
    hn::CompressStore(v, mask, d, to);
  } else {
    hn::StoreU(compressed(d, v, mask), d, to);
  }
}

}  // namespace sortlab::knf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
