#include <boost/sort/sample_sort/sample_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct SampleSort {
  void operator()(auto begin, auto end, auto less, std::uint32_t threads) const {
    boost::sort::sample_sort(begin, end, less, threads);
  }
};

const Register registered{std::make_unique<SimpleSort<StableBoostThreads<SampleSort>>>(stable_boost_info(
    "boost_sample_sort", "Boost.Sort sample_sort (stable, parallel, std::thread)", "Tapia: sample_sort, Boost.Sort"))};

}  // namespace
}  // namespace sortlab
