// Host side of the sort: sorted tiles, then levels of merges from one set of arrays to the other.
#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab {
namespace {

using gpu_merge::Cut;
using gpu_merge::Level;
using gpu_merge::Shape;

template <class Word, class V>
class MergeSorter final : public Sorter {
 public:
  MergeSorter(const Problem& problem, KeyOrder<Word> order, const Shape& shape, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        shape_(shape),
        second_(problem),
        cuts_((problem.n + shape.tile - 1) / shape.tile * sizeof(Cut)) {}

  std::uint64_t scratch_bytes() const override { return second_.bytes() + cuts_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override { return sort(data, false, phases); }

  /// Sorts the data; with `index_values` the values are not read but replaced by the elements' indices.
  Buffers sort(const Buffers& data, bool index_values, PhaseTimer& phases) {
    const std::uint64_t n = data.keys.count;
    if (n == 0) return data;
    Buffers from = data, to = second_.buffers();
    {
      const auto phase = phases.phase("sort tiles");
      auto tiles = level(from, to, 0);
      if (index_values) tiles.values = nullptr;
      sort_tiles(tiles, shape_, stream_);
    }
    for (int number = 0; number < gpu_merge::levels(n, shape_.tile); ++number) {
      std::swap(from, to);
      {
        const auto phase = phases.phase("find cuts", number);
        find_cuts(level(from, to, number), shape_, stream_);
      }
      const auto phase = phases.phase("merge", number);
      merge_pieces(level(from, to, number), shape_, stream_);
    }
    return to;
  }

 private:
  Level<Word, V> level(const Buffers& from, const Buffers& to, int number) const {
    return {.keys = static_cast<const Word*>(from.keys.data),
            .values = static_cast<const V*>(from.values.data),
            .keys_out = static_cast<Word*>(to.keys.data),
            .values_out = static_cast<V*>(to.values.data),
            .n = from.keys.count,
            .tile = shape_.tile,
            .number = number,
            .cuts = cuts_.template data<Cut>(),
            .order = order_};
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  Shape shape_;
  DeviceBuffers second_;
  DeviceMemory cuts_;
};

template <class V, class Index>
__global__ void __launch_bounds__(256) gather(const V* values, const Index* from, V* to, std::uint64_t n) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    to[i] = values[from[i]];
}

/// Sorts keys with indices as values, and gathers the values at the end.
template <class Word, class V, class Index>
class GatheringSorter final : public Sorter {
 public:
  GatheringSorter(const Problem& problem, KeyOrder<Word> order, const Shape& shape, const Resources& resources)
      : stream_(cuda_stream(resources)),
        sorter_(with_index(problem), order, shape, resources),
        indices_(problem.n * sizeof(Index)),
        values_(problem.n * sizeof(V)) {}

  std::uint64_t scratch_bytes() const override { return sorter_.scratch_bytes() + indices_.size() + values_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    if (n == 0) return data;
    const Array indices{.data = indices_.data(), .count = n};
    const Buffers sorted = sorter_.sort({.keys = data.keys, .values = indices}, true, phases);
    const auto phase = phases.phase("gather");
    const auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>((n + 255) / 256, 1u << 20));
    gather<<<blocks, 256, 0, stream_>>>(static_cast<const V*>(data.values.data),
                                        static_cast<const Index*>(sorted.values.data), values_.template data<V>(), n);
    check_launch();
    return {.keys = sorted.keys, .values = {.data = values_.data(), .count = n}};
  }

 private:
  static Problem with_index(Problem problem) {
    problem.value = sizeof(Index) == 4 ? ValueType::u32 : ValueType::u64;
    return problem;
  }

  cudaStream_t stream_;
  MergeSorter<Word, Index> sorter_;
  DeviceMemory indices_;
  DeviceMemory values_;
};

}  // namespace

std::unique_ptr<Sorter> make_satish_gpu_merge(const Problem& problem, const Parameters& parameters,
                                              const Resources& resources) {
  const auto method = chosen("merge", parameters.word("merge"), gpu_merge::kMethods);
  const bool gathered = chosen("values", parameters.word("values"), gpu_merge::kValues) == gpu_merge::Values::gathered;
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    const Shape shape =
        gpu_merge::make_shape(method, parameters.integer("tile"), parameters.integer("threads"), sizeof(Word));
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      if constexpr (gpu_merge::kHasValue<V>) {
        if (gathered && problem.n >> 32 == 0) {
          return std::make_unique<GatheringSorter<Word, V, std::uint32_t>>(problem, order, shape, resources);
        }
        if (gathered)
          return std::make_unique<GatheringSorter<Word, V, std::uint64_t>>(problem, order, shape, resources);
      }
      return std::make_unique<MergeSorter<Word, V>>(problem, order, shape, resources);
    });
  });
}

}  // namespace sortlab
