#include <boost/sort/spreadsort/float_sort.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

namespace spreadsort = boost::sort::spreadsort;

/// The upper bits of an element's key, which the library needs for elements that are not keys themselves. A float
/// counts as a signed integer of the same bits. Signed results have 64 bits: the library subtracts the smallest key
/// from the largest, and would otherwise compute a wrong shift for 32-bit keys that are far apart.
struct UpperBits {
  template <class T>
  auto operator()(const T& element, unsigned shift) const {
    using K = std::remove_cvref_t<decltype(element_key(element))>;
    if constexpr (std::is_unsigned_v<K>) {
      return static_cast<K>(element_key(element) >> shift);
    } else {
      return std::int64_t{std::bit_cast<std::make_signed_t<Bits<K>>>(element_key(element))} >> shift;
    }
  }
};

struct BoostSpreadsort {
  static constexpr bool total_order = false;
  template <class K, class V>
  static constexpr bool offers = sizeof(K) <= 8;  // the library counts its bins in size_t

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    using K = std::remove_cvref_t<decltype(element_key(elements.front()))>;
    const auto begin = elements.begin();
    const auto end = elements.end();
    if constexpr (std::is_floating_point_v<K>) {
      spreadsort::float_sort(begin, end, UpperBits{}, less);
    } else {
      spreadsort::integer_sort(begin, end, UpperBits{}, less);
    }
  }
};

const Register registered{std::make_unique<SimpleSort<BoostSpreadsort>>(Info{
    .name = "boost_spreadsort",
    .title = "Boost.Sort spreadsort (hybrid of radix and comparison)",
    .source = "Ross: The Spreadsort high-performance general-case sorting algorithm, PDPTA 2002; Boost.Sort",
    .family = "radix",
    .version = kBoostVersion,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
