// Partitions a lane's elements by bucket, each run straight to its place in the memory of the device that receives it.
// Per key, one atomic addition in shared memory counts the buckets, a second gives its rank in the run; per bucket, one
// in global memory reserves the run. Not stable.
#pragma once

#include "algorithms/multi_gpu_radix/targets.cuh"

namespace sortlab::multi_gpu {

/// Layout of a tile in a block's dynamic shared memory. A run begins at a place that is congruent to its address in the
/// target's memory, modulo kAlignment elements, so that a warp writes whole lines and not parts of two, which took
/// longer over NVLink. The gaps that this leaves hold keys of earlier tiles.
template <class Word, class V>
struct ExchangeStage {
  static constexpr int kItems = tile_items(sizeof(Word), kValueBytes<V>);
  static constexpr std::uint32_t kElements = kThreads * kItems;
  static constexpr std::uint32_t kAlignment = run_alignment(sizeof(Word), kValueBytes<V>);
  static constexpr std::uint32_t kPlaces = kElements + kMaxBuckets * (kAlignment - 1);

  /// Elements of one bucket that go to one target.
  struct Run {
    Word* keys;           ///< destination, less the begin in the stage
    std::uint32_t begin;  ///< in the stage
    std::uint32_t end;
  };

  Word keys[kPlaces];
  std::conditional_t<kHasValue<V>, V, Word> values[kHasValue<V> ? kPlaces : 1];
  Run runs[kMaxBuckets];
  V* values_to[kHasValue<V> ? kMaxBuckets : 1];  ///< destination of the values of each run, less its begin
  unsigned long long to[kMaxBuckets];            ///< position of each bucket's elements in the long array
  std::uint32_t ends[kMaxBuckets];               ///< ends of the buckets' elements in the stage
  std::uint32_t places[kMaxBuckets];             ///< number of keys, then the next free position in the stage
  std::uint32_t residues[kMaxBuckets];           ///< address behind each bucket's elements, modulo kAlignment elements
  std::uint8_t targets[kMaxBuckets];             ///< target of each bucket's first element
  std::uint32_t warps[kThreads / kWarp];
  std::uint32_t used;  ///< places that runs and gaps take
  std::uint32_t tile;
};

/// Reserves the next position of its bucket for each key of a warp. If many lanes have the bucket of lane 0, one lane
/// adds for all of them.
__device__ inline std::uint32_t reserve_place(std::uint32_t* places, std::uint32_t bucket, bool is_key) {
  constexpr int kMinAlike = 6;
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint32_t common = __shfl_sync(kAllLanesOfWarp, bucket, 0);
  const std::uint32_t lanes = __ballot_sync(kAllLanesOfWarp, is_key && bucket == common);
  if (__popc(lanes) < kMinAlike) return is_key ? atomicAdd(places + bucket, 1U) : 0;
  const int leader = __ffs(static_cast<int>(lanes)) - 1;
  std::uint32_t first = 0;
  if (static_cast<int>(lane) == leader) first = atomicAdd(places + common, static_cast<std::uint32_t>(__popc(lanes)));
  first = __shfl_sync(kAllLanesOfWarp, first, leader);
  if (!is_key) return 0;
  if (bucket == common) return first + static_cast<std::uint32_t>(__popc(lanes & ((1U << lane) - 1)));
  return atomicAdd(places + bucket, 1U);
}

/// Copies the targets to shared memory, since their subscripts are not known at compile time. Followed by a barrier.
template <class Word, class V>
__device__ void copy_targets(const Targets<Word, V>& from, Targets<Word, V>& to) {
  for (std::uint32_t t = threadIdx.x; t < Targets<Word, V>::kCount; t += kThreads) {
    to.keys[t] = from.keys[t];
    to.values[t] = from.values[t];
    to.end[t] = from.end[t];
  }
}

/// The target of the element at `at` in the long array: `target` or a later one.
template <class Word, class V>
__device__ std::uint32_t find_target(const Targets<Word, V>& targets, std::uint32_t target, unsigned long long at) {
  while (at >= targets.end[target]) ++target;
  return target;
}

/// Gives each bucket its places in the stage: a thread a bucket, with `mine` elements from `to` on in the long array.
/// Threads beyond the buckets have none. Followed by a barrier.
template <class Word, class V>
__device__ void place_runs(std::uint32_t buckets, std::uint32_t mine, unsigned long long to,
                           const Targets<Word, V>& targets, const Sends* sends, ExchangeStage<Word, V>& stage) {
  constexpr std::uint32_t kModulus = ExchangeStage<Word, V>::kAlignment - 1;
  const std::uint32_t thread = threadIdx.x;
  std::uint32_t target = 0, first = 0;
  if (mine > 0) {
    target = find_target(targets, sends->target[thread], to);
    first = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(targets.keys[target] + to) / sizeof(Word)) &
            kModulus;
  }
  if (thread < buckets) stage.residues[thread] = (first + mine) & kModulus;
  __syncthreads();
  const std::uint32_t before = thread > 0 && thread < buckets ? stage.residues[thread - 1] : 0;
  const std::uint32_t gap = thread < buckets ? (first - before) & kModulus : 0;
  const std::uint32_t begin = block_exclusive_sum(gap + mine, stage.warps) + gap;
  if (thread >= buckets) return;
  stage.places[thread] = begin;
  stage.ends[thread] = begin + mine;
  stage.to[thread] = to;
  stage.targets[thread] = static_cast<std::uint8_t>(target);
  if (thread == buckets - 1) stage.used = begin + mine;
  typename ExchangeStage<Word, V>::Run run{nullptr, begin, begin};
  if (mine > 0) {
    const unsigned long long fit = targets.end[target] - to;
    const auto offset = static_cast<long long>(to) - static_cast<long long>(begin);
    run.keys = targets.keys[target] + offset;
    run.end += fit < mine ? static_cast<std::uint32_t>(fit) : mine;
    if constexpr (kHasValue<V>) stage.values_to[thread] = targets.values[target] + offset;
  }
  stage.runs[thread] = run;
}

/// Writes the staged tile: each run to its target.
template <class Word, class V>
__device__ void write_runs(const BucketOf<Word>& bucket_of, const Targets<Word, V>& targets,
                           const ExchangeStage<Word, V>& stage) {
  const std::uint32_t used = stage.used;
#pragma unroll 4
  for (std::uint32_t place = threadIdx.x; place < used; place += kThreads) {
    const Word key = stage.keys[place];
    const std::uint32_t bucket = bucket_of(key);
    const auto run = stage.runs[bucket];
    if (place - run.begin < run.end - run.begin) {
      run.keys[place] = key;
      if constexpr (kHasValue<V>) stage.values_to[bucket][place] = stage.values[place];
    } else if (place >= run.end && place < stage.ends[bucket]) {  // equal keys that a cut divides; else a gap
      const unsigned long long at = stage.to[bucket] + (place - run.begin);
      const std::uint32_t target = find_target(targets, stage.targets[bucket], at);
      targets.keys[target][at] = key;
      if constexpr (kHasValue<V>) targets.values[target][at] = stage.values[place];
    }
  }
}

/// `kFull`: all places of the tile have an element.
template <bool kFull, class Word, class V>
__device__ void exchange_tile(const Word* keys_in, const V* values_in, std::uint32_t count,
                              const BucketOf<Word>& bucket_of, const Targets<Word, V>& targets, Sends* sends,
                              ExchangeStage<Word, V>& stage) {
  constexpr int kItems = ExchangeStage<Word, V>::kItems;
  const auto position = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreads; };
  const auto is_key = [&](int i) { return kFull || position(i) < count; };
  const std::uint32_t buckets = bucket_of.count(), thread = threadIdx.x;
  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_key(i)) keys[i] = keys_in[position(i)];
  }
  if (thread < buckets) stage.places[thread] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_key(i)) atomicAdd(stage.places + bucket_of(keys[i]), 1U);
  }
  __syncthreads();
  const std::uint32_t mine = thread < buckets ? stage.places[thread] : 0;
  unsigned long long to = 0;
  if (mine > 0) to = atomicAdd(sends->next + thread, static_cast<unsigned long long>(mine));
  place_runs(buckets, mine, to, targets, sends, stage);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t place = reserve_place(stage.places, is_key(i) ? bucket_of(keys[i]) : 0, is_key(i));
    if (!is_key(i)) continue;
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[position(i)];
  }
  __syncthreads();
  write_runs(bucket_of, targets, stage);
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, 2)
    exchange(const Word* keys, const V* values, std::uint64_t n, BucketOf<Word> bucket_of, Targets<Word, V> in_targets,
             Sends* sends) {
  extern __shared__ uint4 exchange_memory[];
  using Stage = ExchangeStage<Word, V>;
  auto& stage = *reinterpret_cast<Stage*>(exchange_memory);
  __shared__ Targets<Word, V> targets;
  copy_targets(in_targets, targets);
  const std::uint64_t tiles = (n + Stage::kElements - 1) / Stage::kElements;
  for (;;) {
    if (threadIdx.x == 0) stage.tile = atomicAdd(&sends->taken, 1U);
    __syncthreads();
    const std::uint64_t tile = stage.tile;
    if (tile >= tiles) break;
    const std::uint64_t begin = tile * Stage::kElements, rest = n - begin;
    const V* values_in = nullptr;
    if constexpr (kHasValue<V>) values_in = values + begin;
    if (rest >= Stage::kElements) {
      exchange_tile<true>(keys + begin, values_in, Stage::kElements, bucket_of, targets, sends, stage);
    } else {
      exchange_tile<false>(keys + begin, values_in, static_cast<std::uint32_t>(rest), bucket_of, targets, sends, stage);
    }
    __syncthreads();
  }
}

}  // namespace sortlab::multi_gpu
