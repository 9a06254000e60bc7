#include <boost/sort/flat_stable_sort/flat_stable_sort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace sortlab {
namespace {

struct BoostFlatStableSort {
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>();
  static constexpr bool total_order = false;  // would be compiled once more

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    if (elements.empty()) return;  // the library reads before its index of blocks, which has none
    boost::sort::flat_stable_sort(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<BoostFlatStableSort>>(Info{
    .name = "boost_flat_stable_sort",
    .title = "Boost.Sort flat_stable_sort (stable merge in blocks)",
    .source = "Tapia: flat_stable_sort, Boost.Sort",
    .family = "merge",
    .version = "Boost " BOOST_LIB_VERSION,
    .keys = {KeyType::u32, KeyType::u64, KeyType::f32, KeyType::f64},
    .values = {kValueTypes.begin(), kValueTypes.end()},
    .layouts = {Layout::together},
    .stable = true,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
