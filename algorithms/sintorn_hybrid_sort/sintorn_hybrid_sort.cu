// Host side of the sort: keys are counted by bins, then by the divisions that the host derives from these, scattered to
// their divisions, and merged there.
#include <string>
#include <utility>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/min_max.cuh"
#include "algorithms/common/cuda/pinned_memory.hpp"
#include "algorithms/sintorn_hybrid_sort/kernels.cuh"

namespace sortlab {
namespace {

using namespace hybrid_sort;

class HybridSorter final : public Sorter {
 public:
  HybridSorter(const Problem& problem, std::uint64_t room, const Resources& resources)
      : stream_(cuda_stream(resources)),
        capacity_(capacity(problem.n, room)),
        padded_{DeviceMemory{padded_bytes(problem.n)}, DeviceMemory{padded_bytes(problem.n)}},
        places_(problem.n * sizeof(std::uint32_t)),
        block_counts_(std::uint64_t{block_count(problem.n)} * kDivisions * sizeof(std::uint32_t)),
        counts_(kBins * sizeof(std::uint32_t)),
        points_(kDivisions * sizeof(float)),
        divisions_(kDivisions * sizeof(Division)),
        host_counts_(kBins),
        host_points_(kDivisions),
        host_divisions_(kDivisions) {}

  std::uint64_t scratch_bytes() const override {
    return padded_[0].size() + padded_[1].size() + places_.size() + block_counts_.size() + counts_.size() +
           points_.size() + divisions_.size() + extremes_.bytes();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    auto* const keys = static_cast<float*>(data.keys.data);
    if (n == 0) return data;
    float low = 0, high = 0;
    {
      const auto phase = phases.phase("min and max");
      const KeyOrder<std::uint32_t> order = key_order<float>();
      const MinMax<std::uint32_t> found =
          extremes_.find(static_cast<const std::uint32_t*>(data.keys.data), n, order, stream_);
      low = std::bit_cast<float>(order.restored(found.min));
      high = std::bit_cast<float>(order.restored(found.max));
    }
    if (!(low < high)) return data;
    place_divisions(keys, n, low, high, phases);
    const std::uint64_t vectors = locate_divisions(keys, n, phases);
    const std::uint32_t blocks = block_count(n);
    {
      const auto phase = phases.phase("scatter");
      scatter<<<blocks, kThreads, 0, stream_>>>(keys, n, places_.data<std::uint32_t>(),
                                                block_counts_.data<std::uint32_t>(), divisions_.data<Division>(),
                                                padded_[0].data<float>());
      check_launch();
      pad<<<kDivisions / kThreads, kThreads, 0, stream_>>>(divisions_.data<Division>(), padded_[0].data<float>());
      check_launch();
    }
    {
      const auto phase = phases.phase("sort vectors");
      sort_vectors<<<static_cast<std::uint32_t>((vectors + kThreads - 1) / kThreads), kThreads, 0, stream_>>>(
          padded_[0].data<float4>(), vectors);
      check_launch();
    }
    const int sorted_side = merge_divisions(phases);
    const auto phase = phases.phase("pack");
    pack<<<kDivisions, kThreads, 0, stream_>>>(padded_[sorted_side].data<float>(), divisions_.data<Division>(), keys);
    check_launch();
    return data;
  }

 private:
  static std::uint64_t padded_bytes(std::uint64_t n) {
    return (n + kDivisions * (kVector - 1)) / kVector * sizeof(float4) + sizeof(float4);
  }

  /// Computes the histogram and the division points.
  void place_divisions(const float* keys, std::uint64_t n, float low, float high, PhaseTimer& phases) {
    const auto phase = phases.phase("histogram");
    auto* const counts = counts_.data<std::uint32_t>();
    check(cudaMemsetAsync(counts, 0, counts_.size(), stream_));
    count_bins<<<std::min(block_count(n), kHistogramBlocks), kThreads, 0, stream_>>>(keys, n, binning(low, high),
                                                                                     counts);
    check_launch();
    check(cudaMemcpyAsync(host_counts_.data(), counts, counts_.size(), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    const auto points = division_points(host_counts_.data(), n, low, high);
    std::ranges::copy(points, host_points_.data());
    host_points_[kDivisions - 1] = std::numeric_limits<float>::infinity();  // never read
    check(cudaMemcpyAsync(points_.data(), host_points_.data(), points_.size(), cudaMemcpyHostToDevice, stream_));
  }

  /// Counts each division, and assigns its position. Returns the total number of vectors. Throws KnownFailure if one is
  /// too full, before anything is moved.
  std::uint64_t locate_divisions(const float* keys, std::uint64_t n, PhaseTimer& phases) {
    const std::uint32_t blocks = block_count(n);
    {
      const auto phase = phases.phase("count");
      count_divisions<<<blocks, kThreads, 0, stream_>>>(keys, n, points_.data<float>(), places_.data<std::uint32_t>(),
                                                        block_counts_.data<std::uint32_t>());
      check_launch();
    }
    const auto phase = phases.phase("prefix");
    add_up_blocks<<<kDivisions / kThreads, kThreads, 0, stream_>>>(block_counts_.data<std::uint32_t>(), blocks,
                                                                   counts_.data<std::uint32_t>());
    check_launch();
    check(cudaMemcpyAsync(host_counts_.data(), counts_.data(), counts_.size(), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    std::uint32_t begin = 0, vector = 0;
    largest_ = 0;
    for (std::uint32_t i = 0; i < kDivisions; ++i) {
      const std::uint32_t size = host_counts_[i];
      if (size > capacity_) {
        throw KnownFailure("full_division", "division " + std::to_string(i) + " of 1024 holds " + std::to_string(size) +
                                                " of " + std::to_string(n) + " keys, and has room for " +
                                                std::to_string(capacity_));
      }
      const auto vectors = static_cast<std::uint32_t>(vector_count(size));
      host_divisions_[i] = {.vector = vector, .vectors = vectors, .begin = begin, .keys = size};
      begin += size;
      vector += vectors;
      largest_ = std::max(largest_, vectors);
    }
    check(
        cudaMemcpyAsync(divisions_.data(), host_divisions_.data(), divisions_.size(), cudaMemcpyHostToDevice, stream_));
    return vector;
  }

  /// Merges the divisions; returns the array that holds the result.
  int merge_divisions(PhaseTimer& phases) {
    int side = 0;
    for (int level = 0; level < levels(largest_); ++level, side = 1 - side) {
      const auto phase = phases.phase("merge", level);
      const std::uint64_t run = std::uint64_t{1} << level;
      const std::uint64_t threads_each = (largest_ + 2 * run - 1) / (2 * run);
      const std::uint64_t blocks = (kDivisions * threads_each + kMergeThreads - 1) / kMergeThreads;
      merge<<<static_cast<std::uint32_t>(blocks), kMergeThreads, 0, stream_>>>(
          padded_[side].data<const float4>(), divisions_.data<Division>(), run, threads_each,
          padded_[1 - side].data<float4>());
      check_launch();
    }
    return side;
  }

  cudaStream_t stream_;
  std::uint64_t capacity_;
  DeviceMemory padded_[2];
  DeviceMemory places_;
  DeviceMemory block_counts_;
  DeviceMemory counts_;
  DeviceMemory points_;
  DeviceMemory divisions_;
  PinnedArray<std::uint32_t> host_counts_;
  PinnedArray<float> host_points_;
  PinnedArray<Division> host_divisions_;
  Extremes<std::uint32_t> extremes_;
  std::uint32_t largest_ = 0;  ///< vectors of the largest division
};

}  // namespace

std::unique_ptr<Sorter> make_sintorn_hybrid_sort(const Problem& problem, const Parameters& parameters,
                                                 const Resources& resources) {
  return std::make_unique<HybridSorter>(problem, static_cast<std::uint64_t>(parameters.integer("room")), resources);
}

}  // namespace sortlab
