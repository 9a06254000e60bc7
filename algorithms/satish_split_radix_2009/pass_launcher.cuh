// The four kernels of a pass, with their memory: a sort launches them in sequence, a component one of them.
#pragma once

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/satish_split_radix_2009/kernels.cuh"
#include "core/cuda/occupancy.hpp"
#include "core/parameters.hpp"

namespace sortlab::split_radix_2009 {

/// Sorts tiles from the input's arrays into a second set, and scatters them back run by run.
template <int kItems, class Word, class V>
class PassLauncher {
 public:
  PassLauncher(const Problem& problem, KeyOrder<Word> order, const Parameters& parameters, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        digits_(lsd_digits(sizeof(Word), static_cast<int>(parameters.integer("digit_bits")))),
        threads_(static_cast<std::uint32_t>(parameters.integer("threads"))),
        tiles_((problem.n + tile() - 1) / tile()),
        second_(problem),
        counters_(1 << digits_.digit_bits, tiles_),
        starts_(tiles_ * kStartBytes << digits_.digit_bits) {}

  std::uint64_t scratch_bytes() const { return second_.bytes() + counters_.bytes() + starts_.size(); }
  std::uint32_t tile() const { return threads_ * kItems; }
  int count() const { return digits_.passes(); }
  /// Digit of a pass.
  Digit<Word> digit(int pass) const { return {order_, digits_.shift(pass), digits_.bits(pass)}; }
  /// Arrays of the sorted tiles.
  const Buffers& second() const { return second_.buffers(); }

  void launch_sort_tiles(int pass, const Buffers& data) const {
    // Set for each launch, since sorters with other settings share the kernel.
    allow_shared_memory(sort_tiles<kItems, Word, V>, sort_bytes());
    sort_tiles<kItems, Word, V><<<blocks(), threads_, sort_bytes(), stream_>>>(
        keys(data), values(data), keys(second()), values(second()), data.keys.count, digit(pass));
    check_launch();
  }
  void launch_find_offsets(int pass, std::uint64_t n) const {
    find_offsets<Word><<<blocks(), threads_, find_offsets_bytes(digit(pass).count(), tile()), stream_>>>(
        keys(second()), n, kItems, digit(pass), starts_.data<std::uint16_t>(), counters_.counts());
    check_launch();
  }
  void launch_scan() const { counters_.scan(stream_); }
  /// Clears counts, offsets and starts.
  void clear_ranks() const {
    counters_.clear(stream_);
    check(cudaMemsetAsync(starts_.data(), 0, starts_.size(), stream_));
  }
  void launch_scatter(int pass, const Buffers& data) const {
    scatter_runs<Word, V><<<blocks(), threads_, scatter_runs_bytes(digit(pass).count()), stream_>>>(
        keys(second()), values(second()), keys(data), values(data), data.keys.count, kItems, digit(pass),
        {starts_.data<std::uint16_t>(), counters_.offsets()});
    check_launch();
  }

 private:
  static Word* keys(const Buffers& buffers) { return static_cast<Word*>(buffers.keys.data); }
  static V* values(const Buffers& buffers) { return static_cast<V*>(buffers.values.data); }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(tiles_); }
  std::uint32_t sort_bytes() const { return sort_tiles_bytes<kItems, Word, V>(threads_); }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  LsdDigits digits_;
  std::uint32_t threads_;
  std::uint64_t tiles_;
  DeviceBuffers second_;
  DigitCounters counters_;
  DeviceMemory starts_;
};

/// Calls `f.template operator()<kItems>()` with the elements per thread that the parameters name.
template <class F>
auto with_items(const Parameters& parameters, const F& f) {
  return dispatch<kCompiledItems>("items", static_cast<int>(parameters.integer("items")), f);
}

}  // namespace sortlab::split_radix_2009
