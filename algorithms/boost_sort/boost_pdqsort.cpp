#include <boost/sort/pdqsort/pdqsort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostPdqsort : CommonTypes {
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
    .version = kBoostVersion,
    .in_place = true,
})};

}  // namespace
}  // namespace sortlab
