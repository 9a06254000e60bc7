// An example of your own sort, for `sortlab --plugin ./my_sort.so bench --algorithm my_sort`: its Info, and the call.
// algorithms/plugin.hpp is the whole contract, for sorts that have phases, parameters or scratch memory.
#include <algorithm>

#include "algorithms/common/adapters/simple_sort.hpp"

namespace {

using namespace sortlab;

/// Heapsort of the standard library. Call your sort here.
struct MySort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::make_heap(elements.begin(), elements.end(), less);
    std::sort_heap(elements.begin(), elements.end(), less);
  }
};

const Register registered{std::make_unique<SimpleSort<MySort>>(Info{
    .name = "my_sort",
    .title = "Heapsort of the standard library, an example",
    .source = "Williams: Algorithm 232, Heapsort, CACM 1964",
    .family = "comparison",
    .version = SORTLAB_VERSION,
    .in_place = true,
})};

}  // namespace
