#include "algorithms/aa_sort/kernels.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

#include "algorithms/aa_sort/comb_gap.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/aa_sort/kernels.cpp"
#include <hwy/foreach_target.h>
// It must come first: it includes this file once for each target.
#include <hwy/highway.h>

#include "algorithms/aa_sort/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::aa::HWY_NAMESPACE {

/// A vector of the next `left` keys, filled up with largest keys.
template <class T>
HWY_INLINE Vec<T> load_some(const T* from, std::size_t left) {
  const Tag<T> d;
  if (left >= kLanes<T>) return hn::LoadU(d, from);
  HWY_ALIGN T some[kLanes<T>];
  std::fill(std::copy_n(from, left, some), some + kLanes<T>, std::numeric_limits<T>::max());
  return hn::Load(d, some);
}

template <class T>
HWY_INLINE T* store_some(Vec<T> v, T* to, const T* end) {
  const Tag<T> d;
  const auto left = static_cast<std::size_t>(end - to);
  if (left >= kLanes<T>) {
    hn::StoreU(v, d, to);
    return to + kLanes<T>;
  }
  HWY_ALIGN T some[kLanes<T>];
  hn::Store(v, d, some);
  return std::copy_n(some, left, to);
}

/// Out-of-core merge of AA-sort (section 3.2): the smaller lanes of two vectors are written out, and the larger meet
/// the next vector of the run whose head is smaller.
template <class T>
void merge(const void* first, std::size_t a_count, const void* second, std::size_t b_count, void* result) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const T* a = static_cast<const T*>(first);
  const T* b = static_cast<const T*>(second);
  const T* const a_end = a + a_count;
  const T* const b_end = b + b_count;
  T* out = static_cast<T*>(result);
  if (a_count == 0 || b_count == 0) {
    std::copy(b, b_end, std::copy(a, a_end, out));
    return;
  }
  const T* const out_end = out + a_count + b_count;
  const bool a_begins = *a <= *b;
  auto pending = a_begins ? load_some(a, a_count) : load_some(b, b_count);
  (a_begins ? a : b) += std::min(lanes, a_begins ? a_count : b_count);
  // Whole vectors on both sides. The choice is no branch: it could not be predicted.
  while (a + lanes <= a_end && b + lanes <= b_end) {
    const std::size_t takes_a = *a <= *b ? 1 : 0;
    auto next = hn::LoadU(d, takes_a != 0 ? a : b);
    a += takes_a * lanes;
    b += (1 - takes_a) * lanes;
    merge_vectors<T>(pending, next);
    hn::StoreU(pending, d, out);
    pending = next;
    out += lanes;
  }
  while (a != a_end || b != b_end) {
    const bool takes_a = b == b_end || (a != a_end && *a <= *b);
    const auto left = static_cast<std::size_t>(takes_a ? a_end - a : b_end - b);
    auto next = load_some(takes_a ? a : b, left);
    (takes_a ? a : b) += std::min(lanes, left);
    merge_vectors<T>(pending, next);
    out = store_some(pending, out, out_end);
    pending = next;
  }
  store_some(pending, out, out_end);
}

/// A negative float's bits below the sign are turned over, so that signed integers order them.
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

namespace {

/// Highway's bit for a width, 0 for none.
std::int64_t target_of(std::string_view width) {
  if (width == "portable") return HWY_STATIC_TARGET;
  if (width == "sse4") return HWY_SSE4;
  if (width == "avx2") return HWY_AVX2;
  if (width == "avx512") return HWY_AVX3;
  return 0;
}

}  // namespace

bool runs_here(std::string_view width) {
  return width == "portable" || (HWY_TARGETS & hwy::SupportedTargets() & target_of(width)) != 0;
}

std::string_view widest() {
  for (const std::string_view width : {"avx512", "avx2", "sse4"}) {
    if (runs_here(width)) return width;
  }
  return "portable";
}

Kernels kernels_for(std::string_view width, Lane lane) {
  if (!runs_here(width)) throw std::invalid_argument("aa_sort: no width " + std::string{width} + " here");
  // The choice is Highway's global state, which others change: it is made here and the functions are kept.
  hwy::GetChosenTarget().Update(target_of(width));
  return HWY_DYNAMIC_DISPATCH(kernels_here)(lane);
}

}  // namespace sortlab::aa
#endif
