#include <boost/sort/spinsort/spinsort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace sortlab {
namespace {

struct BoostSpinsort {
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>();
  static constexpr bool total_order = false;  // would be compiled once more

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    boost::sort::spinsort(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<BoostSpinsort>>(Info{
    .name = "boost_spinsort",
    .title = "Boost.Sort spinsort (stable merge sort)",
    .source = "Tapia: spinsort, Boost.Sort",
    .family = "merge",
    .version = "Boost " BOOST_LIB_VERSION,
    .keys = {KeyType::u32, KeyType::u64, KeyType::f32, KeyType::f64},
    .values = {kValueTypes.begin(), kValueTypes.end()},
    .layouts = {Layout::together},
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
