#include <fmt/format.h>

#include <algorithm>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace sortlab {
namespace {

struct StdSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::sort(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<StdSort>>(Info{
    .name = "std_sort",
    .title = "std::sort of libstdc++ (introsort)",
    .source = "ISO C++ [sort]; Musser 1997",
    .family = "comparison",
    .version = fmt::format("libstdc++ {}", _GLIBCXX_RELEASE),
    .in_place = true,
})};

}  // namespace
}  // namespace sortlab
