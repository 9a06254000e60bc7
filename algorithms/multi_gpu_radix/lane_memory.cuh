// Memory of one lane, on its device, and what the host shares with it.
#pragma once

#include <memory>

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/multi_gpu_radix/border.cuh"
#include "core/cuda/device_memory.hpp"
#include "core/cuda/on_device.hpp"
#include "core/cuda/stream.hpp"

namespace sortlab::multi_gpu {

/// Marks a point of a stream, for which other streams wait.
class Mark {
 public:
  Mark() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  ~Mark() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream)); }
  void hold_back(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Plan of a lane, which the host sends once the splitters are known.
struct LanePlan {
  Sends sends;
  KeyBucket received[kMaxBuckets];  ///< buckets that the lane receives, or its part of them
};

template <class Word, class V>
struct LaneMemory {
  Lane lane;
  std::uint64_t count;     ///< elements of its shard of the input
  std::uint64_t received;  ///< elements of its shard of the result
  DeviceMemory keys;       ///< receives; or holds the partitioned elements until they are copied
  DeviceMemory values;
  DeviceMemory spare_keys;  ///< second array, if that of the input is too small for the result
  DeviceMemory spare_values;
  DeviceMemory border_keys;  ///< receives the bucket around the cut at the end of the lane's shard
  DeviceMemory border_values;
  DeviceMemory counts;
  DeviceMemory places;  ///< positions of the runs of a stable partition
  DeviceMemory plan;
  Shared<unsigned long long[kCounters]> counts_here;
  Shared<LanePlan> plan_here;
  Mark begun;        ///< its input is there, and its memory free
  Mark partitioned;  ///< its elements can be copied from where they are
  Mark sent;         ///< its elements are where they belong, but for borders
  Stream beside;     ///< for copies within the device, beside those to others
  Mark beside_done;
  Mark divided;  ///< its border is divided
  DeviceMemory top_counts;
  DeviceMemory rows;                        ///< counts of the keys that the lane receives, by digit and next digit
  std::unique_ptr<TopCounter> top_counter;  ///< null: the rows are not known
  std::unique_ptr<BucketSorter> sorter;
  unsigned count_blocks;
  unsigned exchange_blocks;

  /// Allocates on the current device, which is the lane's.
  LaneMemory(const Problem& problem, const Lane& of_lane, std::uint64_t elements, std::uint64_t result_elements,
             bool has_border, const Settings& settings)
      : lane(of_lane), count(elements), received(result_elements) {
    constexpr std::uint64_t value_bytes = kValueBytes<V>;
    const std::uint64_t room = settings.transport == Transport::direct ? received : std::max(received, count);
    keys = DeviceMemory{room * sizeof(Word)};
    values = DeviceMemory{room * value_bytes};
    if (count < received) {
      spare_keys = DeviceMemory{received * sizeof(Word)};
      spare_values = DeviceMemory{received * value_bytes};
    }
    if (has_border) {
      border_keys = DeviceMemory{std::min(problem.n, kMaxBorderKeys) * sizeof(Word)};
      border_values = DeviceMemory{std::min(problem.n, kMaxBorderKeys) * value_bytes};
    }
    counts = DeviceMemory{sizeof(unsigned long long[kCounters])};
    plan = DeviceMemory{sizeof(LanePlan)};
    const Resources resources{.threads = 1, .cpus = {}, .stream = lane.stream};
    if (settings.transport == Transport::direct && !settings.stable) {
      top_counter = make_top_counter(problem.key, resources);
    }
    if (top_counter) {
      top_counts = DeviceMemory{sizeof(unsigned long long) << kTopCountBits};
      rows = DeviceMemory{top_counts.size()};
    }
    if (received == 0) return;
    Problem local = problem;
    local.residency = Residency::device;
    local.n = received;
    local.shards.clear();
    sorter = make_bucket_sorter(local, settings.stable, resources);
  }

  cudaStream_t stream() const { return static_cast<cudaStream_t>(lane.stream); }
  std::uint64_t bytes() const {
    return keys.size() + values.size() + spare_keys.size() + spare_values.size() + border_keys.size() +
           border_values.size() + counts.size() + places.size() + top_counts.size() + rows.size() + plan.size() +
           (sorter ? sorter->scratch_bytes() : 0) + (top_counter ? top_counter->scratch_bytes() : 0);
  }
  Arrays<Word, V> border() const { return {border_keys.data<Word>(), border_values.data<V>()}; }
  /// The lane's own arrays, for its shard of the result.
  Buffers own() const {
    return {.keys = {.data = keys.data(), .count = received},
            .values = {.data = values.data(), .count = kHasValue<V> ? received : 0}};
  }
  /// The input's arrays for the same, or others if these are too small.
  Buffers second(const Buffers& input) const {
    if (count >= received) {
      return {.keys = {.data = input.keys.data, .count = received},
              .values = {.data = input.values.data, .count = kHasValue<V> ? received : 0}};
    }
    return {.keys = {.data = spare_keys.data(), .count = received},
            .values = {.data = spare_values.data(), .count = kHasValue<V> ? received : 0}};
  }
};

}  // namespace sortlab::multi_gpu
