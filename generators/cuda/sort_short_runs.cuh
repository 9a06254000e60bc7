// Sorts many short runs of ranks concurrently.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_radix_sort.cuh>

#include "core/cuda/device_memory.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

/// Begin of a run, relative to the first rank of a batch of runs.
struct BeginInBatch {
  std::uint64_t n;
  std::uint64_t runs;
  std::uint64_t batch;  ///< first rank of the batch
  __host__ __device__ int operator()(std::uint64_t run) const {
    return static_cast<int>(part_begin(0, n, runs, run) - batch);
  }
};

/// Sorts each of `runs` equal runs (at most n of them) of n ranks below 2^bits. Returns the array of the sorted ranks,
/// `ranks` or `other`; both are overwritten.
template <class B>
B* sort_short_runs(B* ranks, B* other, std::uint64_t n, std::uint64_t runs, int bits, cudaStream_t stream) {
  // CUB counts the ranks and the segments of a call as int.
  constexpr std::uint64_t kMaxBatch = std::uint64_t{1} << 30;
  const std::uint64_t runs_a_batch = std::max<std::uint64_t>(1, kMaxBatch / (n / runs + 1));
  B* sorted = ranks;
  DeviceMemory temporary;
  for (std::uint64_t first = 0; first < runs; first += runs_a_batch) {
    const std::uint64_t last = std::min(first + runs_a_batch, runs);
    const BeginInBatch begin{n, runs, part_begin(0, n, runs, first)};
    const auto count = static_cast<int>(part_begin(0, n, runs, last) - begin.batch);
    const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(first), begin);
    cub::DoubleBuffer<B> buffers{ranks + begin.batch, other + begin.batch};
    const auto sort = [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, buffers, count, static_cast<int>(last - first),
                                                     begins, begins + 1, 0, bits, stream);
    };
    std::size_t bytes = 0;
    check(sort(nullptr, bytes));
    if (bytes > temporary.size()) {
      temporary = {};  // waits for the sorts that use it
      temporary = DeviceMemory{bytes};
    }
    bytes = temporary.size();
    check(sort(temporary.data(), bytes));
    sorted = buffers.selector == 0 ? ranks : other;  // the same number of passes in each batch
  }
  check(cudaStreamSynchronize(stream));  // before the temporary memory is freed
  return sorted;
}

}  // namespace sortlab
