#include "algorithms/leischner_sample_sort/lists.cuh"

#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace sortlab::sample_sort {
namespace {

__global__ void __launch_bounds__(kWarp) list_all(Lists lists, std::uint64_t n) {
  list_range(lists, {.first = 0, .count = threadIdx.x == 0 ? n : 0}, false, false);
}

/// Sizes of a segment's parts of a level's arrays.
struct Parts {
  std::uint64_t before, counters, ways;
  std::uint32_t tiles;
};
struct Sum {
  __device__ Parts operator()(const Parts& a, const Parts& b) const {
    return {a.before + b.before, a.counters + b.counters, a.ways + b.ways, a.tiles + b.tiles};
  }
};

__global__ void __launch_bounds__(256) take_sizes(const Bucket* buckets, std::uint32_t* sizes, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sizes[i] = buckets[i].count;
}

constexpr unsigned kLayoutThreads = 1024;
__global__ void __launch_bounds__(kLayoutThreads) lay_out_segments(Lists lists, Settings settings, Segment* segments) {
  using Scan = cub::BlockScan<Parts, kLayoutThreads>;
  __shared__ typename Scan::TempStorage storage;
  const std::uint32_t count = lists.state->segments;
  Parts all{};
  for (std::uint32_t first = 0; first < count; first += blockDim.x) {
    const std::uint32_t s = first + threadIdx.x;
    Parts mine{}, before{}, sum{};
    Range range{};
    std::uint32_t log = 0;
    if (s < count) {
      range = lists.larger[s];
      log = log_ways(settings, range.count);
      const std::uint64_t tiles = (range.count + settings.tile - 1) / settings.tile;
      mine = {.before = range.count,
              .counters = (tiles << log) * kept_counters(settings),
              .ways = std::uint64_t{1} << log,
              .tiles = static_cast<std::uint32_t>(tiles)};
    }
    Scan(storage).ExclusiveScan(mine, before, Parts{}, Sum{}, sum);
    __syncthreads();
    before = Sum{}(all, before);
    all = Sum{}(all, sum);
    if (s < count) {
      segments[s] = {.first = range.first,
                     .count = range.count,
                     .before = before.before,
                     .counters = before.counters,
                     .splitters = before.ways,
                     .tile = before.tiles,
                     .tiles = mine.tiles,
                     .log_ways = log,
                     .duplicates = 0};
    }
  }
  if (threadIdx.x == 0) {
    lists.state->tiles = all.tiles;
    lists.state->counters = all.counters;
    lists.state->ways = all.ways;
  }
}

__global__ void __launch_bounds__(kListThreads) note(const Segment* segments, std::uint32_t* segment_of_tile) {
  const Segment& segment = segments[blockIdx.x];
  for (std::uint32_t t = threadIdx.x; t < segment.tiles; t += blockDim.x) {
    segment_of_tile[segment.tile + t] = blockIdx.x;
  }
}

template <class T>
void scan(T* counters, std::uint64_t count, void* scratch, std::size_t bytes, cudaStream_t stream) {
  check(cub::DeviceScan::ExclusiveSum(scratch, bytes, counters, counters, count, stream));
}
template <class T>
std::size_t typed_scan_bytes(std::uint64_t count) {
  std::size_t bytes = 0;
  T* const none = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, count));
  return bytes;
}

}  // namespace

void list_input(const Lists& lists, std::uint64_t n, cudaStream_t stream) {
  list_all<<<1, kWarp, 0, stream>>>(lists, n);
  check_launch();
}

void lay_out(const Lists& lists, const Settings& settings, Segment* segments, cudaStream_t stream) {
  lay_out_segments<<<1, kLayoutThreads, 0, stream>>>(lists, settings, segments);
  check_launch();
}

void note_tiles(const Segment* segments, std::uint32_t count, std::uint32_t* segment_of_tile, cudaStream_t stream) {
  note<<<count, kListThreads, 0, stream>>>(segments, segment_of_tile);
  check_launch();
}

void scan_counters(const Counters& counters, std::uint64_t count, void* scratch, std::size_t scratch_bytes,
                   cudaStream_t stream) {
  if (counters.wide) {
    scan(static_cast<std::uint64_t*>(counters.data), count, scratch, scratch_bytes, stream);
  } else {
    scan(static_cast<std::uint32_t*>(counters.data), count, scratch, scratch_bytes, stream);
  }
}

std::size_t scan_bytes(bool wide, std::uint64_t count) {
  return wide ? typed_scan_bytes<std::uint64_t>(count) : typed_scan_bytes<std::uint32_t>(count);
}

Bucket* order_by_size(Bucket* buckets, Bucket* other, std::uint32_t* sizes, std::uint32_t* other_sizes,
                      std::uint32_t count, void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  take_sizes<<<(count + 255) / 256, 256, 0, stream>>>(buckets, sizes, count);
  check_launch();
  check(cub::DeviceRadixSort::SortPairsDescending(scratch, scratch_bytes, sizes, other_sizes, buckets, other, count, 0,
                                                  21, stream));
  return other;
}

std::size_t order_bytes(std::uint64_t count) {
  std::size_t bytes = 0;
  std::uint32_t* const sizes = nullptr;
  Bucket* const buckets = nullptr;
  check(cub::DeviceRadixSort::SortPairsDescending(nullptr, bytes, sizes, sizes, buckets, buckets, count, 0, 21));
  return bytes;
}

}  // namespace sortlab::sample_sort
