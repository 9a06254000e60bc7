// The out-of-core merge of AA-sort, for one instruction set: the smaller lanes of two vectors are written out, and the
// larger are merged with the next vector of the run whose head is smaller.
//
// Each vector waits for the larger lanes of the one before, through all stages of the network. A merge is therefore
// split in two (merge path), and the halves advance in turn, so that one's network hides the other's latency.
#if defined(SORTLAB_AA_MERGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_AA_MERGE_INL
#undef SORTLAB_AA_MERGE_INL
#else
#define SORTLAB_AA_MERGE_INL
#endif

#include "algorithms/aa_sort/vectors-inl.hpp"
#include "algorithms/common/host/merge_path.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::aa::HWY_NAMESPACE {

/// The remaining keys of two runs, and the output position.
template <class T>
struct Runs {
  const T* a;
  const T* a_end;
  const T* b;
  const T* b_end;
  T* out;

  bool have_vectors() const {
    return a_end - a >= static_cast<std::ptrdiff_t>(kLanes<T>) && b_end - b >= static_cast<std::ptrdiff_t>(kLanes<T>);
  }
};

/// Takes the next vector of the run whose head is smaller, padded with the largest key. One run must not be empty.
template <class T>
HWY_INLINE Vec<T> next_vector(Runs<T>& runs) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const bool takes_a = runs.b == runs.b_end || (runs.a != runs.a_end && *runs.a <= *runs.b);
  const T*& from = takes_a ? runs.a : runs.b;
  const auto left = std::min(lanes, static_cast<std::size_t>((takes_a ? runs.a_end : runs.b_end) - from));
  const T* const keys = from;
  from += left;
  if (lanes == 1 || left == lanes) return hn::LoadU(d, keys);
  HWY_ALIGN T some[lanes];
  std::fill(std::copy_n(keys, left, some), some + lanes, std::numeric_limits<T>::max());
  return hn::Load(d, some);
}

/// Merges the next vector of the run whose head is smaller, and writes a vector out. Both runs must have a whole
/// vector. The choice is made without a branch, which could not be predicted.
template <class T>
HWY_INLINE void advance(Runs<T>& runs, Vec<T>& pending) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const std::size_t takes_a = *runs.a <= *runs.b ? lanes : 0;
  const T* const from = takes_a != 0 ? runs.a : runs.b;
  auto next = hn::LoadU(d, from);
  runs.a += takes_a;
  runs.b += lanes - takes_a;
  merge_vectors<T>(pending, next);
  hn::StoreU(pending, d, runs.out);
  pending = next;
  runs.out += lanes;
}

/// Writes as many lanes as fit into the output.
template <class T>
HWY_INLINE void write_some(Vec<T> v, Runs<T>& runs, const T* out_end) {
  const Tag<T> d;
  const auto room = static_cast<std::size_t>(out_end - runs.out);
  if (room == 0) return;
  if (kLanes<T> == 1 || room >= kLanes<T>) {
    hn::StoreU(v, d, runs.out);
    runs.out += kLanes<T>;
    return;
  }
  HWY_ALIGN T some[kLanes<T>];
  hn::Store(v, d, some);
  runs.out = std::copy_n(some, room, runs.out);
}

/// Merges the rest of two runs, from any state.
template <class T>
HWY_INLINE void finish(Runs<T> runs, Vec<T> pending, const T* out_end) {
  while (runs.have_vectors()) advance<T>(runs, pending);
  while (runs.a != runs.a_end || runs.b != runs.b_end) {
    SORTLAB_LOOP("aa.rest." HWY_STR(HWY_NAMESPACE), kLanes<T>, sizeof(T));
    auto next = next_vector<T>(runs);
    merge_vectors<T>(pending, next);
    write_some<T>(pending, runs, out_end);
    pending = next;
  }
  write_some<T>(pending, runs, out_end);
}

template <class T>
void merge(const void* first, std::size_t a_count, const void* second, std::size_t b_count, void* result) {
  const T* const a = static_cast<const T*>(first);
  const T* const b = static_cast<const T*>(second);
  T* const out = static_cast<T*>(result);
  if (a_count == 0 || b_count == 0) {
    std::copy_n(b, b_count, std::copy_n(a, a_count, out));
    return;
  }
  const std::size_t half = (a_count + b_count) / 2;
  const std::size_t from_a = merge_path<T>({a, a_count}, {b, b_count}, half);
  Runs<T> lower{a, a + from_a, b, b + (half - from_a), out};
  Runs<T> upper{lower.a_end, a + a_count, lower.b_end, b + b_count, out + half};
  auto lower_pending = next_vector<T>(lower);  // neither half is empty: there are two keys or more
  auto upper_pending = next_vector<T>(upper);
  while (lower.have_vectors() && upper.have_vectors()) {
    SORTLAB_LOOP("aa.merge." HWY_STR(HWY_NAMESPACE), 2 * kLanes<T>, sizeof(T));
    advance<T>(lower, lower_pending);
    advance<T>(upper, upper_pending);
  }
  finish<T>(lower, lower_pending, out + half);
  finish<T>(upper, upper_pending, out + a_count + b_count);
}

}  // namespace sortlab::aa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
