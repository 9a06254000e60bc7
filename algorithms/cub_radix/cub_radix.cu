#include "algorithms/common/cuda/cub_radix_sorter.cuh"

namespace sortlab {
namespace {

/// As a program calls it.
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

}  // namespace

std::unique_ptr<Sorter> make_cub_radix(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return std::make_unique<CubRadixSorter<K, V, Call<K, V>>>(problem, resources);
    });
  });
}

}  // namespace sortlab
