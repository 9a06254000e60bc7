// The two forms of storing compressed lanes, for one instruction set. split_kernels.cpp includes it once for each.
#if defined(SORTLAB_KNF_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_KNF_COMPRESS_INL
#undef SORTLAB_KNF_COMPRESS_INL
#else
#define SORTLAB_KNF_COMPRESS_INL
#endif

#include "algorithms/common/host/compress-inl.hpp"
#include "algorithms/knf_split_radix/split_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::knf::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using sortlab::HWY_NAMESPACE::compressed;
using sortlab::HWY_NAMESPACE::kHasCompress;
using sortlab::HWY_NAMESPACE::kPermutes;

/// Writes the lanes of `mask` one after the other. Memory after them, up to a vector's length, may change.
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
