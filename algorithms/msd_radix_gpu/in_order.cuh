// Sorts nearly sorted keys in a block's shared memory: by insertion, each thread a few elements; or, for keys without
// values, by compare-exchange of neighbours in registers, one warp at a time.
#pragma once

#include "algorithms/msd_radix_gpu/bucket_stage.cuh"

namespace sortlab::msd_gpu {

/// Insertion sort of the stage's elements in [begin, end) by one thread.
template <class Word, class V, int kBlockThreads, int kItems>
__device__ void sort_by_insertion(const BucketStage<Word, V, kBlockThreads, kItems>& stage, std::uint32_t begin,
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

/// Keys of a warp, kPerLane consecutive ones per lane. The number is odd so that neighbouring lanes access different
/// banks.
template <class Word, int kPerLane>
struct WarpKeys {
  static_assert(kPerLane % 2 == 1);
  static constexpr std::uint32_t kCapacity = kWarp * kPerLane;
  Word keys[kPerLane];

  /// One step of odd-even transposition: compares each pair of neighbours once.
  __device__ void compare_neighbours() {
#pragma unroll
    for (int k = 0; k + 1 < kPerLane; k += 2) compare(k);
#pragma unroll
    for (int k = 1; k + 1 < kPerLane; k += 2) compare(k);
    constexpr int kLast = kPerLane - 1;
    const std::uint32_t lane = threadIdx.x % kWarp;
    const Word next = neighbour_key(keys[0], 1), previous = neighbour_key(keys[kLast], -1);
    if (lane + 1 < kWarp && next < keys[kLast]) keys[kLast] = next;
    if (lane > 0 && keys[0] < previous) keys[0] = previous;
  }
  __device__ bool is_sorted() const {
    bool sorted = neighbour_key(keys[0], 1) >= keys[kPerLane - 1] || threadIdx.x % kWarp + 1 == kWarp;
#pragma unroll
    for (int k = 0; k + 1 < kPerLane; ++k) sorted = sorted && keys[k] <= keys[k + 1];
    return __all_sync(kAllLanes, sorted) != 0;
  }

 private:
  __device__ void compare(int k) {
    const Word first = keys[k], second = keys[k + 1];
    keys[k] = second < first ? second : first;
    keys[k + 1] = second < first ? first : second;
  }
  /// Key of the next (direction > 0) or previous lane; undefined at the ends of the warp.
  __device__ static Word neighbour_key(Word key, int direction) {
    const auto shuffle = [&](auto word) {
      return direction > 0 ? __shfl_down_sync(kAllLanes, word, 1) : __shfl_up_sync(kAllLanes, word, 1);
    };
    if constexpr (sizeof(Word) <= 8) {
      return shuffle(key);
    } else {
      return static_cast<Word>(shuffle(word_half(key, 1))) << 64 | shuffle(word_half(key, 0));
    }
  }
};

/// Sorts the stage's keys in [begin, end) in the registers of a warp. They lie in bins of at most `largest_bin` keys.
/// Returns false if the lanes cannot hold them.
template <class Word, class V, int kBlockThreads, int kItems>
__device__ bool sort_in_lanes(const BucketStage<Word, V, kBlockThreads, kItems>& stage, std::uint32_t begin,
                              std::uint32_t end, std::uint32_t largest_bin) {
  constexpr int kPerLane = (kItems + 2) | 1;
  WarpKeys<Word, kPerLane> warp;
  if (end - begin > warp.kCapacity) return false;
  if (largest_bin < 2) return true;
  const std::uint32_t own = begin + threadIdx.x % kWarp * kPerLane;
  const int have = static_cast<int>(end) - static_cast<int>(own);
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) {
    warp.keys[k] = k < have ? stage.keys[own + k] : static_cast<Word>(~Word{0});  // padding sorts last
  }
  for (std::uint32_t passes = largest_bin / 2; passes > 1; --passes) warp.compare_neighbours();
  do {
    warp.compare_neighbours();
  } while (!warp.is_sorted());
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) {
    if (k < have) stage.keys[own + k] = warp.keys[k];
  }
  return true;
}

}  // namespace sortlab::msd_gpu
