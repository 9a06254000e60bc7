// randomized_duplicates: a thread block generates a part of the keys of one processor. It finds the begins of the
// processor's runs, as many at a time as it has threads, and then the run of each key.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/formulas/duplicates.hpp"
#include "generators/helman.hpp"

namespace sortlab {
namespace {

constexpr unsigned kMaxParts = 1024;  ///< maximum thread blocks per processor: enough to fill a device

template <class K>
__global__ void __launch_bounds__(kThreadsABlock)
    duplicates_kernel(std::uint64_t seed, std::uint64_t range, bool shared_rest, std::uint64_t p, std::uint64_t n,
                      void* keys) {
  using Reduce = cub::BlockReduce<std::uint64_t, kThreadsABlock>;
  using Scan = cub::BlockScan<std::uint64_t, kThreadsABlock>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } temporary;
  __shared__ std::uint64_t all_weights;
  __shared__ std::uint64_t begins[kThreadsABlock];
  __shared__ Bits<K> values[kThreadsABlock];

  for (std::uint64_t processor = blockIdx.x; processor < p; processor += gridDim.x) {
    const RandomDuplicates runs{{seed, processor}, range, shared_rest};
    const std::uint64_t begin = part_begin(0, n, p, processor);
    const std::uint64_t c = part_begin(0, n, p, processor + 1) - begin;
    const std::uint64_t mine = part_begin(begin, c, gridDim.y, blockIdx.y);
    const std::uint64_t mine_end = part_begin(begin, c, gridDim.y, blockIdx.y + 1);

    std::uint64_t weights = 0;
    for (std::uint64_t t = threadIdx.x; t < range; t += kThreadsABlock) weights += runs.weight(t);
    weights = Reduce(temporary.reduce).Sum(weights);
    if (threadIdx.x == 0) all_weights = weights;
    __syncthreads();

    std::uint64_t place = begin;
    std::uint64_t steps = 0;  // sum of the steps before run `first`
    for (std::uint64_t first = 0; first < range && place < mine_end; first += kThreadsABlock) {
      const std::uint64_t t = first + threadIdx.x;
      const bool last_runs = first + kThreadsABlock >= range;
      std::uint64_t before = t < range ? runs.step(t, c, all_weights) : 0;
      std::uint64_t of_all = 0;
      Scan(temporary.scan).ExclusiveSum(before, before, of_all);
      // The value of the last run fills the rest; threads beyond it represent runs without keys, before that rest.
      begins[threadIdx.x] = t < range ? begin + runs.begin(steps + before, c, all_weights) : begin + c;
      values[threadIdx.x] = key_of_integer<K>(runs.value(std::min(t, range - 1)));
      steps += of_all;
      const std::uint64_t end = last_runs ? begin + c : begin + runs.begin(steps, c, all_weights);
      __syncthreads();
      const std::uint64_t from = std::max(place, mine);
      const std::uint64_t to = std::min(end, mine_end);
      for (std::uint64_t i = from + threadIdx.x; i < to; i += kThreadsABlock) {
        unsigned low = 0;  // the last run that begins at or before i
        for (unsigned step = kThreadsABlock / 2; step > 0; step /= 2) {
          if (begins[low + step] <= i) low += step;
        }
        static_cast<Bits<K>*>(keys)[i] = values[low];
      }
      place = end;
      __syncthreads();
    }
    __syncthreads();
  }
}

void fill_randomized_duplicates(const Input& input, void* keys, cudaStream_t stream) {
  const std::uint64_t p = helman::processors(input);
  const auto range = static_cast<std::uint64_t>(input.parameters.integer("range"));
  const auto columns = static_cast<unsigned>(std::min(p, kMaxBlocks));
  const auto parts = std::max(1U, kMaxParts / columns);
  with_key_type(input.key, [&]<class K>() {
    duplicates_kernel<K><<<dim3{columns, parts}, kThreadsABlock, 0, stream>>>(
        input.seed, range, shares_rest(input.n, p, range), p, input.n, keys);
  });
  check_launch();
}

const RegisterDeviceFill randomized_duplicates{"randomized_duplicates", fill_randomized_duplicates};

}  // namespace
}  // namespace sortlab
