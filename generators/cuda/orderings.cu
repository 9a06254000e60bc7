// sorted, reverse, nearly_sorted and runs: uniform ranks, sorted as ranks by CUB, then mapped to keys. The sorted
// sequence is unique, so that the host may sort by another algorithm.
#include "generators/formulas/orderings.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <vector>

#include "core/cuda/device_memory.hpp"
#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/cuda/sort_short_runs.cuh"
#include "generators/formulas/uniform.hpp"

namespace sortlab {
namespace {

/// Maximum length of runs that are sorted concurrently; longer ones are sorted one after the other by the whole device.
constexpr std::uint64_t kLongRun = std::uint64_t{1} << 17;

/// Maps the ranks `from` to keys, in reverse order if requested; `to` may be `from`. A thread takes two elements that
/// change places.
template <class K>
__global__ void keys_of_ranks_kernel(KeyOfRank<K> to_key, bool mirrored, std::uint64_t n, const Bits<K>* from,
                                     Bits<K>* to) {
  for (std::uint64_t i = thread_number(); i < n - n / 2; i += all_threads()) {
    const std::uint64_t j = n - 1 - i;
    const Bits<K> first = to_key(from[i]);
    const Bits<K> second = to_key(from[j]);
    to[i] = mirrored ? second : first;
    to[j] = mirrored ? first : second;
  }
}

template <class T>
__global__ void gather_kernel(std::uint64_t count, const std::uint64_t* positions, const T* from, T* to) {
  for (std::uint64_t i = thread_number(); i < count; i += all_threads()) to[i] = from[positions[i]];
}
template <class T>
__global__ void scatter_kernel(std::uint64_t count, const std::uint64_t* positions, const T* from, T* to) {
  for (std::uint64_t i = thread_number(); i < count; i += all_threads()) to[positions[i]] = from[i];
}

/// Sorts runs of `ranks` one after the other, and maps the sorted ranks to keys in `keys`.
template <class K>
void sort_long_runs(const Input& input, std::uint64_t runs, bool mirrored, Bits<K>* ranks, Bits<K>* keys,
                    cudaStream_t stream) {
  const KeySpace space = key_space(input);
  DeviceMemory temporary;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::uint64_t begin = part_begin(0, input.n, runs, run);
    const std::uint64_t count = part_begin(0, input.n, runs, run + 1) - begin;
    cub::DoubleBuffer<Bits<K>> buffers{ranks + begin, keys + begin};
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, count, 0, space.range_bits, stream));
    if (bytes > temporary.size()) {
      temporary = {};  // waits for the sorts that use it
      temporary = DeviceMemory{bytes};
    }
    bytes = temporary.size();
    check(cub::DeviceRadixSort::SortKeys(temporary.data(), bytes, buffers, count, 0, space.range_bits, stream));
    keys_of_ranks_kernel<K><<<blocks_for(count), kThreadsABlock, 0, stream>>>(KeyOfRank<K>{space}, mirrored, count,
                                                                              buffers.Current(), keys + begin);
    check_launch();
  }
}

/// Swaps pairs of keys, one after the other; the host computes where each key ends up.
template <class B>
void swap_pairs(const Input& input, B* keys, cudaStream_t stream) {
  if (swap_count(input) >= input.n / 4) {  // nearly as many positions as keys
    std::vector<B> here(input.n);
    check(cudaMemcpyAsync(here.data(), keys, input.n * sizeof(B), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    for_each_swap(input, [&](std::uint64_t i, std::uint64_t j) { std::swap(here[i], here[j]); });
    check(cudaMemcpyAsync(keys, here.data(), input.n * sizeof(B), cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
    return;
  }
  std::vector<std::uint64_t> places;
  for_each_swap(input, [&](std::uint64_t i, std::uint64_t j) { places.insert(places.end(), {i, j}); });
  if (places.empty()) return;
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::uint64_t> from = places;
  const auto place_index = [&](std::uint64_t place) {
    return std::ranges::lower_bound(places, place) - places.begin();
  };
  for_each_swap(input,
                [&](std::uint64_t i, std::uint64_t j) { std::swap(from[place_index(i)], from[place_index(j)]); });

  const std::uint64_t count = places.size();
  const DeviceMemory positions{count * sizeof(std::uint64_t)};
  const DeviceMemory moved{count * sizeof(B)};
  check(cudaMemcpyAsync(positions.data(), from.data(), positions.size(), cudaMemcpyHostToDevice, stream));
  gather_kernel<<<blocks_for(count), kThreadsABlock, 0, stream>>>(count, positions.data<const std::uint64_t>(),
                                                                  static_cast<const B*>(keys), moved.data<B>());
  check_launch();
  check(cudaMemcpyAsync(positions.data(), places.data(), positions.size(), cudaMemcpyHostToDevice, stream));
  scatter_kernel<<<blocks_for(count), kThreadsABlock, 0, stream>>>(count, positions.data<const std::uint64_t>(),
                                                                   moved.data<const B>(), keys);
  check_launch();
  check(cudaStreamSynchronize(stream));  // before the positions are freed
}

template <Order order>
void fill_ordered(const Input& input, void* memory, cudaStream_t stream) {
  with_key_type(input.key, [&]<class K>() {
    using B = Bits<K>;
    auto* keys = static_cast<B*>(memory);
    const KeySpace space = key_space(input);
    const UniformRank<B> rank{key_width(input.key) - space.range_bits};
    // With as many runs as keys, each key is a sorted run.
    const std::uint64_t runs = std::min(run_count(input, order), input.n);
    const DeviceMemory ranks{input.n * sizeof(B)};
    make_keys(KeysOfRandomBits<B, UniformRank<B>>{rank}, input.seed, input.n, ranks.data(), stream);
    if (runs > 1 && input.n / runs < kLongRun) {
      const B* sorted = runs == input.n
                            ? ranks.data<B>()
                            : sort_short_runs(ranks.data<B>(), keys, input.n, runs, space.range_bits, stream);
      keys_of_ranks_kernel<K>
          <<<blocks_for(input.n), kThreadsABlock, 0, stream>>>(KeyOfRank<K>{space}, false, input.n, sorted, keys);
      check_launch();
    } else {
      sort_long_runs<K>(input, runs, order == Order::reverse, ranks.data<B>(), keys, stream);
    }
    if (order == Order::nearly_sorted) swap_pairs(input, keys, stream);
    check(cudaStreamSynchronize(stream));  // before the ranks are freed
  });
}

const RegisterDeviceFill sorted{"sorted", fill_ordered<Order::sorted>};
const RegisterDeviceFill reverse{"reverse", fill_ordered<Order::reverse>};
const RegisterDeviceFill nearly_sorted{"nearly_sorted", fill_ordered<Order::nearly_sorted>};
const RegisterDeviceFill runs{"runs", fill_ordered<Order::runs>};

}  // namespace
}  // namespace sortlab
