#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <oneapi/tbb/version.h>
#include <unistd.h>

#include <algorithm>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {
namespace {

/// Moves each of TBB's threads to the processors of the case when it enters the arena.
class Pinning final : public tbb::task_scheduler_observer {
 public:
  Pinning(tbb::task_arena& arena, std::vector<int> cpus) : task_scheduler_observer(arena), cpus_(std::move(cpus)) {
    observe(true);
  }
  ~Pinning() override { observe(false); }
  void on_scheduler_entry(bool is_worker) override {
    if (is_worker) pin_to(cpus_);
  }

 private:
  std::vector<int> cpus_;
};

class TbbParallelSort {
 public:
  explicit TbbParallelSort(const Resources& resources)
      : threads_(static_cast<std::size_t>(resources.threads)),
        arena_(resources.threads),
        pinning_(arena_, resources.cpus) {
    // Between the calls oneTBB would limit itself to the processors that the process had at its first call, one if that
    // was pinned to one, and warn of it on standard error while another sorter has an arena of more threads.
    static const tbb::global_control all_processors(
        tbb::global_control::max_allowed_parallelism,
        static_cast<std::size_t>(std::max(sysconf(_SC_NPROCESSORS_CONF), long{resources.threads})));
  }

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) {
    // An arena never gets more threads than the machine has processors. The smallest of all live limits applies, so
    // this one lives only during the call.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads_);
    arena_.execute([&] { tbb::parallel_sort(elements.begin(), elements.end(), less); });
  }

 private:
  std::size_t threads_;
  tbb::task_arena arena_;
  Pinning pinning_;
};

const Register registered{std::make_unique<SimpleSort<TbbParallelSort>>(Info{
    .name = "tbb_parallel_sort",
    .title = "oneTBB parallel_sort (parallel quicksort)",
    .source = "oneTBB specification, parallel_sort",
    .family = "comparison",
    .version = std::string{"oneTBB "} + TBB_runtime_version(),
    .parallel = true,
    .in_place = true,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
