// The in-cache kernels of msd_radix_cpu, on every instruction set that runs here.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/key_kernels.hpp"

namespace sortlab::msd {
namespace {

constexpr std::size_t kAround = 64;  // elements on either side that must not change

struct Shape {
  std::string name;
  std::function<std::uint64_t(std::size_t i, std::size_t n, std::uint64_t random)> word;
};

/// Shapes of input that the kernels distinguish.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> shapes{
      {"random", [](std::size_t, std::size_t, std::uint64_t random) { return random; }},
      {"ascending", [](std::size_t i, std::size_t, std::uint64_t) { return 3 * i / 2; }},
      {"ascending but the last", [](std::size_t i, std::size_t n, std::uint64_t) { return i + 1 < n ? i : n / 2; }},
      {"ascending but one", [](std::size_t i, std::size_t n, std::uint64_t) { return i == n / 3 ? 0 : i + 1; }},
      {"descending", [](std::size_t i, std::size_t n, std::uint64_t) { return 3 * (n - i) / 2; }},
      {"descending but the last",
       [](std::size_t i, std::size_t n, std::uint64_t) { return i + 1 < n ? n - i : n / 2; }},
      {"constant", [](std::size_t, std::size_t, std::uint64_t) { return 7; }},
      {"constant, the greatest",
       [](std::size_t, std::size_t, std::uint64_t) { return std::numeric_limits<std::uint64_t>::max(); }},
      {"two", [](std::size_t, std::size_t, std::uint64_t random) { return random % 2 == 0 ? 5 : 9; }},
      {"two in stretches", [](std::size_t i, std::size_t, std::uint64_t) { return i / 100 % 2 == 0 ? 9 : 5; }},
      {"two but the last",
       [](std::size_t i, std::size_t n, std::uint64_t random) { return i + 1 < n ? 5 + random % 2 : 3; }},
      {"one of many",
       [](std::size_t, std::size_t, std::uint64_t random) { return random % 10 == 0 ? random : 1U << 30; }},
      {"two of many",
       [](std::size_t, std::size_t, std::uint64_t random) {
         return random % 10 == 0 ? random : (random % 10 < 4 ? 1U << 30 : 3U << 30);
       }},
      {"stretches", [](std::size_t i, std::size_t, std::uint64_t) { return i / 70 * 40503 % 65537; }},
      {"sixteen", [](std::size_t, std::size_t, std::uint64_t random) { return random % 16; }},
  };
  return shapes;
}

template <class Word>
using Sort = void (*Kernels<Word>::*)(Word* words, std::ptrdiff_t to_values, std::size_t n);

/// Sorts n words of a shape, with their positions as values, inside a larger array.
template <class Word, bool values>
void expect_sorts(const Kernels<Word>& kernels, Sort<Word> sort, const Shape& shape, std::size_t n) {
  std::mt19937_64 random{n};
  std::vector<Word> before(n + 2 * kAround, 4);
  for (std::size_t i = 0; i < n; ++i) before[kAround + i] = static_cast<Word>(shape.word(i, n, random()));
  std::vector<Word> both = before;
  std::vector<Word> places(values ? before.size() : 0);
  std::iota(places.begin(), places.end(), Word{0});
  both.insert(both.end(), places.begin(), places.end());
  (kernels.*sort)(both.data() + kAround, values ? static_cast<std::ptrdiff_t>(before.size()) : 0, n);

  std::vector<Word> expected = before;
  std::sort(expected.begin() + kAround, expected.end() - kAround);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), both.begin())) << shape.name << ", " << n;
  if constexpr (values) {
    places.assign(both.begin() + static_cast<std::ptrdiff_t>(before.size()), both.end());
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(before[places[i]], both[i]) << shape.name << ", " << n;
    std::ranges::sort(places);
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(places[i], i) << shape.name << ", " << n;
  }
}

template <class Word, bool values>
void expect_sorts_all(Sort<Word> sort) {
  for (const std::string& word : targets().words()) {
    if (targets().lacking(word)) continue;
    SCOPED_TRACE(word);
    const auto& kernels = kernels_for<Word>(targets().target_bit(word), values);
    for (const Shape& shape : shapes()) {
      for (std::size_t n = 0; n <= 70; ++n) expect_sorts<Word, values>(kernels, sort, shape, n);
      for (const std::size_t n : {127, 128, 129, 257, 300, 511, 1000, 1024, 2047, 4096, 5003, 20'000}) {
        expect_sorts<Word, values>(kernels, sort, shape, n);
      }
    }
  }
}

TEST(MsdKernels, SortWords) {
  expect_sorts_all<std::uint32_t, false>(&Kernels<std::uint32_t>::sort);
  expect_sorts_all<std::uint64_t, false>(&Kernels<std::uint64_t>::sort);
}

TEST(MsdKernels, SortWordsWithValues) {
  expect_sorts_all<std::uint64_t, true>(&Kernels<std::uint64_t>::sort);
}

TEST(MsdKernels, SortFew) {
  expect_sorts_all<std::uint32_t, false>(&Kernels<std::uint32_t>::sort_few);
  expect_sorts_all<std::uint64_t, false>(&Kernels<std::uint64_t>::sort_few);
  expect_sorts_all<std::uint64_t, true>(&Kernels<std::uint64_t>::sort_few);
}

template <class E>
auto take_key(const E& element) {
  if constexpr (std::is_same_v<typename KeyOf<E>::type, E>) {
    return element;
  } else {
    return element.key;
  }
}

/// Every order check finds a fault at any place, in keys of any sign, of which many are equal; values do not count.
template <class E>
void expect_checks_order() {
  using Word = Bits<E>;
  const auto less = [](const E& a, const E& b) { return KeyLess{}(take_key(a), take_key(b)); };
  const auto more = [&](const E& a, const E& b) { return less(b, a); };
  std::mt19937_64 random{3};
  for (const std::string& word : targets().words()) {
    if (targets().lacking(word)) continue;
    SCOPED_TRACE(word);
    const InOrder& in_order = key_kernels(targets().target_bit(word)).of<E>().in_order;
    for (const std::size_t n : {1, 2, 7, 16, 63, 64, 65, 130, 300}) {
      for (int round = 0; round < 40; ++round) {
        std::vector<E> elements(n);
        for (E& element : elements) element = std::bit_cast<E>(static_cast<Word>(random() << (round % 3 * 20)));
        std::ranges::sort(elements, less);
        if (round % 2 == 1) std::ranges::fill(elements, elements[0]);
        if (round % 8 != 0) elements[random() % n] = std::bit_cast<E>(static_cast<Word>(random()));
        const auto ordered = [&](const auto& by) {
          return static_cast<std::size_t>(std::is_sorted_until(elements.begin(), elements.end(), by) -
                                          elements.begin());
        };
        ASSERT_EQ(in_order.ascending(elements.data(), n), ordered(less)) << n << ", " << round;
        std::ranges::reverse(elements);
        ASSERT_EQ(in_order.descending(elements.data(), n), ordered(more)) << n << ", " << round;
      }
    }
  }
}

TEST(MsdKernels, CheckTheOrderOfAllTypes) {
  expect_checks_order<std::uint32_t>();
  expect_checks_order<std::uint64_t>();
  expect_checks_order<std::int32_t>();
  expect_checks_order<std::int64_t>();
  expect_checks_order<float>();
  expect_checks_order<double>();
  expect_checks_order<Pair<std::uint32_t, std::uint32_t>>();
  expect_checks_order<Pair<std::int32_t, std::uint32_t>>();
  expect_checks_order<Pair<float, std::uint32_t>>();
}

/// Sorts words by digits, if they are spread over their range.
struct ByDigits {
  explicit ByDigits(std::vector<std::uint64_t> words) {
    const auto& kernels = kernels_for<std::uint64_t>(targets().target_bit(targets().widest()), false);
    CachedSorter<std::uint64_t, false> cached{words.size(), kernels, PageKind::small};
    const Piece<std::uint64_t> piece{words.data(), words.size()};
    sorted = cached.sort_by_digits({&piece, 1}, 0, words.size(), [&] {
      found_range = true;
      return kernels.range(words.data(), words.size());
    });
    if (!sorted) return;
    std::ranges::sort(words);
    EXPECT_TRUE(std::equal(words.begin(), words.end(), cached.words()));
  }

  bool sorted = false;
  bool found_range = false;
};

std::vector<std::uint64_t> random_words(std::uint64_t most) {
  std::mt19937_64 random{1};
  std::vector<std::uint64_t> words(10'000);
  std::ranges::generate(words, [&] { return random() % most; });
  return words;
}

TEST(CachedSorter, SortsAsNarrowWordsWhatTheyHold) {
  const auto& kernels = kernels_for<std::uint64_t>(targets().target_bit(targets().widest()), false);
  for (const std::uint64_t most : {std::uint64_t{100}, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 2}) {
    for (const std::uint64_t low : {std::uint64_t{0}, ~std::uint64_t{0} - (std::uint64_t{1} << 33)}) {
      std::vector<std::uint64_t> words = random_words(most);
      words[5] = 0;
      words[7001] = most - 1;
      for (std::uint64_t& word : words) word += low;
      CachedSorter<std::uint64_t, false> cached{words.size(), kernels, PageKind::small};
      const std::array<Piece<std::uint64_t>, 2> pieces{
          {{words.data(), 3001}, {words.data() + 3001, words.size() - 3001}}};
      const bool sorted =
          cached.sort_narrow(pieces, words.size(), [&] { return kernels.range(words.data(), words.size()); });
      EXPECT_EQ(sorted, most <= std::uint64_t{1} << 32);
      if (!sorted) continue;
      std::ranges::sort(words);
      EXPECT_TRUE(std::equal(words.begin(), words.end(), cached.words())) << most << ", " << low;
    }
  }
}

TEST(CachedSorter, SortsByDigitsWhatIsSpreadOverItsRange) {
  EXPECT_TRUE(ByDigits{random_words(1'000'000'000)}.sorted);
  EXPECT_TRUE(ByDigits{random_words(10'000)}.sorted);
}

TEST(CachedSorter, DoesNotReadFewWordsForTheirRange) {
  const ByDigits few{random_words(16)};
  EXPECT_FALSE(few.sorted);
  EXPECT_FALSE(few.found_range);
  EXPECT_FALSE(ByDigits{random_words(1)}.sorted);
}

TEST(CachedSorter, LeavesToQuicksortWhatOneWordSpreadsThin) {
  auto words = random_words(1'000'000'000);
  words[5001] = 3'000'000'000;
  EXPECT_FALSE(ByDigits{words}.sorted);
}

}  // namespace
}  // namespace sortlab::msd
