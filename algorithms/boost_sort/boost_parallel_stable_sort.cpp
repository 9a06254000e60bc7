#include <boost/sort/parallel_stable_sort/parallel_stable_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostParallelStableSort : StableBoostThreads {
  using StableBoostThreads::StableBoostThreads;

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    with_threads([&](std::uint32_t threads) {
      boost::sort::parallel_stable_sort(elements.begin(), elements.end(), less, threads);
    });
  }
};

const Register registered{std::make_unique<SimpleSort<BoostParallelStableSort>>(Info{
    .name = "boost_parallel_stable_sort",
    .title = "Boost.Sort parallel_stable_sort (half the memory of sample_sort)",
    .source = "Tapia: parallel_stable_sort, Boost.Sort",
    .family = "merge",
    .version = kBoostVersion,
    .parallel = true,
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
