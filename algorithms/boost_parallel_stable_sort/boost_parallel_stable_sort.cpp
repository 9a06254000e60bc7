#include <boost/sort/parallel_stable_sort/parallel_stable_sort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {
namespace {

class BoostParallelStableSort {
 public:
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>() && std::is_integral_v<K>;  // 3 s of compiling a type

  explicit BoostParallelStableSort(const Resources& resources)
      : threads_(static_cast<std::uint32_t>(resources.threads)), cpus_(resources.cpus) {}

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    const Pinned allowed{cpus_};  // it starts its threads in each call
    boost::sort::parallel_stable_sort(elements.begin(), elements.end(), less, threads_);
  }

 private:
  std::uint32_t threads_;
  std::vector<int> cpus_;
};

const Register registered{std::make_unique<SimpleSort<BoostParallelStableSort>>(Info{
    .name = "boost_parallel_stable_sort",
    .title = "Boost.Sort parallel_stable_sort (half the memory of sample_sort)",
    .source = "Tapia: parallel_stable_sort, Boost.Sort",
    .family = "merge",
    .version = "Boost " BOOST_LIB_VERSION,
    .keys = {KeyType::u32, KeyType::u64},
    .values = {kValueTypes.begin(), kValueTypes.end()},
    .layouts = {Layout::together},
    .parallel = true,
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
