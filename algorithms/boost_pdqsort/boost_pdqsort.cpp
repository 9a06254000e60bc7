#include <boost/sort/pdqsort/pdqsort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace sortlab {
namespace {

struct BoostPdqsort {
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>();
  static constexpr bool total_order = false;  // would be compiled once more

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    boost::sort::pdqsort_branchless(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<BoostPdqsort>>(Info{
    .name = "boost_pdqsort",
    .title = "Boost.Sort pdqsort (pattern-defeating quicksort, branchless)",
    .source = "Peters: Pattern-defeating quicksort, 2021; Boost.Sort",
    .family = "comparison",
    .version = "Boost " BOOST_LIB_VERSION,
    .keys = {KeyType::u32, KeyType::u64, KeyType::f32, KeyType::f64},
    .values = {kValueTypes.begin(), kValueTypes.end()},
    .layouts = {Layout::together},
    .in_place = true,
})};

}  // namespace
}  // namespace sortlab
