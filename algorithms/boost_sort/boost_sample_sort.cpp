#include <boost/sort/sample_sort/sample_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostSampleSort : StableBoostThreads {
  using StableBoostThreads::StableBoostThreads;

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    with_threads(
        [&](std::uint32_t threads) { boost::sort::sample_sort(elements.begin(), elements.end(), less, threads); });
  }
};

const Register registered{std::make_unique<SimpleSort<BoostSampleSort>>(Info{
    .name = "boost_sample_sort",
    .title = "Boost.Sort sample_sort (stable, parallel, std::thread)",
    .source = "Tapia: sample_sort, Boost.Sort",
    .family = "merge",
    .version = kBoostVersion,
    .parallel = true,
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
