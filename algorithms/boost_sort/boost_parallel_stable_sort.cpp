#include <boost/sort/parallel_stable_sort/parallel_stable_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct ParallelStableSort {
  void operator()(auto begin, auto end, auto less, std::uint32_t threads) const {
    boost::sort::parallel_stable_sort(begin, end, less, threads);
  }
};

const Register registered{std::make_unique<SimpleSort<StableBoostThreads<ParallelStableSort>>>(
    stable_boost_info("boost_parallel_stable_sort", "Boost.Sort parallel_stable_sort (half the memory of sample_sort)",
                      "Tapia: parallel_stable_sort, Boost.Sort"))};

}  // namespace
}  // namespace sortlab
