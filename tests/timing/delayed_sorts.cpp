// Sorts with a delay put in, which verdict_trial.py compares.
#include <algorithm>
#include <chrono>

#include "tests/support/planted_sorts.hpp"
#include "tests/timing/delay_share.hpp"

namespace sortlab {
namespace {

/// Calls `Sort`, then waits for the program's share of the time that it took.
template <class Sort>
struct Delayed {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    using Clock = std::chrono::steady_clock;
    static const double share = delay_share();
    const auto begin = Clock::now();
    Sort{}(elements, less);
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(share * (Clock::now() - begin));
    while (share > 0 && Clock::now() < end) {
    }
  }
};

struct Introsort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::sort(elements.begin(), elements.end(), less);
  }
};
struct MergeSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::stable_sort(elements.begin(), elements.end(), less);
  }
};
struct HeapSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::make_heap(elements.begin(), elements.end(), less);
    std::sort_heap(elements.begin(), elements.end(), less);
  }
};

const PlantedAlgorithm delayed_introsort{
    std::make_unique<SimpleSort<Delayed<Introsort>>>(planted_info("delayed_introsort"))};
const PlantedAlgorithm delayed_merge_sort{
    std::make_unique<SimpleSort<Delayed<MergeSort>>>(planted_info("delayed_merge_sort"))};
const PlantedAlgorithm delayed_heap_sort{
    std::make_unique<SimpleSort<Delayed<HeapSort>>>(planted_info("delayed_heap_sort"))};

}  // namespace
}  // namespace sortlab
