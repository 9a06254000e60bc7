// The kernels, once per target: Highway compiles this file again for each, whatever the build's baseline.
#include "algorithms/msd_radix_cpu/kernels.hpp"

#include "algorithms/common/host/fixed_vectors.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/msd_radix_cpu/kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "algorithms/msd_radix_cpu/gather-inl.hpp"
#include "algorithms/msd_radix_cpu/heap_sort.hpp"
#include "algorithms/msd_radix_cpu/keys-inl.hpp"
#include "algorithms/msd_radix_cpu/part_few.hpp"
#include "algorithms/msd_radix_cpu/quicksort-inl.hpp"
#include "algorithms/msd_radix_cpu/scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortlab::msd {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
// Scalar code, for processors without vectors.
template <bool values, class Word>
void sort(Word* words, std::ptrdiff_t to_values, std::size_t n) {
  if constexpr (values) {
    heap_sort<values>(words, to_values, n);
  } else {
    std::sort(words, words + n);
  }
}

template <bool values, class Word>
Parts part_once(Word* words, std::ptrdiff_t to_values, std::size_t n) {
  sort<values>(words, to_values, n);
  return {0, n};
}

template <bool values, class Word>
Below part_two(Word* left, std::size_t n_left, Word* right, std::size_t n_right, std::ptrdiff_t to_values, Word pivot) {
  const std::size_t below = part_few<values>(left, to_values, n_left, pivot);
  return {below, part_few<values>(right, to_values, n_right, pivot)};
}

template <bool values, class Word>
void part_into_room(const Word* words, std::ptrdiff_t to_values, std::size_t n, Word pivot, Room<Word>& room) {
  for (std::size_t i = 0; i < n; ++i) {
    Word* const to = words[i] <= pivot ? room.words++ : room.words + room.n - 1;
    *to = words[i];
    if constexpr (values) to[room.to_values] = (words + i)[to_values];
    --room.n;
  }
}

template <bool values, class Word>
constexpr std::size_t small_elements() {
  return 16;
}
#else
template <bool values, class Word>
using Registers = std::conditional_t<values, WordsAndValues<Word>, Words<Word> >;

/// Maximum depth of partitions: three times the depth with perfect pivots. Heap sort then takes over.
inline int max_levels(std::size_t n) {
  return 3 * static_cast<int>(std::bit_width(n));
}

/// Sorts words by heap sort.
template <bool values, class Word>
void sort(Word* words, std::ptrdiff_t to_values, std::size_t n) {
  using R = Registers<values, Word>;
  const At<Word> at{words, to_values};
  if constexpr (values) {
    constexpr auto greatest = std::numeric_limits<Word>::max();
    if (n == 0 || words_range(words, n).low == greatest) return;
    if (words_range(words, n).high == greatest) {
      if (n <= kSmall<R>) return heap_sort<values>(words, to_values, n);
      n = partition<InTwo, R>(at, n, greatest - 1).below;
    }
  }
  quicksort<R>(at, n, max_levels(n));
}

template <bool values, class Word>
Parts part_once(Word* words, std::ptrdiff_t to_values, std::size_t n) {
  return part<Registers<values, Word> >(At<Word>{words, to_values}, n, max_levels(n));
}

template <bool values, class Word>
Below part_two(Word* left, std::size_t n_left, Word* right, std::size_t n_right, std::ptrdiff_t to_values, Word pivot) {
  return part_apart<Registers<values, Word> >({left, to_values}, n_left, {right, to_values}, n_right, pivot);
}

template <bool values, class Word>
void part_into_room(const Word* words, std::ptrdiff_t to_values, std::size_t n, Word pivot, Room<Word>& room) {
  // The words are only read; At has no constant form.
  part_into<Registers<values, Word> >(At<Word>{const_cast<Word*>(words), to_values}, n, pivot, room);
}

template <bool values, class Word>
constexpr std::size_t small_elements() {
  return kSmall<Registers<values, Word> >;
}
#endif

template <bool values, class Word>
void sort_few(Word* words, std::ptrdiff_t to_values, std::size_t n) {
  if (n > kLanes<Word>) {
    if (words[0] <= words[n - 1]) {
      if (is_run<false>(words, n)) return;
    } else if (is_run<true>(words, n)) {
      reverse(words, n);
      if constexpr (values) reverse(words + to_values, n);
      return;
    }
  }
  sort<values>(words, to_values, n);
}

template <bool values, class Word>
void sort_runs(Word* words, std::ptrdiff_t to_values, const std::uint32_t* ends, std::size_t count) {
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t end = ends[i];
#if HWY_TARGET != HWY_SCALAR
    using R = Registers<values, Word>;
    if (end - begin <= kSmall<R>) {
      sort_small<R>(At<Word>{words + begin, to_values}, end - begin);
    } else
#endif
    {
      sort<values>(words + begin, to_values, end - begin);
    }
    begin = end;
  }
}

inline void sort_narrowed(std::uint32_t* words, std::size_t n) {
  sort<false>(words, 0, n);
}

template <bool values, class Word>
const Kernels<Word>* table() {
  static const Kernels<Word> all = [] {
    Kernels<Word> kernels{.small = small_elements<values, Word>(),
                          .range = words_range<Word>,
                          .digits = find_digits<Word>,
                          .append = append<values, Word>,
                          .count = count_digits,
                          .scatter = scatter<values, Word>,
                          .part = part_once<values, Word>,
                          .part_apart = part_two<values, Word>,
                          .part_into = part_into_room<values, Word>,
                          .sort = sort<values, Word>,
                          .sort_few = sort_few<values, Word>,
                          .sort_runs = sort_runs<values, Word>};
    if constexpr (sizeof(Word) == 8 && !values) {
      kernels.narrow = narrow;
      kernels.sort_narrowed = sort_narrowed;
      kernels.widen = widen;
    }
    return kernels;
  }();
  return &all;
}

const AllKeyKernels* all_keys() {
  return all_key_kernels();
}
const Kernels<std::uint32_t>* kernels_32() {
  return table<false, std::uint32_t>();
}
const Kernels<std::uint64_t>* kernels_64(bool values) {
  return values ? table<true, std::uint64_t>() : table<false, std::uint64_t>();
}

}  // namespace HWY_NAMESPACE
}  // namespace sortlab::msd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortlab::msd {

HWY_EXPORT(kernels_32);
HWY_EXPORT(kernels_64);
HWY_EXPORT(all_keys);

const HighwayTargets& targets() {
  static const auto targets = HighwayTargets::by_width(HWY_TARGETS, {"portable", HWY_STATIC_TARGET});
  return targets;
}

const AllKeyKernels& key_kernels(std::int64_t target) {
  choose_highway_target(target);
  return *HWY_DYNAMIC_DISPATCH(all_keys)();
}

template <>
const Kernels<std::uint32_t>& kernels_for(std::int64_t target, bool /*values*/) {
  choose_highway_target(target);
  return *HWY_DYNAMIC_DISPATCH(kernels_32)();
}
template <>
const Kernels<std::uint64_t>& kernels_for(std::int64_t target, bool values) {
  choose_highway_target(target);
  return *HWY_DYNAMIC_DISPATCH(kernels_64)(values);
}

}  // namespace sortlab::msd
#endif
