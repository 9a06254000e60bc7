// Lists a level's buckets: those to be sorted by one block each, copied, or split by the next level.
#pragma once

#include "algorithms/leischner_sample_sort/level.cuh"

namespace sortlab::sample_sort {

inline constexpr std::uint32_t kClasses = kMergeThreads.size();  ///< number of size classes of buckets

/// Summary of a level that the host reads back.
struct State {
  std::uint32_t buckets[kClasses];  ///< buckets of at most M elements, listed since they were last sorted
  std::uint32_t equal;              ///< buckets of equal keys at this level
  std::uint32_t segments;           ///< segments of the next level
  std::uint32_t tiles;              ///< tiles of these segments
  std::uint64_t counters;
  std::uint64_t ways;  ///< total ways of these segments
};

/// A bucket; its elements are sorted from either array into the first.
struct Bucket {
  std::uint64_t first;
  std::uint32_t count;
  std::uint32_t second;  ///< 1 if its elements are in the second array
};
struct Range {
  std::uint64_t first;
  std::uint64_t count;
};

struct Lists {
  State* state;
  Bucket* buckets[kClasses];
  std::uint32_t class_ends[kClasses];  ///< capacity of each size class
  Range* equal;
  Range* larger;             ///< segments of the next level
  std::uint64_t max_bucket;  ///< M
};

/// Reserves the next position of a list for each thread of a warp that `adds`; called by the whole warp.
__device__ inline std::uint32_t append(std::uint32_t* length, bool adds) {
  const unsigned those = __ballot_sync(~0u, adds), lane = threadIdx.x % kWarp;
  std::uint32_t first = 0;
  if (those != 0 && lane == 0) first = atomicAdd(length, static_cast<std::uint32_t>(__popc(those)));
  return __shfl_sync(~0u, first, 0) + static_cast<std::uint32_t>(__popc(those & ((1u << lane) - 1)));
}

/// Lists a range of the second array (`second`) or the first; called by the whole warp.
__device__ inline void list_range(const Lists& lists, const Range& range, bool equal, bool second) {
  const bool larger = range.count > lists.max_bucket && !equal;
  const std::uint32_t in_larger = append(&lists.state->segments, larger);
  if (larger) lists.larger[in_larger] = range;
  // Equal keys are already in order; they are copied only if not in the result's array.
  const bool copied = equal && second && range.count > 0;
  const std::uint32_t in_equal = append(&lists.state->equal, copied);
  if (copied) lists.equal[in_equal] = range;
  std::uint32_t begin = 0;
  for (std::uint32_t c = 0; c < kClasses; ++c) {
    const std::uint32_t end = lists.class_ends[c];
    const bool sorted = !larger && !equal && range.count > begin && range.count <= end;
    if (end > begin) {
      const std::uint32_t at = append(lists.state->buckets + c, sorted);
      if (sorted) {
        lists.buckets[c][at] = {
            .first = range.first, .count = static_cast<std::uint32_t>(range.count), .second = second ? 1u : 0u};
      }
    }
    begin = end;
  }
}

/// Lists the whole input as one range, before the first level.
void list_input(const Lists& lists, std::uint64_t n, cudaStream_t stream);

/// Lists a segment's buckets, one block per segment. `second`: true if the level wrote to the second array.
template <class Word>
__global__ void __launch_bounds__(kListThreads) list_buckets(Split<Word> split, Lists lists, bool second) {
  const Segment segment = split.segments[blockIdx.x];
  const Word* const splitters = split.splitters + segment.splitters;
  const std::uint32_t ways = segment.ways();
  for (std::uint32_t first = 0; first < ways; first += blockDim.x) {
    const std::uint32_t bucket = first + threadIdx.x;
    Range range{.first = 0, .count = 0};
    bool equal = false;
    if (bucket < ways) {
      const std::uint64_t counters = std::uint64_t{segment.tiles} * split.kept;  // counters per bucket
      const std::uint64_t place = split.counters.load(segment.counters + bucket * counters);
      range = {.first = segment.first + place - segment.before,
               .count = split.counters.load(segment.counters + (bucket + 1) * counters) - place};
      equal = bucket > 0 && bucket + 1 < ways && splitters[bucket - 1] == splitters[bucket];
    }
    list_range(lists, range, equal, second);
  }
}

/// Assigns to the listed segments their parts of the next level's arrays.
void lay_out(const Lists& lists, const Settings& settings, Segment* segments, cudaStream_t stream);

/// Records each tile's segment.
void note_tiles(const Segment* segments, std::uint32_t count, std::uint32_t* segment_of_tile, cudaStream_t stream);

/// Turns `count` counters into offsets.
void scan_counters(const Counters& counters, std::uint64_t count, void* scratch, std::size_t scratch_bytes,
                   cudaStream_t stream);
/// Scratch memory of scan_counters for at most `count` counters, in bytes.
std::size_t scan_bytes(bool wide, std::uint64_t count);

/// Orders buckets by size, the largest first; returns the array that then holds them, `buckets` or `other`.
Bucket* order_by_size(Bucket* buckets, Bucket* other, std::uint32_t* sizes, std::uint32_t* other_sizes,
                      std::uint32_t count, void* scratch, std::size_t scratch_bytes, cudaStream_t stream);
std::size_t order_bytes(std::uint64_t count);

}  // namespace sortlab::sample_sort
