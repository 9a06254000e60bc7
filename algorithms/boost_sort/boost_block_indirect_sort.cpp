#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BoostBlockIndirectSort : BoostThreads {
  using BoostThreads::BoostThreads;

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    with_threads([&](std::uint32_t threads) {
      boost::sort::block_indirect_sort(elements.begin(), elements.end(), less, threads);
    });
  }
};

const Register registered{std::make_unique<SimpleSort<BoostBlockIndirectSort>>(Info{
    .name = "boost_block_indirect_sort",
    .title = "Boost.Sort block_indirect_sort (parallel merge of blocks, std::thread)",
    .source = "Tapia: block_indirect_sort, Boost.Sort",
    .family = "merge",
    .version = kBoostVersion,
    .parallel = true,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
