// Host side of the sort: slices the ranges that are too large for a bucket, one after the other.
#include <limits>
#include <vector>

#include "algorithms/bbsort/kernels.cuh"
#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/pinned_memory.hpp"

namespace sortlab {
namespace {

using bbsort::Bucket;
using bbsort::kHasValue;
using bbsort::kThreads;
using bbsort::Slicing;

/// Elements still to be sorted, in the caller's arrays (side 0), which receive the result, or in the sort's own (side
/// 1).
struct Range {
  std::uint32_t begin;
  std::uint32_t count;
  int side;
};

template <class Word, class V>
class BucketSorter final : public Sorter {
 public:
  BucketSorter(const Problem& problem, KeyOrder<Word> order, std::uint32_t bucket, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        is_float_(is_float(problem.key)),
        bucket_(bucket),
        second_(problem),
        places_(problem.n * sizeof(std::uint32_t)),
        counts_(bbsort::slice_count(problem.n)),
        starts_(counts_.size()),
        buckets_(counts_.size()),
        device_counts_(counts_.bytes()),
        device_starts_(starts_.bytes()),
        device_buckets_(buckets_.bytes()) {}

  std::uint64_t scratch_bytes() const override {
    return second_.bytes() + places_.size() + device_counts_.size() + device_starts_.size() + device_buckets_.size() +
           extremes_.bytes();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count == 0) return data;
    sides_[0] = data;
    sides_[1] = second_.buffers();
    ranges_.clear();  // remainder of a sort that threw
    sort_range({0, static_cast<std::uint32_t>(data.keys.count), 0}, phases);
    if (ranges_.empty()) return data;
    const auto phase = phases.phase("recursion");
    PhaseTimer unreported;  // there may be many thousands of ranges
    while (!ranges_.empty()) {
      const Range range = ranges_.back();
      ranges_.pop_back();
      sort_range(range, unreported);
    }
    return data;
  }

 private:
  Word* keys(int side, std::uint32_t begin) const { return static_cast<Word*>(sides_[side].keys.data) + begin; }
  V* values(int side, std::uint32_t begin) const {
    return kHasValue<V> ? static_cast<V*>(sides_[side].values.data) + begin : nullptr;
  }

  void sort_range(const Range& range, PhaseTimer& phases) {
    if (range.count <= bucket_) {  // only the whole input: oversized slices are larger
      buckets_[0] = {0, range.count};
      sort_in_buckets(range, range.side, 1, phases);
      return;
    }
    MinMax<Word> found;
    {
      const auto phase = phases.phase("min and max");
      found = extremes_.find(keys(range.side, range.begin), range.count, order_, stream_);
    }
    if (found.min == found.max) {
      keep(range);
      return;
    }
    const Slicing<Word> slicing = bbsort::make_slicing(found, range.count, order_, is_float_);
    const std::uint32_t slices = slicing.last + 1;
    const auto blocks = static_cast<std::uint32_t>((std::uint64_t{range.count} + kThreads - 1) / kThreads);
    {
      const auto phase = phases.phase("count");
      auto* const counts = device_counts_.data<std::uint32_t>();
      check(cudaMemsetAsync(counts, 0, slices * sizeof(std::uint32_t), stream_));
      bbsort::count_slices<<<blocks, kThreads, 0, stream_>>>(static_cast<const Word*>(keys(range.side, range.begin)),
                                                             range.count, order_, slicing, counts,
                                                             places_.data<std::uint32_t>());
      check_launch();
    }
    std::uint32_t buckets = 0;
    {
      const auto phase = phases.phase("pack");
      buckets = pack(range, slices);
    }
    const int other = 1 - range.side;
    {
      const auto phase = phases.phase("scatter");
      bbsort::scatter<Word, V><<<blocks, kThreads, 0, stream_>>>(
          {keys(range.side, range.begin), values(range.side, range.begin), keys(other, range.begin),
           values(other, range.begin)},
          range.count, order_, slicing, device_starts_.data<std::uint32_t>(), places_.data<std::uint32_t>());
      check_launch();
    }
    if (buckets > 0) sort_in_buckets(range, other, buckets, phases);
  }

  /// Packs slices into buckets on the host. Records oversized slices, and returns the number of buckets.
  std::uint32_t pack(const Range& range, std::uint32_t slices) {
    check(cudaMemcpyAsync(counts_.data(), device_counts_.data(), slices * sizeof(std::uint32_t), cudaMemcpyDeviceToHost,
                          stream_));
    check(cudaStreamSynchronize(stream_));
    std::uint32_t buckets = 0;
    bbsort::pack(
        counts_.data(), slices, bucket_, [&](std::uint32_t slice, std::uint32_t at) { starts_[slice] = at; },
        [&](const Bucket& bucket) { buckets_[buckets++] = bucket; },
        [&](const Bucket& slice) {
          ranges_.push_back({range.begin + slice.begin, slice.count, 1 - range.side});
        });
    check(cudaMemcpyAsync(device_starts_.data(), starts_.data(), slices * sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                          stream_));
    return buckets;
  }

  /// Sorts the first `buckets` of buckets_, which are on `side`, into the result.
  void sort_in_buckets(const Range& range, int side, std::uint32_t buckets, PhaseTimer& phases) {
    const auto phase = phases.phase("sort buckets");
    check(cudaMemcpyAsync(device_buckets_.data(), buckets_.data(), buckets * sizeof(Bucket), cudaMemcpyHostToDevice,
                          stream_));
    const std::size_t bytes = bbsort::bucket_bytes<Word, V>(bucket_);
    bbsort::sort_buckets<Word, V><<<buckets, bbsort::bucket_threads(bucket_), bytes, stream_>>>(
        keys(side, range.begin), values(side, range.begin), device_buckets_.data<Bucket>(), order_, bucket_,
        keys(0, range.begin), values(0, range.begin));
    check_launch();
  }

  /// Copies a range of equal keys to its place, unchanged.
  void keep(const Range& range) {
    if (range.side == 0) return;
    check(cudaMemcpyAsync(keys(0, range.begin), keys(1, range.begin), range.count * sizeof(Word),
                          cudaMemcpyDeviceToDevice, stream_));
    if constexpr (kHasValue<V>) {
      check(cudaMemcpyAsync(values(0, range.begin), values(1, range.begin), range.count * sizeof(V),
                            cudaMemcpyDeviceToDevice, stream_));
    }
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  bool is_float_;
  std::uint32_t bucket_;
  DeviceBuffers second_;
  Extremes<Word> extremes_;
  DeviceMemory places_;  ///< position of each element in its slice
  PinnedArray<std::uint32_t> counts_;
  PinnedArray<std::uint32_t> starts_;
  PinnedArray<Bucket> buckets_;
  DeviceMemory device_counts_;
  DeviceMemory device_starts_;
  DeviceMemory device_buckets_;
  Buffers sides_[2];
  std::vector<Range> ranges_;  ///< oversized slices, still to be sorted
};

}  // namespace

std::unique_ptr<Sorter> make_bbsort(const Problem& problem, const Parameters& parameters, const Resources& resources) {
  const auto bucket = static_cast<std::uint32_t>(parameters.integer("bucket"));
  const auto with_word = [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return std::make_unique<BucketSorter<Word, V>>(problem, order, bucket, resources);
    });
  };
  if (byte_size(problem.key) == 4) return with_word(make_key_order<std::uint32_t>(problem.key));
  return with_word(make_key_order<std::uint64_t>(problem.key));
}

}  // namespace sortlab
