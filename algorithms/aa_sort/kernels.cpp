#include "algorithms/aa_sort/kernels.hpp"

#include <limits>
#include <type_traits>

#include "algorithms/aa_sort/comb_gap.hpp"
#include "algorithms/common/host/fixed_vectors.hpp"
#include "algorithms/common/host/merge_path.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/aa_sort/kernels.cpp"
#include <hwy/foreach_target.h>
// It must come first: it includes this file once for each target.
#include <hwy/highway.h>

#include "algorithms/aa_sort/block-inl.hpp"
#include "algorithms/aa_sort/merge-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::aa::HWY_NAMESPACE {

/// Inverts the bits below the sign of negative floats, so that signed integers have their order.
template <class T>
void map(void* keys, std::size_t n) {
  const Tag<T> d;
  constexpr T below_sign = std::numeric_limits<T>::max();
  T* const bits = static_cast<T*>(keys);
  std::size_t i = 0;
  for (; i + kLanes<T> <= n; i += kLanes<T>) {
    const auto v = hn::LoadU(d, bits + i);
    hn::StoreU(hn::Xor(v, hn::And(hn::BroadcastSignBit(v), hn::Set(d, below_sign))), d, bits + i);
  }
  for (; i < n; ++i) bits[i] ^= bits[i] < 0 ? below_sign : T{0};
}

Kernels kernels_here(Lane lane) {
  switch (lane) {
    case Lane::u32: return {sort_block<std::uint32_t>, merge<std::uint32_t>, nullptr};
    case Lane::i32: return {sort_block<std::int32_t>, merge<std::int32_t>, map<std::int32_t>};
    case Lane::u64: return {sort_block<std::uint64_t>, merge<std::uint64_t>, nullptr};
    case Lane::i64: break;
  }
  return {sort_block<std::int64_t>, merge<std::int64_t>, map<std::int64_t>};
}

}  // namespace sortlab::aa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortlab::aa {

HWY_EXPORT(kernels_here);

const HighwayTargets& widths() {
  static const auto widths = HighwayTargets::by_width(HWY_TARGETS, {"portable", HWY_STATIC_TARGET});
  return widths;
}

Kernels kernels_for(std::int64_t target, Lane lane) {
  choose_highway_target(target);
  return HWY_DYNAMIC_DISPATCH(kernels_here)(lane);
}

}  // namespace sortlab::aa
#endif
