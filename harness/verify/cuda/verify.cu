// Kernel that reads all elements once, each thread a group of neighbours at a time: hashes, order and stability.
#include <cub/block/block_reduce.cuh>

#include "core/cuda/device_memory.hpp"
#include "core/cuda/on_device.hpp"
#include "harness/verify/cuda/read_elements.cuh"
#include "harness/verify/element_hash.hpp"
#include "harness/verify/findings.hpp"
#include "harness/verify/key_image.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksAProcessor = 8;  ///< as many threads as a multiprocessor holds

/// Checks asked of an array.
struct Questions {
  bool aligned;  ///< it can be read 16 bytes at a time
  bool order;
  bool stability;
};

struct Smaller {
  __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a < b ? a : b; }
};

/// A thread's findings, element by element.
template <class K, class V, bool kPaired, class By>
struct Finder {
  By by;
  Findings found{};

  /// Checks element i against the one before it (none for element 0).
  __device__ void look(Questions ask, std::uint64_t i, Bits<K> key, V value, Bits<K> key_before, V value_before) {
    found.keys += hash_of_key(key);
    if constexpr (kPaired) found.pairs += hash_of_pair(key, value);
    if (!ask.order) return;
    if constexpr (kPaired && !By::kWhole) {
      if (by.strays(i, value)) found.strayed_at = Smaller{}(found.strayed_at, i);
    }
    if (i == 0 || by.begins(i)) return;
    const Bits<K> image = by.image(std::bit_cast<K>(key));
    const Bits<K> before = by.image(std::bit_cast<K>(key_before));
    if (image < before) found.descends_at = Smaller{}(found.descends_at, i);
    if constexpr (kPaired) {
      if (ask.stability && image == before && value <= value_before) {
        found.swapped_at = Smaller{}(found.swapped_at, i);
      }
    }
  }
};

template <class Elements, class By>
__global__ void __launch_bounds__(kThreads)
    find_kernel(Elements elements, Questions ask, By by, std::uint64_t n, Findings* all) {
  using Of = Reader<Elements>;
  using K = decltype(elements.key(0));
  using V = std::remove_extent_t<decltype(Of::Read::value)>;
  constexpr int kCount = Of::kCount;
  constexpr bool kPaired = Elements::paired;
  const auto key_at = [&](std::uint64_t i) { return std::bit_cast<Bits<K>>(elements.key(i)); };
  const auto value_at = [&](std::uint64_t i) -> V {
    if constexpr (kPaired) {
      return elements.value(i);
    } else {
      return 0;
    }
  };

  Finder<K, V, kPaired, By> finder{by};
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t group = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; group * kCount < n; group += threads) {
    const std::uint64_t first = group * kCount;
    Bits<K> key_before = 0;
    V value_before = 0;
    if (ask.order && first > 0) {  // most likely just read by the neighbouring thread, and in the cache
      key_before = key_at(first - 1);
      if (ask.stability) value_before = value_at(first - 1);
    }
    if (first + kCount <= n) {
      const auto read = Of::read(elements, first, ask.aligned);
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        finder.look(ask, first + e, read.key[e], read.value[e], key_before, value_before);
        key_before = read.key[e];
        value_before = read.value[e];
      }
    } else {
      for (std::uint64_t i = first; i < n; ++i) {
        const Bits<K> key = key_at(i);
        const V value = value_at(i);
        finder.look(ask, i, key, value, key_before, value_before);
        key_before = key;
        value_before = value;
      }
    }
  }

  using Reduce = cub::BlockReduce<std::uint64_t, kThreads>;
  __shared__ typename Reduce::TempStorage temporary[5];
  const std::uint64_t keys = Reduce(temporary[0]).Sum(finder.found.keys);
  const std::uint64_t pairs = Reduce(temporary[1]).Sum(finder.found.pairs);
  const std::uint64_t descends_at = Reduce(temporary[2]).Reduce(finder.found.descends_at, Smaller{});
  const std::uint64_t swapped_at = Reduce(temporary[3]).Reduce(finder.found.swapped_at, Smaller{});
  std::uint64_t strayed_at = kNowhere;
  if constexpr (kPaired && !By::kWhole) {
    strayed_at = Reduce(temporary[4]).Reduce(finder.found.strayed_at, Smaller{});
  }
  if (threadIdx.x != 0) return;
  using Atomic = unsigned long long;
  const auto word = [](std::uint64_t& x) { return reinterpret_cast<Atomic*>(&x); };
  atomicAdd(word(all->keys), Atomic{keys});
  if (kPaired) atomicAdd(word(all->pairs), Atomic{pairs});
  if (descends_at != kNowhere) atomicMin(word(all->descends_at), Atomic{descends_at});
  if (swapped_at != kNowhere) atomicMin(word(all->swapped_at), Atomic{swapped_at});
  if (strayed_at != kNowhere) atomicMin(word(all->strayed_at), Atomic{strayed_at});
}

template <class Elements>
__global__ void __launch_bounds__(kThreads) range_kernel(Elements elements, std::uint64_t n, FloatRange* all) {
  FloatRange mine;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += threads) {
    const std::uint32_t ordered = to_ordered(elements.key(i));
    mine = {min(mine.smallest, ordered), max(mine.largest, ordered)};
  }
  atomicMin(&all->smallest, mine.smallest);
  atomicMax(&all->largest, mine.largest);
}

unsigned blocks_for(std::uint64_t n, std::uint64_t a_block) {
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::uint64_t most = std::uint64_t{kBlocksAProcessor} * static_cast<unsigned>(multiprocessors);
  return static_cast<unsigned>(std::min((n + a_block - 1) / a_block, most));
}

/// The range of f32 keys; nullopt for others.
template <class Elements>
FloatRange float_range(const Elements& elements, std::uint64_t n, cudaStream_t on) {
  FloatRange range;
  if constexpr (std::is_same_v<decltype(elements.key(0)), float>) {
    const DeviceMemory there{sizeof range};
    check(cudaMemcpyAsync(there.data(), &range, sizeof range, cudaMemcpyHostToDevice, on));
    range_kernel<<<blocks_for(n, kThreads), kThreads, 0, on>>>(elements, n, there.data<FloatRange>());
    check_launch();
    check(cudaMemcpyAsync(&range, there.data(), sizeof range, cudaMemcpyDeviceToHost, on));
    check(cudaStreamSynchronize(on));
  }
  return range;
}

/// `order` is null if none is required.
Findings find(const Buffers& buffers, const Problem& problem, std::uint64_t n, const Order* order, bool stability,
              void* stream) {
  Findings found;
  if (n == 0) return found;
  const auto on = static_cast<cudaStream_t>(stream);
  const DeviceMemory all{sizeof(Findings)};
  check(cudaMemcpyAsync(all.data(), &found, sizeof(Findings), cudaMemcpyHostToDevice, on));
  with_elements(buffers, problem, [&]<class Elements>(const Elements& elements) {
    using Of = Reader<Elements>;
    const Questions ask{.aligned = Of::aligned(elements), .order = order != nullptr, .stability = stability};
    const unsigned blocks = blocks_for(n, std::uint64_t{kThreads} * Of::kCount);
    if (order == nullptr || order->is_whole()) {
      find_kernel<<<blocks, kThreads, 0, on>>>(elements, ask, WholeOrder{}, n, all.data<Findings>());
    } else {
      const UnitFloats unit_floats = order->unit_floats ? float_range(elements, n, on).unit_floats() : UnitFloats{};
      find_kernel<<<blocks, kThreads, 0, on>>>(elements, ask, PartialOrder{*order, unit_floats}, n,
                                               all.data<Findings>());
    }
    check_launch();
  });
  check(cudaMemcpyAsync(&found, all.data(), sizeof(Findings), cudaMemcpyDeviceToHost, on));
  check(cudaStreamSynchronize(on));
  return found;
}

}  // namespace

InputDigest digest_on_device(const Buffers& input, const Problem& problem, void* stream) {
  const Findings found = find(input, problem, problem.n, nullptr, false, stream);
  return {problem.n, found.keys, found.pairs};
}

namespace {

BorderElement read_border(const Buffers& shard, std::uint64_t i, const Problem& problem) {
  uint128 key = 0;
  std::uint64_t value = 0;
  const auto read = [i](void* to, const Array& array, std::uint64_t width) {
    check(cudaMemcpy(to, static_cast<const std::byte*>(array.data) + i * width, width, cudaMemcpyDeviceToHost));
  };
  read(&key, shard.keys, byte_size(problem.key));
  const bool has_values = problem.value != ValueType::none;
  if (has_values) read(&value, shard.values, byte_size(problem.value));
  return border_element(&key, has_values ? &value : nullptr, problem);
}

}  // namespace

InputDigest digest_on_devices(const Buffers& input, const Problem& problem, std::span<const Lane> lanes) {
  InputDigest all{problem.n, 0, 0};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const OnDevice on{lanes[i].device};
    const Findings found = find(input.shards[i], problem, input.shards[i].keys.count, nullptr, false, lanes[i].stream);
    all.keys += found.keys;
    all.pairs += found.pairs;
  }
  return all;
}

Verification verify_on_devices(const InputDigest& input, const Buffers& output, const Problem& problem,
                               bool claims_stable, std::span<const Lane> lanes) {
  if (auto wrong = wrong_shards(input, output, problem)) return *wrong;
  const bool stability = checks_stability(input, problem, claims_stable);
  const Order whole;
  ShardFindings found{stability};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const OnDevice on{lanes[i].device};
    const Buffers& shard = output.shards[i];
    const std::uint64_t n = shard.keys.count;
    const Findings here = find(shard, problem, n, &whole, stability, lanes[i].stream);
    found.add(here, n, n == 0 ? BorderElement{} : read_border(shard, 0, problem),
              n == 0 ? BorderElement{} : read_border(shard, n - 1, problem));
  }
  return verdict_on(found.all(), input, problem, stability, whole);
}

Verification verify_on_device(const InputDigest& input, const Buffers& output, const Problem& problem,
                              bool claims_stable, void* stream, const Order& order) {
  if (auto wrong = wrong_length(input, output, problem)) return *wrong;
  const bool stability = checks_stability(input, problem, claims_stable);
  return verdict_on(find(output, problem, input.n, &order, stability, stream), input, problem, stability, order);
}

}  // namespace sortlab
