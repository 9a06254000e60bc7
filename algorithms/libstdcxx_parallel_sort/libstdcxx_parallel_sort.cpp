#include <fmt/format.h>
#include <omp.h>

#include <parallel/algorithm>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {
namespace {

class LibstdcxxParallelSort : public CommonTypes {
 public:
  explicit LibstdcxxParallelSort(const Resources& resources) : threads_(resources.threads), cpus_(resources.cpus) {
    // Starts the threads of the pool now, and rebinds threads that an earlier sort left on other processors.
    const Pinned allowed{cpus_};
#pragma omp parallel num_threads(threads_)
    pin_to(cpus_);
  }

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    omp_set_num_threads(threads_);  // with one thread the library uses std::sort
    __gnu_parallel::sort(elements.begin(), elements.end(), less,
                         __gnu_parallel::default_parallel_tag(static_cast<__gnu_parallel::_ThreadIndex>(threads_)));
  }

 private:
  int threads_;
  std::vector<int> cpus_;
};

const Register registered{std::make_unique<SimpleSort<LibstdcxxParallelSort>>(Info{
    .name = "libstdcxx_parallel_sort",
    .title = "libstdc++ parallel mode: multiway merge sort with exact splitting, OpenMP",
    .source = "Singler, Sanders, Putze: MCSTL, Euro-Par 2007; libstdc++ manual, chapter 18",
    .family = "merge",
    .version = fmt::format("libstdc++ {}, OpenMP {}", _GLIBCXX_RELEASE, _OPENMP),
    .parallel = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
