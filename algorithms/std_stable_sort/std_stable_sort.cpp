#include <fmt/format.h>

#include <algorithm>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace sortlab {
namespace {

struct StdStableSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::stable_sort(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<StdStableSort>>(Info{
    .name = "std_stable_sort",
    .title = "std::stable_sort of libstdc++ (merge sort)",
    .source = "ISO C++ [stable.sort]",
    .family = "merge",
    .version = fmt::format("libstdc++ {}", _GLIBCXX_RELEASE),
    .stable = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
