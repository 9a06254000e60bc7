#include <boost/sort/spinsort/spinsort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostSpinsort : CommonTypes {
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
    .version = kBoostVersion,
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
