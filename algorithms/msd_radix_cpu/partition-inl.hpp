// Partition in place by a pivot, with vectors. Included once a target.
//
// As in Bramas 2017 (and vqsort, x86-simd-sort): both ends are read into registers, and from then on each register read
// leaves room for one to be written; its words go to the left end or the right one.
#if defined(SORTLAB_MSD_RADIX_CPU_PARTITION) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_PARTITION
#undef SORTLAB_MSD_RADIX_CPU_PARTITION
#else
#define SORTLAB_MSD_RADIX_CPU_PARTITION
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/networks-inl.hpp"

#if HWY_TARGET != HWY_SCALAR  // which has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE bool on_two_pages(const T* a, const T* b) {
  constexpr std::uintptr_t page_bytes = 4096;
  return (reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b)) >= page_bytes;
}

/// Stores the first `count` lanes before `end`. A masked store would be harmless to what follows, but takes hundreds of
/// cycles where that is a page that cannot be written, as behind the end of an array: `guarded` stores look.
template <bool guarded, class T, class V>
HWY_INLINE void store_before(V v, T* end, std::size_t count) {
  T* const to = end - count;
  if (guarded && on_two_pages(end - 1, to + kLanes<T> - 1)) {
    HWY_ALIGN T lanes[kLanes<T>];
    hn::Store(v, Tag<T>{}, lanes);
    std::memcpy(to, lanes, count * sizeof(T));
  } else {
    store_first(v, to, count);
  }
}

/// Words up to a pivot go left, the others right. Of the elements from `left` on, `room` are not written yet.
template <class R, bool guarded>
class InTwo {
 public:
  using Row = R;

 private:
  using Lane = typename R::Lane;
  using D = typename R::D;
  using V = hn::Vec<D>;

 public:
  InTwo(At<Lane> at, std::size_t n, Lane pivot) : left_(at), room_(n), pivot_(hn::Set(D{}, pivot)) {}
  const Lane* left() const { return left_.words; }
  Room<Lane> room() const { return {left_.words, left_.to_values, room_}; }

  /// Writes a register at the left end, beyond what it puts there: what it overwrites must be read.
  HWY_INLINE void put(const R& r) {
    const D d;
    const auto greater = hn::Gt(r.words, pivot_);
    const std::size_t above = hn::CountTrue(d, greater);
    write(left_.words, r.words, greater, above);
    if constexpr (R::has_values) write(left_.words + left_.to_values, r.values, greater, above);
    room_ -= R::lanes;
    left_ = left_ + (R::lanes - above);
  }

  /// The first `count` lanes alone; nothing is written beyond what they take.
  HWY_INLINE void put_last(const R& r, std::size_t count) {
    const D d;
    const auto valid = hn::FirstN(d, count);
    const auto greater = hn::And(hn::Gt(r.words, pivot_), valid);
    const auto others = hn::AndNot(greater, valid);
    const std::size_t above = hn::CountTrue(d, greater);
    const std::size_t below = count - above;
    const auto write_both = [&](Lane * to, V v) __attribute__((always_inline)) {
      store_first(compressed(d, v, others), to, below);
      store_first(compressed(d, v, greater), to + (room_ - above), above);
    };
    write_both(left_.words, r.words);
    if constexpr (R::has_values) write_both(left_.words + left_.to_values, r.values);
    left_ = left_ + below;
    room_ -= count;
  }

  /// When all is put.
  Parts parts(const Lane* begin) const {
    const auto below = static_cast<std::size_t>(left() - begin);
    return {below, below};
  }

 private:
  HWY_INLINE void write(Lane* low, V v, hn::Mask<D> greater, std::size_t above) const {
    const D d;
    Lane* const end = low + room_;
    if constexpr (kPartitions<Lane>) {
      const V both = partitioned(d, v, hn::Not(greater));
      if (room_ >= 2 * R::lanes) [[likely]] {
        hn::StoreU(both, d, low);
        hn::StoreU(both, d, end - R::lanes);
        return;
      }
    } else {
      hn::StoreU(compressed(d, v, hn::Not(greater)), d, low);
      store_before<guarded>(compressed(d, v, greater), end, above);
      return;
    }
    store_first(compressed(d, v, hn::Not(greater)), low, R::lanes - above);
    store_first(compressed(d, v, greater), end - above, above);
  }

  At<Lane> left_;
  std::size_t room_;
  V pivot_;
};

/// Words below a pivot go left, words above it right. Those equal to it are known, so that they are not moved but
/// written anew between the others.
template <class R, bool guarded>
class InThree {
 public:
  using Row = R;

 private:
  static_assert(!R::has_values);
  using Lane = typename R::Lane;
  using D = typename R::D;
  using V = hn::Vec<D>;

 public:
  InThree(At<Lane> at, std::size_t n, Lane pivot)
      : left_(at.words), right_(at.words + n), pivot_(hn::Set(D{}, pivot)) {}
  const Lane* left() const { return left_; }

  HWY_INLINE void put(const R& r) {
    const D d;
    const auto less = hn::Lt(r.words, pivot_);
    const auto greater = hn::Gt(r.words, pivot_);
    const std::size_t below = hn::CountTrue(d, less);
    const std::size_t above = hn::CountTrue(d, greater);
    if constexpr (!kPartitions<Lane>) {
      hn::StoreU(compressed(d, r.words, less), d, left_);
      store_before<guarded>(compressed(d, r.words, greater), right_, above);
    } else if (left_ + 2 * R::lanes <= right_) [[likely]] {
      hn::StoreU(partitioned(d, r.words, less), d, left_);
      hn::StoreU(partitioned(d, r.words, hn::Not(greater)), d, right_ - R::lanes);
    } else {
      store_first(compressed(d, r.words, less), left_, below);
      store_first(compressed(d, r.words, greater), right_ - above, above);
    }
    left_ += below;
    right_ -= above;
  }

  HWY_INLINE void put_last(const R& r, std::size_t count) {
    const D d;
    const auto valid = hn::FirstN(d, count);
    const auto less = hn::And(hn::Lt(r.words, pivot_), valid);
    const auto greater = hn::And(hn::Gt(r.words, pivot_), valid);
    const std::size_t below = hn::CountTrue(d, less);
    const std::size_t above = hn::CountTrue(d, greater);
    store_first(compressed(d, r.words, less), left_, below);
    store_first(compressed(d, r.words, greater), right_ - above, above);
    left_ += below;
    right_ -= above;
  }

  Parts parts(const Lane* begin) const {
    const D d;
    Lane* to = left_;
    for (; to + R::lanes <= right_; to += R::lanes) hn::StoreU(pivot_, d, to);
    if (to < right_) store_first(pivot_, to, static_cast<std::size_t>(right_ - to));
    return {static_cast<std::size_t>(left_ - begin), static_cast<std::size_t>(right_ - begin)};
  }

 private:
  Lane* left_;
  Lane* right_;
  V pivot_;
};

template <class Into, class R = typename Into::Row>
HWY_NOINLINE Parts partition_with(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  using Lane = typename R::Lane;
  constexpr std::size_t lanes = R::lanes;
  constexpr std::size_t unroll = R::has_values ? 4 : 8;
  constexpr std::size_t step = unroll * lanes;
  constexpr std::size_t line = 64 / sizeof(Lane);
  constexpr std::size_t ahead = 6 * step;  // the ends are read in turns that no hardware prefetcher foresees
  static_assert(kSmall<R> >= 2 * step);

  // Both ends and what is no whole register wait in registers.
  const std::size_t whole = n / lanes * lanes;
  const R rest = n == whole ? R::greatest() : R::load_first(at + whole, n - whole, R::greatest());
  R first[unroll];
  R last[unroll];
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) {
    first[u] = R::load(at + u * lanes);
    last[u] = R::load(at + (whole - (u + 1) * lanes));
  }

  At<Lane> next = at + step;
  At<Lane> end = at + (whole - step);
  Into into{at, n, pivot};
  const auto prefetch = [](At<Lane> a) {
    __builtin_prefetch(a.words);
    if constexpr (R::has_values) __builtin_prefetch(a.words + a.to_values);
  };
  const auto left = [&] { return static_cast<std::size_t>(end.words - next.words); };
  while (left() >= step) {
    R read[unroll];
    // From the side with less room, so that either side has room for what is read.
    if (static_cast<std::size_t>(next.words - into.left()) > step) {
      end = end - step;
      for (std::size_t i = 0; i < step; i += line) prefetch(end - ahead + i);
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(end + u * lanes);
    } else {
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(next + u * lanes);
      next = next + step;
      for (std::size_t i = 0; i < step; i += line) prefetch(next + ahead + i);
    }
#pragma GCC unroll 8
    for (std::size_t u = 0; u < unroll; ++u) into.put(read[u]);
  }
  R few[unroll];
  const std::size_t count = left() / lanes;
  for (std::size_t u = 0; u < count; ++u) few[u] = R::load(next + u * lanes);
  for (std::size_t u = 0; u < count; ++u) into.put(few[u]);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) into.put(first[u]);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) into.put(last[u]);
  if (n > whole) into.put_last(rest, n - whole);
  return into.parts(at.words);
}

/// Parts n elements by a pivot, in two or three. Needs more than kSmall of them.
template <template <class, bool> class Into, class R>
Parts partition(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  if constexpr (!kPartitions<typename R::Lane>) {
    const auto* const end = at.words + n;
    if (on_two_pages(end - 1, end + R::lanes)) return partition_with<Into<R, true>>(at, n, pivot);
  }
  return partition_with<Into<R, false>>(at, n, pivot);
}

/// Parts n elements, which lie elsewhere, into free memory.
template <class R>
void part_into(At<typename R::Lane> from, std::size_t n, typename R::Lane pivot, Room<typename R::Lane>& room) {
  InTwo<R, true> into{{room.words, room.to_values}, room.n, pivot};
  std::size_t i = 0;
  for (; i + R::lanes <= n; i += R::lanes) into.put(R::load(from + i));
  if (i < n) into.put_last(R::load_first(from + i, n - i, R::greatest()), n - i);
  room = into.room();
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();
#endif

#endif
