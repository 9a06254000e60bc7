// The inner loops that scatter words one by one by their digits. Included once per target.
#if defined(SORTLAB_MSD_RADIX_CPU_GATHER) == defined(HWY_TARGET_TOGGLE)
#ifdef SORTLAB_MSD_RADIX_CPU_GATHER
#undef SORTLAB_MSD_RADIX_CPU_GATHER
#else
#define SORTLAB_MSD_RADIX_CPU_GATHER
#endif

#include "algorithms/msd_radix_cpu/gather.hpp"
#include "algorithms/msd_radix_cpu/registers-inl.hpp"
#include "core/loop_mark.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

/// Copies n words, whole lines, past the caches: stream_lines() inlined for this instruction set. Source and
/// destination are aligned to a line.
template <class Word>
HWY_INLINE void stream_words(const Word* HWY_RESTRICT from, Word* HWY_RESTRICT to, std::size_t n) {
  const Tag<Word> d;
  for (std::size_t i = 0; i < n; i += kLanes<Word>) hn::Stream(hn::Load(d, from + i), d, to + i);
}

/// Appends n elements to the buffers of their digits.
template <bool values, class Word>
void append(const DigitBuffers<Word>& b, const Word* HWY_RESTRICT words, const Word* HWY_RESTRICT beside,
            const std::uint16_t* HWY_RESTRICT digits, std::size_t n) {
  std::uint32_t* HWY_RESTRICT const cursors = b.cursors;
  Word* const buffers = b.buffers;
  const std::ptrdiff_t to_values = b.buffers_to_values;
  const std::uint32_t last_slot = b.slots - 1;
  const auto flush = [&](std::uint32_t digit, std::uint32_t end) {
    const std::uint32_t begin = end - b.slots;
    cursors[digit] = begin;
    const std::uint64_t place = b.places[digit];
    stream_words(buffers + begin, b.blocks + place, b.slots);
    if constexpr (values) {
      stream_words(buffers + to_values + begin, b.blocks + b.blocks_to_values + place, b.slots);
    }
    b.places[digit] = place + b.slots;
    if (((place + b.slots) & (b.block_elements - 1)) == 0) b.block_full(b.owner, digit);
  };
  const auto put = [&](std::size_t i) HWY_ATTR {
    SORTLAB_LOOP("msd.append." HWY_STR(HWY_NAMESPACE), 1, sizeof(Word), values);
    const std::uint32_t digit = digits[i];
    const std::uint32_t slot = cursors[digit];
    buffers[slot] = words[i];
    if constexpr (values) buffers[to_values + slot] = beside[i];
    cursors[digit] = slot + 1;
    // The branch on a full buffer is unpredictable: larger buffers make it rarer.
    if (((slot + 1) & last_slot) == 0) [[unlikely]] {
      SORTLAB_RARE();
      flush(digit, slot + 1);
    }
  };
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    put(i);
    put(i + 1);
    put(i + 2);
    put(i + 3);
  }
  for (; i < n; ++i) put(i);
}

/// Calls `put` for each index below n, by turns from four stretches. In nearly sorted words neighbours have the same
/// digit, and would wait for each other's count.
template <class Put>
HWY_INLINE void in_four_stretches(std::size_t n, const Put& put) {
  const std::size_t stretch = n / 4;
  for (std::size_t i = 0; i < stretch; ++i) {
    put(i);
    put(stretch + i);
    put(2 * stretch + i);
    put(3 * stretch + i);
  }
  for (std::size_t i = 4 * stretch; i < n; ++i) put(i);
}

/// Counts digits.
inline void count_digits(const std::uint16_t* HWY_RESTRICT digits, std::size_t n, std::uint32_t* HWY_RESTRICT counts) {
  in_four_stretches(n, [=](std::size_t i) {
    SORTLAB_LOOP("msd.count." HWY_STR(HWY_NAMESPACE), 1);
    ++counts[digits[i]];
  });
}

/// Moves each word to its digit's next place.
template <bool values, class Word>
void scatter(const Word* HWY_RESTRICT words, std::ptrdiff_t words_to_values, const std::uint16_t* HWY_RESTRICT digits,
             std::size_t n, std::uint32_t* HWY_RESTRICT next, Word* HWY_RESTRICT to, std::ptrdiff_t to_values) {
  in_four_stretches(n, [=](std::size_t i) HWY_ATTR {
    SORTLAB_LOOP("msd.scatter." HWY_STR(HWY_NAMESPACE), 1, sizeof(Word), values);
    const std::uint32_t place = next[digits[i]]++;
    to[place] = words[i];
    if constexpr (values) to[to_values + place] = words[words_to_values + static_cast<std::ptrdiff_t>(i)];
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();

#endif
