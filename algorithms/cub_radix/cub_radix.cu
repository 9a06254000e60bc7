#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/common/cuda/cub_radix_sorter.cuh"
#include "algorithms/cub_radix/plan.hpp"

namespace sortlab {
namespace {

// The plan is that of CUB 3.0; other versions may differ.
#if CUB_VERSION / 100 == 3000
template <class K, class V>
constexpr bool matches_plan() {
  using Policy = typename cub::detail::radix::policy_hub<K, CubValue<V>, CubOffset>::Policy900::OnesweepPolicy;
  return Policy::BLOCK_THREADS == cub_onesweep::kThreads &&
         Policy::ITEMS_PER_THREAD == cub_onesweep::tile_items(sizeof(K), std::is_same_v<V, NoValue> ? 0 : sizeof(V));
}
static_assert(matches_plan<std::uint32_t, NoValue>() && matches_plan<std::uint64_t, NoValue>());
static_assert(matches_plan<std::uint32_t, std::uint32_t>() && matches_plan<std::uint64_t, std::uint64_t>());
static_assert(matches_plan<std::uint32_t, std::uint64_t>() && matches_plan<std::uint64_t, std::uint32_t>());
#endif

/// The call of a program.
template <class K, class V>
struct Call {
  static cudaError_t sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys,
                          cub::DoubleBuffer<CubValue<V>>& values, std::uint64_t n, cudaStream_t stream) {
    constexpr int bits = 8 * sizeof(K);
    if constexpr (std::is_same_v<V, NoValue>) {
      return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, n, 0, bits, stream);
    } else {
      return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, n, 0, bits, stream);
    }
  }
};

template <class K, class V>
using Ready = CubRadixSorter<K, V, Call<K, V>>;

}  // namespace

std::unique_ptr<Sorter> make_cub_radix(const Problem& problem, const Parameters&, const Resources& resources) {
  return make_for_types<Ready>(problem, problem, resources);
}

}  // namespace sortlab
