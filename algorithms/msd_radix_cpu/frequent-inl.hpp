// Words that make up much of an input are counted and not moved: one reading takes out up to two of them, whatever
// the order of the rest. Included once a target.
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

#if HWY_TARGET != HWY_SCALAR  // which has one lane
HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kMostFrequent = 2;

/// Some words in ascending order, and how often an array holds each.
template <class T>
struct Frequent {
  std::array<T, kMostFrequent> words;
  std::array<std::size_t, kMostFrequent> counts{};
  std::size_t size = 0;
};

/// The words that are at least a twentieth of a sample; none if together they are less than three quarters of it.
template <class T>
Frequent<T> find_frequent(const T* words, std::size_t n) {
  constexpr std::size_t sampled = HWY_MIN(128, kSmall<Words<T>>);
  T sample[sampled];
  for (std::size_t i = 0; i < sampled; ++i) {
    // Steps of the golden ratio: as even as equal steps, and no period of the input can agree with them.
    const std::uint64_t place = i * 0x9E3779B97F4A7C15U;
    sample[i] = words[static_cast<std::size_t>(static_cast<unsigned __int128>(place) * n >> 64)];
  }
  sort_small<Words<T>>({sample, 0}, sampled);
  Frequent<T> found;
  std::size_t all = 0;
  for (std::size_t begin = 0, end = 0; begin < sampled && found.size < kMostFrequent; begin = end) {
    while (end < sampled && sample[end] == sample[begin]) ++end;
    if (end - begin <= sampled / 20) continue;
    found.words[found.size++] = sample[begin];
    all += end - begin;
  }
  if (all < sampled * 3 / 4) found.size = 0;
  return found;
}

/// Counts the words of `frequent` and brings all others together at the beginning; returns how many others there are.
/// Behind them lies the last of the frequent words, written where a register has just been read.
template <class T>
HWY_NOINLINE std::size_t take_out(T* words, std::size_t n, Frequent<T>& frequent) {
  const Tag<T> d;
  constexpr std::size_t lanes = kLanes<T>;
  const T last = frequent.words[frequent.size - 1];
  const auto firsts = hn::Set(d, frequent.words[0]);
  const auto lasts = hn::Set(d, last);
  std::size_t others = 0;
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, words + i);
    const auto is_first = hn::Eq(v, firsts);
    const auto rest = hn::Not(hn::Or(is_first, hn::Eq(v, lasts)));
    const std::size_t left = hn::CountTrue(d, rest);
    hn::StoreU(lasts, d, words + i);
    store_first(compressed(d, v, rest), words + others, left);
    others += left;
    count += hn::CountTrue(d, is_first);
  }
  for (; i < n; ++i) {
    const T word = std::exchange(words[i], last);
    if (word == frequent.words[0]) {
      ++count;
    } else if (word != last) {
      words[others++] = word;
    }
  }
  frequent.counts = {count, n - others - count};
  if (frequent.size == 1) frequent.counts[0] = n - others;
  return others;
}

/// Puts the words taken out back among the others, which are in order now.
template <class T>
void put_back(T* words, std::size_t n, std::size_t others, const Frequent<T>& frequent) {
  T* end = words + n;
  T* known = words + others;  // from here on the last of the frequent words is there already
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
