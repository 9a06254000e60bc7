// Kernels of both phases, instantiated in one file per key width.
#pragma once

#include "algorithms/cederman_quicksort/quicksort.cuh"
#include "algorithms/common/cuda/bitonic_sort.cuh"

namespace sortlab::gpu_quicksort {

inline constexpr std::uint32_t kMaxWarps = kMaxThreads / 32;

/// Exclusive prefix sums over a block of two numbers per thread.
struct BlockScan {
  std::uint64_t less;  ///< sum over the preceding threads
  std::uint64_t greater;
  std::uint64_t total_less;
  std::uint64_t total_greater;
};

__device__ inline BlockScan scan_in_block(std::uint64_t less, std::uint64_t greater) {
  __shared__ std::uint64_t of_warp[2][kMaxWarps];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  std::uint64_t less_up_to = less, greater_up_to = greater;
  for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
    const std::uint64_t less_before = __shfl_up_sync(~0u, less_up_to, distance);
    const std::uint64_t greater_before = __shfl_up_sync(~0u, greater_up_to, distance);
    if (lane >= distance) {
      less_up_to += less_before;
      greater_up_to += greater_before;
    }
  }
  if (lane == 31) {
    of_warp[0][warp] = less_up_to;
    of_warp[1][warp] = greater_up_to;
  }
  __syncthreads();
  BlockScan scan{less_up_to - less, greater_up_to - greater, 0, 0};
  for (std::uint32_t i = 0; i < warps; ++i) {
    if (i == warp) {
      scan.less += scan.total_less;
      scan.greater += scan.total_greater;
    }
    scan.total_less += of_warp[0][i];
    scan.total_greater += of_warp[1][i];
  }
  __syncthreads();
  return scan;
}

/// Minimum and maximum key of a block, returned to all threads.
template <class Word>
__device__ void reduce_min_max(Word& smallest, Word& largest) {
  __shared__ Word minima[kMaxThreads], maxima[kMaxThreads];
  minima[threadIdx.x] = smallest;
  maxima[threadIdx.x] = largest;
  for (std::uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    if (minima[threadIdx.x + half] < minima[threadIdx.x]) minima[threadIdx.x] = minima[threadIdx.x + half];
    if (maxima[threadIdx.x + half] > maxima[threadIdx.x]) maxima[threadIdx.x] = maxima[threadIdx.x + half];
  }
  __syncthreads();
  smallest = minima[0];
  largest = maxima[0];
  __syncthreads();
}

/// This block's part of its sequence.
template <class Word>
struct BlockRange {
  std::uint64_t begin;
  std::uint64_t end;

  __device__ explicit BlockRange(const Sequence<Word>& sequence) {
    const std::uint32_t number = blockIdx.x - sequence.first_block;
    begin = sequence.begin + number * sequence.share;
    end = number + 1 == sequence.blocks ? sequence.end : begin + sequence.share;
  }
};

template <class Word>
__global__ void __launch_bounds__(kMaxThreads) count_kernel(const Word* keys, Level<Word> level) {
  const Sequence<Word> sequence = level.sequences[level.sequence_of_block[blockIdx.x]];
  const BlockRange<Word> range(sequence);
  std::uint32_t less = 0, greater = 0;
  Word smallest = ~Word{0}, largest = 0;
  for (std::uint64_t i = range.begin + threadIdx.x; i < range.end; i += blockDim.x) {
    const Word key = level.order.ordered(keys[i]);
    less += key < sequence.pivot ? 1 : 0;
    greater += key > sequence.pivot ? 1 : 0;
    smallest = key < smallest ? key : smallest;
    largest = key > largest ? key : largest;
  }
  const BlockScan scan = scan_in_block(less, greater);
  level.places[std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x] = {static_cast<std::uint32_t>(scan.less),
                                                                        static_cast<std::uint32_t>(scan.greater)};
  reduce_min_max(smallest, largest);
  if (threadIdx.x == 0) level.parts[blockIdx.x] = {scan.total_less, scan.total_greater, smallest, largest};
}

/// Each block scans one sequence: it finds the output windows of the blocks that partition the sequence, and its
/// totals.
template <class Word>
__global__ void __launch_bounds__(kMaxThreads) scan_kernel(Level<Word> level) {
  const Sequence<Word> sequence = level.sequences[blockIdx.x];
  std::uint64_t less = 0, greater = 0;
  Word smallest = ~Word{0}, largest = 0;
  for (std::uint32_t first = 0; first < sequence.blocks; first += blockDim.x) {
    const std::uint32_t number = first + threadIdx.x;
    Parts<Word>* const parts = level.parts + sequence.first_block + number;
    const bool has_one = number < sequence.blocks;
    if (has_one) {
      smallest = parts->smallest < smallest ? parts->smallest : smallest;
      largest = parts->largest > largest ? parts->largest : largest;
    }
    const BlockScan scan = scan_in_block(has_one ? parts->less : 0, has_one ? parts->greater : 0);
    if (has_one) {
      parts->less = less + scan.less;
      parts->greater = greater + scan.greater;
    }
    less += scan.total_less;
    greater += scan.total_greater;
  }
  reduce_min_max(smallest, largest);
  if (threadIdx.x == 0) level.totals[blockIdx.x] = {less, greater, smallest, largest};
}

/// Moves an element to its side of the gap; for an element equal to the pivot only the value, since the pivot is
/// written there later.
template <class Word, class V>
struct Mover {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
  KeyOrder<Word> order;
  Word pivot;
  std::uint64_t less;  ///< positions of the next element of each kind
  std::uint64_t equal;
  std::uint64_t greater;

  __device__ void move(std::uint64_t i) {
    const Word bits = keys[i], key = order.ordered(bits);
    if (key == pivot) {
      if constexpr (kHasValue<V>) values_out[equal++] = values[i];
      return;
    }
    const std::uint64_t to = key < pivot ? less++ : greater++;
    keys_out[to] = bits;
    if constexpr (kHasValue<V>) values_out[to] = values[i];
  }
};

/// Number of elements that the preceding threads of the block process, of `count` elements taken in turn.
__device__ inline std::uint64_t taken_before(std::uint64_t count) {
  const std::uint64_t rest = count % blockDim.x;
  return count / blockDim.x * threadIdx.x + (threadIdx.x < rest ? threadIdx.x : rest);
}

template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads) scatter_kernel(Arrays<Word, V> arrays, Level<Word> level) {
  const std::uint32_t number = level.sequence_of_block[blockIdx.x];
  const Sequence<Word> sequence = level.sequences[number];
  const BlockRange<Word> range(sequence);
  const Parts<Word> before = level.parts[blockIdx.x], all = level.totals[number];
  const Places places = level.places[std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x];
  const std::uint64_t less = before.less + places.less, greater = before.greater + places.greater;
  const std::uint64_t taken = range.begin - sequence.begin + taken_before(range.end - range.begin);
  Mover<Word, V> mover{.keys = arrays.keys[level.side],
                       .values = arrays.values[level.side],
                       .keys_out = arrays.keys[1 - level.side],
                       .values_out = arrays.values[1 - level.side],
                       .order = level.order,
                       .pivot = sequence.pivot,
                       .less = sequence.begin + less,
                       .equal = sequence.begin + all.less + (taken - less - greater),
                       .greater = sequence.end - all.greater + greater};
  for (std::uint64_t i = range.begin + threadIdx.x; i < range.end; i += blockDim.x) mover.move(i);
}

/// Writes the pivots to their final positions. When it runs, no block reads the level's keys any more.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads) fill_kernel(Arrays<Word, V> arrays, Level<Word> level) {
  const std::uint32_t number = level.sequence_of_block[blockIdx.x];
  const Sequence<Word> sequence = level.sequences[number];
  const Parts<Word> all = level.totals[number];
  const std::uint64_t end = sequence.end - all.greater, stride = std::uint64_t{sequence.blocks} * blockDim.x;
  const Word bits = level.order.restored(sequence.pivot);
  for (std::uint64_t i =
           sequence.begin + all.less + std::uint64_t{blockIdx.x - sequence.first_block} * blockDim.x + threadIdx.x;
       i < end; i += stride) {
    arrays.keys[0][i] = bits;
    if constexpr (kHasValue<V>) {
      if (level.side == 0) arrays.values[0][i] = arrays.values[1][i];
    }
  }
}

/// Sorts a part of at most `small` elements in shared memory, and writes it to its final position.
template <class Word, class V>
__device__ void sort_small(const Arrays<Word, V>& arrays, const Rest& part, const KeyOrder<Word>& order,
                           std::uint32_t small) {
  extern __shared__ uint4 shared[];
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const values = reinterpret_cast<V*>(keys + small_room(small));
  const auto count = static_cast<std::uint32_t>(part.end - part.begin);
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    keys[i] = order.ordered(arrays.keys[part.side][part.begin + i]);
    if constexpr (kHasValue<V>) values[i] = arrays.values[part.side][part.begin + i];
  }
  bitonic_sort(keys, values, count);
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    arrays.keys[0][part.begin + i] = order.restored(keys[i]);
    if constexpr (kHasValue<V>) arrays.values[0][part.begin + i] = values[i];
  }
}

/// Final positions of a part's pivots.
struct Gap {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Partitions a part by one block to the other side, except the keys equal to the pivot.
template <class Word, class V>
__device__ Gap partition_part(const Arrays<Word, V>& arrays, const Rest& part, const KeyOrder<Word>& order,
                              Word pivot) {
  const Word* const keys = arrays.keys[part.side];
  std::uint64_t less = 0, greater = 0;
  for (std::uint64_t i = part.begin + threadIdx.x; i < part.end; i += blockDim.x) {
    const Word key = order.ordered(keys[i]);
    less += key < pivot ? 1 : 0;
    greater += key > pivot ? 1 : 0;
  }
  const BlockScan scan = scan_in_block(less, greater);
  const Gap gap{part.begin + scan.total_less, part.end - scan.total_greater};
  const std::uint32_t other = 1 - part.side;
  Mover<Word, V> mover{.keys = keys,
                       .values = arrays.values[part.side],
                       .keys_out = arrays.keys[other],
                       .values_out = arrays.values[other],
                       .order = order,
                       .pivot = pivot,
                       .less = part.begin + scan.less,
                       .equal = gap.begin + (taken_before(part.end - part.begin) - scan.less - scan.greater),
                       .greater = gap.end + scan.greater};
  for (std::uint64_t i = part.begin + threadIdx.x; i < part.end; i += blockDim.x) mover.move(i);
  __syncthreads();  // the gap may overlap keys that other threads still read
  for (std::uint64_t i = gap.begin + threadIdx.x; i < gap.end; i += blockDim.x) {
    arrays.keys[0][i] = order.restored(pivot);
    if constexpr (kHasValue<V>) {
      if (other == 1) arrays.values[0][i] = arrays.values[1][i];
    }
  }
  return gap;
}

/// Midpoint of the minimum and the maximum of a part's first, middle and last key.
template <class Word>
__device__ Word choose_pivot(const Word* keys, const Rest& part, const KeyOrder<Word>& order) {
  const Word first = order.ordered(keys[part.begin]),
             middle = order.ordered(keys[part.begin + (part.end - part.begin) / 2]),
             last = order.ordered(keys[part.end - 1]);
  Word smallest = first < middle ? first : middle, largest = first < middle ? middle : first;
  smallest = last < smallest ? last : smallest;
  largest = last > largest ? last : largest;
  return midpoint(smallest, largest);
}

/// Phase two: one block sorts a sequence, with a stack of parts still to be sorted.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads)
    sort_kernel(Arrays<Word, V> arrays, const Rest* rests, KeyOrder<Word> order, std::uint32_t small) {
  __shared__ Rest stack[kStack];
  __shared__ std::uint32_t entries;
  if (threadIdx.x == 0) {
    stack[0] = rests[blockIdx.x];
    entries = 1;
  }
  while (true) {
    __syncthreads();
    const std::uint32_t top = entries;
    if (top == 0) return;
    const Rest part = stack[top - 1];
    __syncthreads();
    if (part.end - part.begin <= small) {
      sort_small(arrays, part, order, small);
      if (threadIdx.x == 0) entries = top - 1;
      continue;
    }
    const Word pivot = choose_pivot(static_cast<const Word*>(arrays.keys[part.side]), part, order);
    const Gap gap = partition_part(arrays, part, order, pivot);
    if (threadIdx.x == 0) {
      const Rest left{part.begin, gap.begin, 1 - part.side}, right{gap.end, part.end, 1 - part.side};
      const bool left_is_longer = left.end - left.begin > right.end - right.begin;
      const Rest longer = left_is_longer ? left : right, shorter = left_is_longer ? right : left;
      std::uint32_t next = top - 1;
      if (longer.begin < longer.end) stack[next++] = longer;
      if (shorter.begin < shorter.end) stack[next++] = shorter;
      entries = next;
    }
  }
}

template <class Word>
void count_parts(const Word* keys, const Level<Word>& level, cudaStream_t stream) {
  count_kernel<<<level.blocks, level.threads, 0, stream>>>(keys, level);
  check_launch();
}

template <class Word>
void scan_parts(const Level<Word>& level, cudaStream_t stream) {
  scan_kernel<<<level.count, level.threads, 0, stream>>>(level);
  check_launch();
}

template <class Word, class V>
void scatter_parts(const Arrays<Word, V>& arrays, const Level<Word>& level, cudaStream_t stream) {
  scatter_kernel<<<level.blocks, level.threads, 0, stream>>>(arrays, level);
  check_launch();
}

template <class Word, class V>
void fill_gaps(const Arrays<Word, V>& arrays, const Level<Word>& level, cudaStream_t stream) {
  fill_kernel<<<level.blocks, level.threads, 0, stream>>>(arrays, level);
  check_launch();
}

/// Shared memory of a block of phase two in bytes, besides its stack.
template <class Word, class V>
std::size_t small_bytes(const Shape& shape) {
  return small_room(shape.small) * (sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0));
}

template <class Word, class V>
void sort_sequences(const Arrays<Word, V>& arrays, const Rest* rests, std::uint32_t count, const KeyOrder<Word>& order,
                    const Shape& shape, cudaStream_t stream) {
  sort_kernel<<<count, shape.threads, small_bytes<Word, V>(shape), stream>>>(arrays, rests, order, shape.small);
  check_launch();
}

#define SORTLAB_INSTANTIATE_VALUE(Word, V)                                                                \
  template void scatter_parts(const Arrays<Word, V>&, const Level<Word>&, cudaStream_t);                  \
  template void fill_gaps(const Arrays<Word, V>&, const Level<Word>&, cudaStream_t);                      \
  template void sort_sequences(const Arrays<Word, V>&, const Rest*, std::uint32_t, const KeyOrder<Word>&, \
                               const Shape&, cudaStream_t)
#define SORTLAB_INSTANTIATE(Word)                                           \
  template void count_parts(const Word*, const Level<Word>&, cudaStream_t); \
  template void scan_parts(const Level<Word>&, cudaStream_t);               \
  SORTLAB_INSTANTIATE_VALUE(Word, NoValue);                                 \
  SORTLAB_INSTANTIATE_VALUE(Word, std::uint32_t);                           \
  SORTLAB_INSTANTIATE_VALUE(Word, std::uint64_t)

}  // namespace sortlab::gpu_quicksort
