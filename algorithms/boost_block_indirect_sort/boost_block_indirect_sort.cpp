#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {
namespace {

class BoostBlockIndirectSort {
 public:
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>();
  static constexpr bool total_order = false;  // would be compiled once more

  explicit BoostBlockIndirectSort(const Resources& resources)
      : threads_(static_cast<std::uint32_t>(resources.threads)), cpus_(resources.cpus) {}

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    const Pinned allowed{cpus_};  // it starts its threads in each call
    boost::sort::block_indirect_sort(elements.begin(), elements.end(), less, threads_);
  }

 private:
  std::uint32_t threads_;
  std::vector<int> cpus_;
};

const Register registered{std::make_unique<SimpleSort<BoostBlockIndirectSort>>(Info{
    .name = "boost_block_indirect_sort",
    .title = "Boost.Sort block_indirect_sort (parallel merge of blocks, std::thread)",
    .source = "Tapia: block_indirect_sort, Boost.Sort",
    .family = "merge",
    .version = "Boost " BOOST_LIB_VERSION,
    .keys = {KeyType::u32, KeyType::u64, KeyType::f32, KeyType::f64},
    .values = {kValueTypes.begin(), kValueTypes.end()},
    .layouts = {Layout::together},
    .parallel = true,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
