#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"

namespace sortlab {
namespace {

struct BlockIndirectSort {
  void operator()(auto begin, auto end, auto less, std::uint32_t threads) const {
    boost::sort::block_indirect_sort(begin, end, less, threads);
  }
};

const Register registered{std::make_unique<SimpleSort<BoostThreads<BlockIndirectSort>>>(Info{
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
