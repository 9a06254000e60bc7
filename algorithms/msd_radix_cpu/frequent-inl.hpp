// Frequent words of an input are counted and not moved: one pass removes up to two different ones. Included once per
// target.
#if defined(SORTLAB_MSD_RADIX_CPU_FREQUENT) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_FREQUENT
#undef SORTLAB_MSD_RADIX_CPU_FREQUENT
#else
#define SORTLAB_MSD_RADIX_CPU_FREQUENT
#endif

#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/msd_radix_cpu/networks-inl.hpp"
#include "core/loop_mark.hpp"

#if HWY_TARGET != HWY_SCALAR  // HWY_SCALAR has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kMaxFrequent = 2;

/// Up to kMaxFrequent words in ascending order, and their counts in an array.
template <class T>
struct Frequent {
  std::array<T, kMaxFrequent> words;
  std::array<std::size_t, kMaxFrequent> counts{};
  std::size_t size = 0;
};

/// Sorts words of at most two values by counting and rewriting them. Returns false and changes nothing if there are
/// other values, which the first words mostly show.
template <class T>
HWY_NOINLINE bool sort_two(T* words, std::size_t n, T low, T high) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const auto lows = hn::Set(d, low);
  const auto highs = hn::Set(d, high);
  std::size_t count = 0;  // occurrences of the greater value
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    SORTLAB_LOOP("msd.sort_two." HWY_STR(HWY_NAMESPACE), lanes, sizeof(T));
    const auto v = hn::LoadU(d, words + i);
    const auto is_high = hn::Eq(v, highs);
    if (!hn::AllTrue(d, hn::Or(is_high, hn::Eq(v, lows)))) return false;
    count += hn::CountTrue(d, is_high);
  }
  for (; i < n; ++i) {
    if (words[i] != low && words[i] != high) return false;
    count += words[i] == high ? 1 : 0;
  }
  if (low == high) return true;
  fill(words, n - count, lows);
  fill(words + (n - count), count, highs);
  return true;
}

/// Returns those of two words (or of one, given twice) that make up more than a twentieth of a sample each, or none if
/// together they are less than three quarters of it.
template <class T>
Frequent<T> find_frequent(const T* words, std::size_t n, T low, T high) {
  constexpr std::size_t sampled = 64;
  std::size_t lows = 0;
  std::size_t highs = 0;
  for (std::size_t i = 0; i < sampled; ++i) {
    // Golden-ratio steps: as even as equal steps, and never in phase with a period of the input.
    const std::uint64_t place = i * 0x9E3779B97F4A7C15U;
    const T word = words[static_cast<std::size_t>(static_cast<unsigned __int128>(place) * n >> 64)];
    lows += word == low ? 1 : 0;
    highs += word == high && low != high ? 1 : 0;
  }
  Frequent<T> found;
  if (!are_most(lows + highs, sampled)) return found;
  if (lows > sampled / kFrequentShare) found.words[found.size++] = low;
  if (highs > sampled / kFrequentShare) found.words[found.size++] = high;
  return found;
}

/// Counts the words of `frequent`, moves all others to the beginning and returns their number. The memory after them is
/// filled with the last of the frequent words.
template <bool two, class T>
HWY_NOINLINE std::size_t take_out(T* words, std::size_t n, Frequent<T>& frequent) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const T first = frequent.words[0];
  const T last = frequent.words[two ? 1 : 0];
  const auto firsts = hn::Set(d, first);
  const auto lasts = hn::Set(d, last);
  std::size_t others = 0;
  std::size_t count = 0;  // occurrences of the first word, if there are two
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, words + i);
    auto known = hn::Eq(v, lasts);
    if constexpr (two) {
      const auto is_first = hn::Eq(v, firsts);
      count += hn::CountTrue(d, is_first);
      known = hn::Or(known, is_first);
    }
    const auto rest = hn::Not(known);
    hn::StoreU(lasts, d, words + i);
    // Lanes past the others have been read already, and the next store overwrites them.
    hn::StoreU(compressed(d, v, rest), d, words + others);
    others += hn::CountTrue(d, rest);
  }
  fill(words + others, std::min(lanes, i - others), lasts);
  for (; i < n; ++i) {
    const T word = std::exchange(words[i], last);
    if (two && word == first) {
      ++count;
    } else if (word != last) {
      words[others++] = word;
    }
  }
  frequent.counts = {two ? count : n - others, n - others - count};
  return others;
}

/// Merges the removed words into the others, which are now sorted.
template <class T>
void put_back(T* words, std::size_t n, std::size_t others, const Frequent<T>& frequent) {
  T* end = words + n;
  T* known = words + others;  // the rest already holds the last of the frequent words
  for (std::size_t f = frequent.size; f-- > 0;) {
    const T word = frequent.words[f];
    T* const greater = std::lower_bound(words, words + others, word);
    end = std::move_backward(greater, words + others, end);
    others = static_cast<std::size_t>(greater - words);
    T* const begin = end - frequent.counts[f];
    fill(begin, static_cast<std::size_t>(std::max(begin, std::min(known, end)) - begin), hn::Set(Tag<T>{}, word));
    known = end;
    end = begin;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();
#endif

#endif
