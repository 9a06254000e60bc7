// The histogram of the top bits by itself.
#pragma once

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/msd_radix_gpu/count.cuh"
#include "algorithms/msd_radix_gpu/launch.cuh"

namespace sortlab::msd_gpu {

template <class Word>
class MsdTopCounter final : public TopCounter {
 public:
  static constexpr Top kTop{kDigitBits, kTopCountBits - kDigitBits, false};

  MsdTopCounter(KeyOrder<Word> order, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        state_(sizeof(State)),
        count_{count_top<Word, packed_counters(kTop)>, kTopThreads, kTopBytes} {}

  std::uint64_t scratch_bytes() const override { return state_.size(); }
  void count(const void* keys, std::uint64_t n, unsigned long long* counts) override {
    check(cudaMemsetAsync(state_.data(), 0, state_.size(), stream_));
    check(cudaMemsetAsync(counts, 0, sizeof(unsigned long long) << kTopCountBits, stream_));
    Lists lists{};
    lists.state = state_.data<State>();
    lists.top = counts;
    lists.n = ~std::uint64_t{0};  // the counters are not in pairs
    lists.top_levels = kTop;
    lists.counts_buckets = true;  // no sample decides whether to count
    if (n > 0) count_(stream_, static_cast<const Word*>(keys), n, order_, lists);
  }

 private:
  cudaStream_t stream_;
  KeyOrder<Word> order_;
  DeviceMemory state_;
  Launch<const Word*, std::uint64_t, KeyOrder<Word>, Lists> count_;
};

}  // namespace sortlab::msd_gpu
