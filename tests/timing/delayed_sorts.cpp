// Sorts that take as many per cent longer as the file name of their program says: `delayed_10` a tenth, `timing_test`
// nothing. verdict_trial.py compares copies of this program.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

double delay_share() {
  const std::string name = std::filesystem::read_symlink("/proc/self/exe").filename();
  const std::size_t number = name.find_last_of('_') + 1;
  return std::atof(name.substr(number).c_str()) / 100;
}

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
