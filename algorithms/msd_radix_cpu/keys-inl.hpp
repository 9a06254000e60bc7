// Keys of all types: their order, and their conversion to words. Included once per target.
#if defined(SORTLAB_MSD_RADIX_CPU_KEYS) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_KEYS
#undef SORTLAB_MSD_RADIX_CPU_KEYS
#else
#define SORTLAB_MSD_RADIX_CPU_KEYS
#endif

#include <bit>
#include <cstdint>
#include <type_traits>

#include "algorithms/common/host/fetch_ahead.hpp"
#include "algorithms/msd_radix_cpu/key_kernels.hpp"
#include "algorithms/msd_radix_cpu/scan-inl.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

/// The bits that `to_ordered` changes, by the sign of a key of type K, which is the upper end of each lane of `bits`.
template <class K, class D, class V>
HWY_INLINE V changed(D d, [[maybe_unused]] V bits) {
  using T = hn::TFromD<D>;
  const V sign = hn::Set(d, static_cast<T>(T{1} << (8 * sizeof(T) - 1)));
  if constexpr (!std::is_floating_point_v<K>) {
    return sign;
  } else {
    const hn::RebindToSigned<D> integers;
    const V all = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(integers, bits)));
    // The lower half, a value, does not change.
    if constexpr (sizeof(K) < sizeof(T))
      return hn::ShiftLeft<8 * sizeof(K)>(hn::ShiftRight<8 * sizeof(K)>(hn::Or(all, sign)));
    return hn::Or(all, sign);
  }
}

template <class K, class D, class V>
HWY_INLINE V to_words(D d, V bits) {
  if constexpr (std::is_unsigned_v<K>) return bits;
  return hn::Xor(bits, changed<K>(d, bits));
}
template <class K, class D, class V>
HWY_INLINE V to_keys(D d, V words) {
  if constexpr (std::is_unsigned_v<K>) return words;
  return hn::Xor(words, changed<K>(d, hn::Not(words)));  // a word's highest bit is the inverse of a sign
}

/// Applies `convert` to n words.
template <class T, class Convert>
HWY_INLINE void convert_words(const T* from, std::size_t n, T* to, const Convert& convert) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(convert(d, hn::LoadU(d, from + i)), d, to + i);
  const hn::CappedTag<T, 1> one;
  for (; i < n; ++i) hn::StoreU(convert(one, hn::LoadU(one, from + i)), one, to + i);
}

template <class E>
void enter(const void* elements, std::size_t n, void* words) {
  using T = Bits<E>;
  convert_words(static_cast<const T*>(elements), n, static_cast<T*>(words),
                [](auto d, auto bits) HWY_ATTR { return to_words<typename KeyOf<E>::type>(d, bits); });
}
template <class E>
void leave(const void* words, std::size_t n, void* elements) {
  using T = Bits<E>;
  convert_words(static_cast<const T*>(words), n, static_cast<T*>(elements),
                [](auto d, auto bits) HWY_ATTR { return to_keys<typename KeyOf<E>::type>(d, bits); });
}

template <class K>
void join(const void* keys, const std::uint32_t* values, std::size_t n, std::uint64_t* words) {
  const auto* const bits = static_cast<const std::uint32_t*>(keys);
  const auto some = [&](auto d, std::size_t i) HWY_ATTR {
    const hn::Rebind<std::uint32_t, decltype(d)> half;
    const auto key = hn::PromoteTo(d, to_words<K>(half, hn::LoadU(half, bits + i)));
    hn::StoreU(hn::Or(hn::ShiftLeft<32>(key), hn::PromoteTo(d, hn::LoadU(half, values + i))), d, words + i);
  };
  constexpr std::size_t lanes = kLanes<std::uint64_t>;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) some(Tag<std::uint64_t>{}, i);
  for (; i < n; ++i) some(hn::CappedTag<std::uint64_t, 1>{}, i);
}
template <class K>
void split(const std::uint64_t* words, std::size_t n, void* keys, std::uint32_t* values) {
  auto* const bits = static_cast<std::uint32_t*>(keys);
  const auto some = [&](auto d, std::size_t i) HWY_ATTR {
    const hn::Rebind<std::uint32_t, decltype(d)> half;
    const auto v = hn::LoadU(d, words + i);
    hn::StoreU(to_keys<K>(half, hn::TruncateTo(half, hn::ShiftRight<32>(v))), half, bits + i);
    hn::StoreU(hn::TruncateTo(half, v), half, values + i);
  };
  constexpr std::size_t lanes = kLanes<std::uint64_t>;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) some(Tag<std::uint64_t>{}, i);
  for (; i < n; ++i) some(hn::CappedTag<std::uint64_t, 1>{}, i);
}

/// The words of elements, without the values of pairs.
template <class E, class D, class V>
HWY_INLINE V ordered(D d, V bits) {
  using K = typename KeyOf<E>::type;
  using T = hn::TFromD<D>;
  const V words = to_words<K>(d, bits);
  if constexpr (std::is_same_v<K, E>) return words;
  return hn::And(words, hn::Set(d, static_cast<T>(~T{0} << 4 * sizeof(T))));
}
template <class E>
auto ordered(Bits<E> bits) {
  if constexpr (std::is_same_v<typename KeyOf<E>::type, E>) {
    return to_ordered(std::bit_cast<E>(bits));
  } else {
    return to_ordered(std::bit_cast<E>(bits).key);
  }
}

/// The length of the ascending or descending prefix of elements E.
template <bool descending, class E>
std::size_t in_order(const void* elements, std::size_t n) {
  using K = typename KeyOf<E>::type;
  using T = Bits<E>;
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  constexpr int kind = std::is_floating_point_v<K> ? 2 : std::is_signed_v<K> ? 1 : 0;
  constexpr bool is_pair = !std::is_same_v<K, E>;
  const T* const words = static_cast<const T*>(elements);
  // Equal words need half of the loads: if the last word equals the first, a sorted range holds only equal words.
  std::size_t i = words[0] == words[n - 1] ? equal_to_first(words, n) : 1;
  const auto wrong = [&](std::size_t u) HWY_ATTR {
    const auto before = ordered<E>(d, hn::LoadU(d, words + i + u * lanes - 1));
    const auto v = ordered<E>(d, hn::LoadU(d, words + i + u * lanes));
    return descending ? hn::Lt(before, v) : hn::Gt(before, v);
  };
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    SORTLAB_LOOP("msd.in_order." HWY_STR(HWY_NAMESPACE), 4 * lanes, sizeof(T), kind, is_pair);
    for (std::size_t u = 0; u < 4 * lanes; u += kLineBytes / sizeof(T)) fetch_ahead(words + i + u);
    if (!hn::AllFalse(d, hn::Or(hn::Or(wrong(0), wrong(1)), hn::Or(wrong(2), wrong(3))))) break;
  }
  const auto follows = [&](std::size_t at) {
    return descending ? ordered<E>(words[at - 1]) >= ordered<E>(words[at])
                      : ordered<E>(words[at - 1]) <= ordered<E>(words[at]);
  };
  while (i < n && follows(i)) ++i;
  return i;
}

template <class E>
constexpr KeyKernels make_key_kernels() {
  KeyKernels kernels{.in_order = {in_order<false, E>, in_order<true, E>}, .enter = enter<E>, .leave = leave<E>};
  if constexpr (sizeof(E) == 4) {
    kernels.join = join<E>;
    kernels.split = split<E>;
  }
  return kernels;
}

inline const AllKeyKernels* all_key_kernels() {
  using u32 = std::uint32_t;
  static constexpr AllKeyKernels all{
      .of_32_bits = {make_key_kernels<u32>(), make_key_kernels<std::int32_t>(), make_key_kernels<float>()},
      .of_64_bits = {make_key_kernels<std::uint64_t>(), make_key_kernels<std::int64_t>(), make_key_kernels<double>()},
      .of_pairs = {make_key_kernels<Pair<u32, u32>>(), make_key_kernels<Pair<std::int32_t, u32>>(),
                   make_key_kernels<Pair<float, u32>>()}};
  return &all;
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();

#endif
