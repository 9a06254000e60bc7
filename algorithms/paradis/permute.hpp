// The permutation of PARADIS (Cho et al. 2015, algorithm 3). A thread owns a stripe of every bucket. It moves the
// elements of its stripes to the stripes of their digits, as long as those have room. If the stripes are the whole
// buckets, every element has room, and this is the permutation of American flag sort.
//
// The paper follows one cycle at a time: the load of the displaced element must complete before the next can begin,
// which takes at least 15 clock cycles per element. Here a thread follows several cycles, each from a hole at the end
// of a stripe, and takes a step of each in turn, so that their loads overlap. The only branch of a step asks if the
// stripe has room. It is mispredicted only when a stripe is full, so neither few distinct keys nor sorted ones make it
// slower.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "algorithms/paradis/elements.hpp"
#include "algorithms/paradis/plan.hpp"
#include "core/loop_mark.hpp"

namespace sortlab::paradis {

/// The stripes of one thread, by digit. Elements of the bucket lie before head. [head, tail) has not been read.
/// [tail, hole_end) are holes, whose elements are being moved. Elements that found no room lie from hole_end on.
struct Stripes {
  std::uint64_t* head;
  std::uint64_t* tail;
  std::uint64_t* hole_end;
};

template <class K, class V>
class Permutation {
 public:
  /// Sets hole_end, since a stripe begins without holes.
  Permutation(const Run<K, V>& run, Digit<K> digit, const Stripes& stripes)
      : run_(run), digit_(digit), stripes_(stripes) {
    for (std::uint32_t d = 0; d < digit.radix(); ++d) stripes.hole_end[d] = stripes.tail[d];
  }

  /// Moves all elements; at the end head == tail in every stripe.
  [[gnu::noinline]] void permute() { permute(std::make_index_sequence<kCycles>{}); }

 private:
  template <std::size_t... cycle>
  void permute(std::index_sequence<cycle...>) {
    std::array<Element<K, V>, kCycles> displaced;
    for (std::size_t i = 0; i < kCycles; ++i) {
      if (!lift(displaced[i])) return settle(displaced, i);
    }
    std::size_t ended = 0;
    while (((step(displaced[cycle]) || (ended = cycle, false)) && ...)) {
    }
    std::swap(displaced[ended], displaced[kCycles - 1]);
    settle(displaced, kCycles - 1);
  }

  /// Puts the element into its digit's stripe and takes the displaced one. False if no element is left to take.
  [[gnu::always_inline]] bool step(Element<K, V>& element) {
    const std::uint32_t d = digit_(element.key);
    const std::uint64_t place = stripes_.head[d];
    if (place < stripes_.tail[d]) [[likely]] {
      SORTLAB_LOOP("paradis.permute", 1, sizeof(K), (Run<K, V>::value_bytes), kImage<K>);
      run_.prefetch(place);
      const Element<K, V> next = run_.load(place);
      run_.store(place, element);
      stripes_.head[d] = place + 1;
      element = next;
      return true;
    }
    SORTLAB_RARE();
    put_in_hole(element);
    Element<K, V> next;
    if (!lift(next)) return false;
    element = next;
    return true;
  }

  /// Puts the displaced elements into the holes, the only free places left: one for each element.
  void settle(const std::array<Element<K, V>, kCycles>& displaced, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) put_in_hole(displaced[i]);
  }

  /// Puts an element whose stripe is full into the first hole of that stripe. If it has none, puts the element,
  /// misplaced, into the last hole of another stripe.
  [[gnu::noinline]] void put_in_hole(Element<K, V> element) {
    const std::uint32_t d = digit_(element.key);
    if (stripes_.tail[d] < stripes_.hole_end[d]) {
      run_.store(stripes_.tail[d]++, element);
      ++stripes_.head[d];
      return;
    }
    while (stripes_.tail[oldest_] == stripes_.hole_end[oldest_]) ++oldest_;
    run_.store(--stripes_.hole_end[oldest_], element);
  }

  /// Takes the last unread element of the first stripe that still has one.
  [[gnu::noinline]] bool lift(Element<K, V>& element) {
    while (stripes_.head[lifting_] == stripes_.tail[lifting_]) {
      if (lifting_ == digit_.mask) return false;
      ++lifting_;
    }
    element = run_.load(--stripes_.tail[lifting_]);
    return true;
  }

  Run<K, V> run_;
  Digit<K> digit_;
  Stripes stripes_;
  std::uint32_t lifting_ = 0;  ///< stripes before this one are exhausted
  std::uint32_t oldest_ = 0;   ///< stripes before this one have no hole
};

}  // namespace sortlab::paradis
