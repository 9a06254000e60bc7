#include <boost/sort/flat_stable_sort/flat_stable_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostFlatStableSort : CommonTypes {
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
    .version = kBoostVersion,
    .stable = true,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
