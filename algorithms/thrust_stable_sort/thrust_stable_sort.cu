#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/common/cuda/thrust_sorter.cuh"

namespace sortlab {
namespace {

struct Stable {
  template <class Policy, class K>
  void operator()(const Policy& policy, K* first, K* last) const {
    thrust::stable_sort(policy, first, last);
  }
  template <class Policy, class K, class V>
  void operator()(const Policy& policy, K* first, K* last, V* values) const {
    thrust::stable_sort_by_key(policy, first, last, values);
  }
};

template <class K, class V>
using Ready = ThrustSorter<K, V, Stable>;

}  // namespace

std::unique_ptr<Sorter> make_thrust_stable_sort(const Problem& problem, const Parameters&, const Resources& resources) {
  return make_for_types<Ready, 8>(problem, resources);
}

}  // namespace sortlab
