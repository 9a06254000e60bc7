// Brings into order keys that are nearly so, in a block's shared memory: by insertion, a thread a few, or, keys alone,
// by comparing neighbours in registers, a warp its own.
#pragma once

#include "algorithms/msd_radix_gpu/bucket_stage.cuh"

namespace sortlab::msd_gpu {

/// Sorts the stage's elements in [begin, end) by insertion, by one thread.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ void sort_by_insertion(const BucketStage<Word, V, kThreadsOf, kItems>& stage, std::uint32_t begin,
                                  std::uint32_t end) {
  if (end - begin < 2) return;
  Word last = stage.keys[begin];
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    const Word key = stage.keys[i];
    if (key >= last) {
      last = key;
      continue;
    }
    V value;
    if constexpr (kHasValue<V>) value = stage.values[i];
    std::uint32_t to = i;
    do {
      stage.keys[to] = stage.keys[to - 1];
      if constexpr (kHasValue<V>) stage.values[to] = stage.values[to - 1];
      --to;
    } while (to > begin && stage.keys[to - 1] > key);
    stage.keys[to] = key;
    if constexpr (kHasValue<V>) stage.values[to] = value;
  }
}

/// Keys of a warp, some of which each lane holds in a row: an odd number, so that lanes side by side read and write in
/// different banks.
template <class Word, int kOfLane>
struct WarpKeys {
  static_assert(kOfLane % 2 == 1);
  static constexpr std::uint32_t kMost = kWarp * kOfLane;
  Word keys[kOfLane];

  /// Compares neighbours, each pair once (odd-even transposition).
  __device__ void compare_neighbours() {
#pragma unroll
    for (int k = 0; k + 1 < kOfLane; k += 2) compare(k);
#pragma unroll
    for (int k = 1; k + 1 < kOfLane; k += 2) compare(k);
    constexpr int kLast = kOfLane - 1;
    const std::uint32_t lane = threadIdx.x % kWarp;
    const Word next = key_of_lane(keys[0], 1), previous = key_of_lane(keys[kLast], -1);
    if (lane + 1 < kWarp && next < keys[kLast]) keys[kLast] = next;
    if (lane > 0 && keys[0] < previous) keys[0] = previous;
  }
  __device__ bool is_sorted() const {
    bool sorted = key_of_lane(keys[0], 1) >= keys[kOfLane - 1] || threadIdx.x % kWarp + 1 == kWarp;
#pragma unroll
    for (int k = 0; k + 1 < kOfLane; ++k) sorted = sorted && keys[k] <= keys[k + 1];
    return __all_sync(kAllLanes, sorted) != 0;
  }

 private:
  __device__ void compare(int k) {
    const Word first = keys[k], second = keys[k + 1];
    keys[k] = second < first ? second : first;
    keys[k + 1] = second < first ? first : second;
  }
  /// Of the lane after or before, if there is one.
  __device__ static Word key_of_lane(Word key, int from_own) {
    const auto of_lane = [&](auto word) {
      return from_own > 0 ? __shfl_down_sync(kAllLanes, word, 1) : __shfl_up_sync(kAllLanes, word, 1);
    };
    if constexpr (sizeof(Word) <= 8) {
      return of_lane(key);
    } else {
      return static_cast<Word>(of_lane(half_of(key, 1))) << 64 | of_lane(half_of(key, 0));
    }
  }
};

/// Sorts the stage's keys in [begin, end), which lie in bins of at most `most`, by a warp in registers. False where its
/// lanes cannot hold them.
template <class Word, class V, int kThreadsOf, int kItems>
__device__ bool sort_in_lanes(const BucketStage<Word, V, kThreadsOf, kItems>& stage, std::uint32_t begin,
                              std::uint32_t end, std::uint32_t most) {
  constexpr int kOfLane = (kItems + 2) | 1;
  WarpKeys<Word, kOfLane> warp;
  if (end - begin > warp.kMost) return false;
  if (most < 2) return true;
  const std::uint32_t own = begin + threadIdx.x % kWarp * kOfLane;
  const int have = static_cast<int>(end) - static_cast<int>(own);
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    warp.keys[k] = k < have ? stage.keys[own + k] : static_cast<Word>(~Word{0});  // stays behind all others
  }
  for (std::uint32_t passes = most / 2; passes > 1; --passes) warp.compare_neighbours();
  do {
    warp.compare_neighbours();
  } while (!warp.is_sorted());
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    if (k < have) stage.keys[own + k] = warp.keys[k];
  }
  return true;
}

}  // namespace sortlab::msd_gpu
