// Single scans over words: range, digits, order. Included once per target.
#if defined(SORTLAB_MSD_RADIX_CPU_SCAN) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_SCAN
#undef SORTLAB_MSD_RADIX_CPU_SCAN
#else
#define SORTLAB_MSD_RADIX_CPU_SCAN
#endif

#include <algorithm>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/registers-inl.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

template <class T>
Range<T> words_range(const T* words, std::size_t n) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  Range<T> range{words[0], words[0]};
  std::size_t i = 0;
  if (n >= lanes) {
    auto low = hn::LoadU(d, words);
    auto high = low;
    for (; i + lanes <= n; i += lanes) {
      SORTLAB_LOOP("msd.range." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
      const auto v = hn::LoadU(d, words + i);
      low = hn::Min(low, v);
      high = hn::Max(high, v);
    }
    SORTLAB_ONCE("msd.range_end." HWY_STR(HWY_NAMESPACE), 1, sizeof(T));
    HWY_ALIGN T lows[lanes];
    HWY_ALIGN T highs[lanes];
    hn::Store(low, d, lows);
    hn::Store(high, d, highs);
    range = {*std::min_element(lows, lows + lanes), *std::max_element(highs, highs + lanes)};
  }
  for (; i < n; ++i) range = {std::min(range.low, words[i]), std::max(range.high, words[i])};
  return range;
}

template <class T>
void find_digits(const T* words, std::size_t n, const Digits<T>& map, std::uint16_t* digits) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const hn::Rebind<std::uint32_t, Tag<T>> d32;
  const hn::Rebind<std::uint16_t, Tag<T>> d16;
  const auto low = hn::Set(d, map.low);
  const auto highest = hn::Set(d, T{0xFFFF});
  const auto scale = hn::Set(d32, map.scale);
  const auto last = hn::Set(d32, map.count - 1);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    SORTLAB_LOOP("msd.digits." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
    const auto above = hn::Sub(hn::Max(hn::LoadU(d, words + i), low), low);
    const auto place = hn::Min(hn::ShiftRightSame(above, map.shift), highest);
    const auto scaled = [&] {
      if constexpr (sizeof(T) == 8) {
        return hn::Mul(hn::TruncateTo(d32, place), scale);
      } else {
        return hn::Mul(place, scale);
      }
    }();
    hn::StoreU(hn::TruncateTo(d16, hn::Min(hn::ShiftRight<16>(scaled), last)), d16, digits + i);
  }
  for (; i < n; ++i) digits[i] = static_cast<std::uint16_t>(map(words[i]));
}

template <class T>
std::size_t equal_to_first(const T* words, std::size_t n) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const auto first = hn::Set(d, words[0]);
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    SORTLAB_LOOP("msd.equal." HWY_STR(HWY_NAMESPACE), 4 * lanes, sizeof(T));
    const auto equal = [&](std::size_t u) HWY_ATTR { return hn::Eq(hn::LoadU(d, words + i + u * lanes), first); };
    if (!hn::AllTrue(d, hn::And(hn::And(equal(0), equal(1)), hn::And(equal(2), equal(3))))) break;
  }
  while (i < n && words[i] == words[0]) ++i;
  return i;
}

inline void narrow(const std::uint64_t* words, std::size_t n, std::uint64_t low, std::uint32_t* to) {
  const Tag<std::uint64_t> d;
  const hn::Rebind<std::uint32_t, Tag<std::uint64_t>> half;
  constexpr std::size_t lanes = kLanes<std::uint64_t>;
  const auto lowest = hn::Set(d, low);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::TruncateTo(half, hn::Sub(hn::LoadU(d, words + i), lowest)), half, to + i);
  }
  for (; i < n; ++i) to[i] = static_cast<std::uint32_t>(words[i] - low);
}

inline void widen(const std::uint32_t* words, std::size_t n, std::uint64_t low, std::uint64_t* to) {
  const Tag<std::uint64_t> d;
  const hn::Rebind<std::uint32_t, Tag<std::uint64_t>> half;
  constexpr std::size_t lanes = kLanes<std::uint64_t>;
  const auto lowest = hn::Set(d, low);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Add(hn::PromoteTo(d, hn::LoadU(half, words + i)), lowest), d, to + i);
  }
  for (; i < n; ++i) to[i] = words[i] + low;
}

/// True if the words are already sorted. Streams once, in few instructions; needs more than a register of words.
template <bool descending, class T>
HWY_INLINE bool is_run(const T* words, std::size_t n) {
  const Tag<T> d;
  const auto in_order_at = [&](std::size_t i) HWY_ATTR {
    const auto before = hn::LoadU(d, words + i);
    const auto v = hn::LoadU(d, words + i + 1);
    return hn::AllFalse(d, descending ? hn::Lt(before, v) : hn::Gt(before, v));
  };
  const std::size_t last = n - 1 - kLanes<T>;
  for (std::size_t i = 0; i < last; i += kLanes<T>) {
    if (!in_order_at(i)) return false;
  }
  return in_order_at(last);
}

template <class T>
HWY_INLINE void reverse(T* words, std::size_t n) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  std::size_t i = 0;
  for (; 2 * (i + lanes) <= n; i += lanes) {
    const auto first = hn::LoadU(d, words + i);
    const auto last = hn::LoadU(d, words + n - i - lanes);
    hn::StoreU(hn::Reverse(d, last), d, words + i);
    hn::StoreU(hn::Reverse(d, first), d, words + n - i - lanes);
  }
  std::reverse(words + i, words + n - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();

#endif
