// Partition in place by a pivot, with vectors. Included once per target.
//
// As in Bramas 2017 (and vqsort, x86-simd-sort), both ends are first read into registers. Each further register that is
// read then leaves room for one to be written. Its words go to the left end or the right end.
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
#include "algorithms/msd_radix_cpu/part_few.hpp"
#include "core/loop_mark.hpp"

#if HWY_TARGET != HWY_SCALAR  // HWY_SCALAR has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE bool on_two_pages(const T* a, const T* b) {
  constexpr std::uintptr_t page_bytes = 4096;
  return (reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b)) >= page_bytes;
}

/// Stores the first `count` lanes; nothing from `end` on may be written. A masked store takes hundreds of cycles if it
/// reaches into an unwritable page, as after the end of an array: `guarded` stores check for that.
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

/// Partition into two: words up to a pivot go left, the others right. From `left` on, `room` elements are unwritten.
template <class R, bool guarded>
class InTwo {
 public:
  using Row = R;
  static constexpr int ways = 2;

 private:
  using Lane = typename R::Lane;
  using D = typename R::D;
  using V = hn::Vec<D>;

 public:
  InTwo(At<Lane> at, std::size_t n, Lane pivot) : left_(at), room_(n), pivot_(hn::Set(D{}, pivot)) {}
  const Lane* left() const { return left_.words; }
  Room<Lane> room() const { return {left_.words, left_.to_values, room_}; }

  /// Writes a whole register at the left end. The lanes that it overwrites must have been read.
  HWY_INLINE void put(const R& r) {
    const D d;
    const auto greater = hn::Gt(r.words, pivot_);
    const std::size_t above = hn::CountTrue(d, greater);
    write(left_.words, r.words, greater, above);
    if constexpr (R::has_values) write(left_.words + left_.to_values, r.values, greater, above);
    room_ -= R::lanes;
    left_ = left_ + (R::lanes - above);
  }

  /// Writes only the first `count` lanes, and nothing beyond them.
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

  /// The result, after the last element.
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

/// Partition into three: words below a pivot go left, words above it right. Equal words are not moved but rewritten
/// between the others.
template <class R, bool guarded>
class InThree {
 public:
  using Row = R;
  static constexpr int ways = 3;

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
    fill(left_, static_cast<std::size_t>(right_ - left_), pivot_);
    return {static_cast<std::size_t>(left_ - begin), static_cast<std::size_t>(right_ - begin)};
  }

 private:
  Lane* left_;
  Lane* right_;
  V pivot_;
};

/// Number of elements that are read before any is written.
template <class R>
inline constexpr std::size_t kStep = (R::has_values ? 4 : 8) * R::lanes;

/// Both ends of the range, held in registers.
template <class R>
struct Ends {
  static constexpr std::size_t unroll = kStep<R> / R::lanes;
  R first[unroll];
  R last[unroll];

  HWY_INLINE Ends(At<typename R::Lane> begin, At<typename R::Lane> end) {
#pragma GCC unroll 8
    for (std::size_t u = 0; u < unroll; ++u) {
      first[u] = R::load(begin + u * R::lanes);
      last[u] = R::load(end - (u + 1) * R::lanes);
    }
  }
};

/// Reads forwards from `next` or backwards from `end`, and writes outside of them, while `may_read` is true.
template <class R, class Into, class MayRead>
HWY_INLINE void part_between(At<typename R::Lane>& next, At<typename R::Lane>& end, Into& into,
                             const MayRead& may_read) {
  using Lane = typename R::Lane;
  constexpr std::size_t lanes = R::lanes;
  constexpr std::size_t step = kStep<R>;
  constexpr std::size_t unroll = step / lanes;
  constexpr std::size_t line = 64 / sizeof(Lane);
  constexpr std::size_t ahead = 6 * step;  // the alternation between the ends defeats the hardware prefetcher
  while (may_read()) {
    SORTLAB_LOOP("msd.part." HWY_STR(HWY_NAMESPACE), step, sizeof(Lane), R::has_values, Into::ways);
    R read[unroll];
    const Lane* soon;
    // Reads from the side with less room, so that either side has room for the register.
    if (static_cast<std::size_t>(next.words - into.left()) > step) {
      end = end - step;
      soon = end.words - ahead;
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(end + u * lanes);
    } else {
#pragma GCC unroll 8
      for (std::size_t u = 0; u < unroll; ++u) read[u] = R::load(next + u * lanes);
      next = next + step;
      soon = next.words + ahead;
    }
    // Not a function of its own: GCC 12 drops calls of functions without other effects.
    for (std::size_t i = 0; i < step; i += line) {
      __builtin_prefetch(soon + i);
      if constexpr (R::has_values) __builtin_prefetch(soon + next.to_values + i);
    }
#pragma GCC unroll 8
    for (std::size_t u = 0; u < unroll; ++u) into.put(read[u]);
  }
}

template <class Into, class R = typename Into::Row>
HWY_NOINLINE Parts partition_with(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  constexpr std::size_t lanes = R::lanes;
  constexpr std::size_t step = kStep<R>;
  constexpr std::size_t unroll = step / lanes;
  static_assert(kSmall<R> >= 2 * step);

  // Both ends and the partial register wait in registers.
  const std::size_t whole = n / lanes * lanes;
  const R rest = n == whole ? R::greatest() : R::load_first(at + whole, n - whole, R::greatest());
  const Ends<R> ends{at, at + whole};
  auto next = at + step;
  auto end = at + (whole - step);
  Into into{at, n, pivot};
  const auto left = [&] { return static_cast<std::size_t>(end.words - next.words); };
  part_between<R>(next, end, into, [&] { return left() >= step; });
  R few[unroll];
  const std::size_t count = left() / lanes;
  for (std::size_t u = 0; u < count; ++u) few[u] = R::load(next + u * lanes);
  for (std::size_t u = 0; u < count; ++u) into.put(few[u]);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) into.put(ends.first[u]);
#pragma GCC unroll 8
  for (std::size_t u = 0; u < unroll; ++u) into.put(ends.last[u]);
  if (n > whole) {
    SORTLAB_ONCE("msd.ends." HWY_STR(HWY_NAMESPACE), 1, sizeof(typename R::Lane), R::has_values, Into::ways);
    into.put_last(rest, n - whole);
  }
  return into.parts(at.words);
}

/// Partitions n elements by a pivot into two or three parts. n must exceed kSmall.
template <template <class, bool> class Into, class R>
Parts partition(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  if constexpr (!kPartitions<typename R::Lane>) {
    const auto* const end = at.words + n;
    if (on_two_pages(end - 1, end + R::lanes)) return partition_with<Into<R, true>>(at, n, pivot);
  }
  return partition_with<Into<R, false>>(at, n, pivot);
}

/// Partitions any number of elements into two. Returns the number of words up to the pivot.
template <class R>
std::size_t part_any(At<typename R::Lane> at, std::size_t n, typename R::Lane pivot) {
  if (n > kSmall<R>) return partition<InTwo, R>(at, n, pivot).below;
  return part_few<R::has_values>(at.words, at.to_values, n, pivot);
}

/// Partitions two segments as if they were adjacent, until one of them is full. The rest of the other is partitioned by
/// itself.
template <class R>
HWY_NOINLINE Below part_apart(At<typename R::Lane> left, std::size_t n_left, At<typename R::Lane> right,
                              std::size_t n_right, typename R::Lane pivot) {
  using Lane = typename R::Lane;
  constexpr std::size_t lanes = R::lanes;
  constexpr std::size_t step = kStep<R>;
  if (std::min(n_left, n_right) < step) return {part_any<R>(left, n_left, pivot), part_any<R>(right, n_right, pivot)};
  const At<Lane> left_end = left + n_left;
  const At<Lane> right_end = right + n_right;
  const Ends<R> ends{left, right_end};
  At<Lane> next = left + step;
  At<Lane> end = right_end - step;
  InTwo<R, true> into{left, static_cast<std::size_t>(right_end.words - left.words), pivot};
  part_between<R>(next, end, into, [&] {
    return static_cast<std::size_t>(std::min(end.words - right.words, left_end.words - next.words)) >= step;
  });
  // The held ends fill the remaining room.
  HWY_ALIGN Lane waiting[(R::has_values ? 2 : 1) * 2 * step];
  const At<Lane> from{waiting, R::has_values ? 2 * step : 0};
  for (std::size_t u = 0; u < step / lanes; ++u) {
    ends.first[u].store(from + u * lanes);
    ends.last[u].store(from + (step + u * lanes));
  }
  const Room<Lane> room = into.room();
  const auto fill_up = [&](Lane* to, At<Lane> first, std::size_t count) {
    std::memcpy(to, first.words, count * sizeof(Lane));
    if constexpr (R::has_values) {
      std::memcpy(to + left.to_values, first.words + first.to_values, count * sizeof(Lane));
    }
  };
  const auto room_left = static_cast<std::size_t>(next.words - room.words);
  fill_up(room.words, from, room_left);
  fill_up(end.words, from + room_left, 2 * step - room_left);
  const auto unparted_left = static_cast<std::size_t>(left_end.words - room.words);
  const auto unparted_right = static_cast<std::size_t>(room.words + room.n - right.words);
  return {n_left - unparted_left + part_any<R>({room.words, left.to_values}, unparted_left, pivot),
          part_any<R>(right, unparted_right, pivot)};
}

/// Partitions n elements from elsewhere into free memory.
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
