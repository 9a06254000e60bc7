#include "algorithms/knf_split_radix/split_kernels.hpp"

#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/knf_split_radix/split_kernels.cpp"
#include <hwy/foreach_target.h>
// It must come first: it includes this file once for each target.
#include <hwy/highway.h>

#include "algorithms/knf_split_radix/compress-inl.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::knf::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Stands for values if there are none.
struct Nothing {};

/// Converts the mask `ones` of keys to a mask of values, whose lanes may be wider or narrower.
template <class DV, class DK, class Keys, class Mask>
HWY_INLINE hn::Mask<DV> mask_of_values(DV dv, DK, Keys keys, Mask ones, int bit) {
  using V = hn::TFromD<DV>;
  using K = hn::TFromD<DK>;
  if constexpr (sizeof(V) == sizeof(K)) {
    (void)keys, (void)bit;
    return hn::RebindMask(dv, ones);
  } else if constexpr (sizeof(V) > sizeof(K)) {
    return hn::TestBit(hn::PromoteTo(dv, keys), hn::Set(dv, V{1} << bit));
  } else {
    return hn::TestBit(hn::TruncateTo(dv, hn::ShiftRightSame(keys, bit)), hn::Set(dv, V{1}));
  }
}

template <CompressForm form, class K, class V>
void split(const void* keys, const void* values, std::size_t n, int bit, Side& zeros, Side& ones) {
  constexpr bool has_values = !std::is_same_v<V, Nothing>;
  // The number of lanes is that of the wider type, key or value.
  using Wider = std::conditional_t<has_values && (sizeof(V) > sizeof(K)), V, K>;
  using AnyValue = std::conditional_t<has_values, V, K>;
  const hn::ScalableTag<Wider> wider;
  const hn::Rebind<K, decltype(wider)> dk;
  const hn::Rebind<AnyValue, decltype(wider)> dv;
  const std::size_t lanes = hn::Lanes(dk);

  const K* const in = static_cast<const K*>(keys);
  const auto* const in_values = static_cast<const AnyValue*>(values);
  K* zero_keys = static_cast<K*>(zeros.keys);
  K* one_keys = static_cast<K*>(ones.keys);
  auto* zero_values = static_cast<AnyValue*>(zeros.values);
  auto* one_values = static_cast<AnyValue*>(ones.values);
  const auto tested = hn::Set(dk, K{1} << bit);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    SORTLAB_LOOP("knf.split." HWY_STR(HWY_NAMESPACE), hn::MaxLanes(dk), sizeof(K), has_values ? sizeof(V) : 0,
                 form == CompressForm::memory);
    const auto v = hn::LoadU(dk, in + i);
    const auto is_one = hn::TestBit(v, tested);
    const std::size_t count = hn::CountTrue(dk, is_one);
    put<form>(dk, v, hn::Not(is_one), zero_keys);
    put<form>(dk, v, is_one, one_keys);
    zero_keys += lanes - count;
    one_keys += count;
    if constexpr (has_values) {
      const auto w = hn::LoadU(dv, in_values + i);
      const auto of_one = mask_of_values(dv, dk, v, is_one, bit);
      put<form>(dv, w, hn::Not(of_one), zero_values);
      put<form>(dv, w, of_one, one_values);
      zero_values += lanes - count;
      one_values += count;
    }
  }
  for (; i < n; ++i) {  // the last partial vector: the input must not be read beyond its end
    const bool is_one = ((in[i] >> bit) & 1) != 0;
    *(is_one ? one_keys : zero_keys)++ = in[i];
    if constexpr (has_values) *(is_one ? one_values : zero_values)++ = in_values[i];
  }
  zeros = {zero_keys, has_values ? zero_values : nullptr};
  ones = {one_keys, has_values ? one_values : nullptr};
}

/// ordered_from_float() and its inverse: inverts the sign bit, and all other bits of negative floats.
template <KeyMap map, class D, class Vector>
HWY_INLINE Vector mapped(D d, Vector bits) {
  if constexpr (map == KeyMap::none) {
    return bits;
  } else {
    using T = hn::TFromD<D>;
    const hn::RebindToSigned<D> di;
    const auto negative = map == KeyMap::enter ? bits : hn::Not(bits);
    const auto all = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, negative)));
    return hn::Xor(bits, hn::Or(all, hn::Set(d, T{1} << (8 * sizeof(T) - 1))));
  }
}

template <KeyMap map, class T>
HWY_INLINE void copy_some(const T* from, T* to, std::size_t n) {
  const hn::CappedTag<T, 1> d;
  if constexpr (map == KeyMap::none) {
    std::memcpy(to, from, n * sizeof(T));
  } else {
    for (std::size_t i = 0; i < n; ++i) hn::StoreU(mapped<map>(d, hn::LoadU(d, from + i)), d, to + i);
  }
}

template <KeyMap map, class T>
void copy_as(const T* from, T* to, std::size_t n, bool streaming) {
  constexpr std::size_t line = 64 / sizeof(T);
  const hn::CappedTag<T, line> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t to_line = (line - reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % line) % line;
  const std::size_t head = to_line < n ? to_line : n;
  copy_some<map>(from, to, head);
  std::size_t i = head;
  if (streaming) {
    for (; i + line <= n; i += line) {
      for (std::size_t j = i; j < i + line; j += lanes) hn::Stream(mapped<map>(d, hn::LoadU(d, from + j)), d, to + j);
    }
  } else {
    for (; i + lanes <= n; i += lanes) hn::Store(mapped<map>(d, hn::LoadU(d, from + i)), d, to + i);
  }
  copy_some<map>(from + i, to + i, n - i);
}

template <class T>
void copy(const void* from, void* to, std::size_t n, KeyMap map, bool streaming) {
  const auto* const source = static_cast<const T*>(from);
  auto* const target = static_cast<T*>(to);
  switch (map) {
    case KeyMap::none: return copy_as<KeyMap::none>(source, target, n, streaming);
    case KeyMap::enter: return copy_as<KeyMap::enter>(source, target, n, streaming);
    case KeyMap::leave: return copy_as<KeyMap::leave>(source, target, n, streaming);
  }
}

template <CompressForm form, class K>
Kernels select_kernels(std::size_t value_bytes) {
  switch (value_bytes) {
    case 4: return {split<form, K, std::uint32_t>, copy<K>, copy<std::uint32_t>};
    case 8: return {split<form, K, std::uint64_t>, copy<K>, copy<std::uint64_t>};
    default: return {split<form, K, Nothing>, copy<K>, nullptr};
  }
}

Kernels kernels_here(CompressForm form, std::size_t key_bytes, std::size_t value_bytes) {
  constexpr auto in_register = CompressForm::in_register;
  constexpr auto memory = CompressForm::memory;
  if (key_bytes == 4) {
    return form == memory ? select_kernels<memory, std::uint32_t>(value_bytes)
                          : select_kernels<in_register, std::uint32_t>(value_bytes);
  }
  return form == memory ? select_kernels<memory, std::uint64_t>(value_bytes)
                        : select_kernels<in_register, std::uint64_t>(value_bytes);
}

}  // namespace sortlab::knf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortlab::knf {

HWY_EXPORT(kernels_here);

const HighwayTargets& targets() {
  static const auto targets = HighwayTargets::by_name(HWY_TARGETS);
  return targets;
}

Kernels kernels_for(std::int64_t target, CompressForm form, std::size_t key_bytes, std::size_t value_bytes) {
  choose_highway_target(target);
  return HWY_DYNAMIC_DISPATCH(kernels_here)(form, key_bytes, value_bytes);
}

}  // namespace sortlab::knf
#endif
