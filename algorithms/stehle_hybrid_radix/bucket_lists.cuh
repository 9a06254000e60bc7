// From a pass's histograms, determines the offset of each sub-bucket, which of them are sorted locally and which are
// partitioned by the next pass. One block per bucket, with a number of launches independent of the input (section 4.2).
#pragma once

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// Lists n keys as one bucket: to be partitioned, or sorted locally if few.
template <class Offset>
__global__ void list_input(Tables<Offset> tables, ClassEnds classes, std::uint64_t n, std::uint32_t local_keys,
                           std::uint32_t block_keys) {
  PassState& state = tables.states[0];
  const bool local = n <= local_keys;
  const auto blocks = static_cast<std::uint32_t>((n + block_keys - 1) / block_keys);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    if (local) {
      tables.local[0] = {0, static_cast<std::uint32_t>(n), 1U << 16};
      state.local[classes.of(static_cast<std::uint32_t>(n))] = 1;
      state.local_keys = n;
    } else {
      state.buckets = 1;
      state.blocks = blocks;
      state.keys = n;
    }
  }
  if (local) return;
  for (std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x; b < blocks; b += gridDim.x * blockDim.x) {
    const std::uint64_t first = std::uint64_t{b} * block_keys;
    tables.blocks[0][b] = {static_cast<Offset>(first),
                           static_cast<std::uint32_t>(min(std::uint64_t{block_keys}, n - first)), 0, 0};
  }
}

/// Sets the histograms of a pass's buckets to 0.
template <class Offset>
__global__ void clear_histograms(Tables<Offset> tables, int pass, std::uint32_t digits) {
  const std::uint64_t counts = std::uint64_t{tables.states[pass].buckets} * digits;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < counts;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    tables.bucket_counts[i] = 0;
  }
}

/// Neighbouring sub-buckets of one bucket that are merged, and their digits.
struct Group {
  std::uint32_t first;  ///< digit that has keys
  std::uint32_t end;    ///< one past the last digit that has keys
};

/// Division of a bucket into groups: neighbouring sub-buckets are merged while they have fewer keys than the merge
/// threshold together (R3). In shared memory.
template <class Offset>
class Groups {
 public:
  Offset ends[kListThreads + 1];  ///< end of sub-bucket i at i + 1; begin of the bucket at 0

  /// Returns the group that begins with this thread's sub-bucket, or an empty one if none does. Reads ends[]; called by
  /// all threads.
  __device__ Group thread_group(std::uint32_t digits, std::uint32_t merge_keys) {
    const std::uint32_t i = threadIdx.x;
    const std::uint32_t end = i < digits ? group_end(i, digits, merge_keys) : digits;
    const bool leads = merge_keys == 0 ? i < digits : is_reached(end, digits);
    if (!leads || ends[i] == ends[end]) return {0, 0};
    return {last_equal(i, end - 1, ends[i]), first_equal(i + 1, end, ends[end])};
  }
  __device__ Offset keys(Group group) const { return ends[group.end] - ends[group.first]; }

 private:
  /// End of the group that begins with sub-bucket `i`: as many neighbours as the threshold allows, at least one.
  __device__ std::uint32_t group_end(std::uint32_t i, std::uint32_t digits, std::uint32_t merge_keys) const {
    std::uint32_t low = i + 1, high = digits;
    while (low < high) {
      const std::uint32_t middle = (low + high + 1) / 2;
      if (ends[middle] - ends[i] < merge_keys) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
  /// True if this thread's sub-bucket begins a group. Pointer jumping from 0: after round k all group begins within
  /// fewer than 2^k steps are marked, and next_[] takes 2^k steps at once.
  __device__ bool is_reached(std::uint32_t end, std::uint32_t digits) {
    const std::uint32_t i = threadIdx.x;
    next_[i] = static_cast<std::uint16_t>(end);
    reached_[i] = i == 0;
    __syncthreads();
    for (std::uint32_t steps = 1; steps < digits; steps *= 2) {
      const std::uint32_t next = next_[i];
      const bool reached = reached_[i];
      const std::uint32_t beyond = next < digits ? next_[next] : digits;
      __syncthreads();
      if (reached && next < digits) reached_[next] = true;
      next_[i] = static_cast<std::uint16_t>(beyond);
      __syncthreads();
    }
    return i < digits && reached_[i];
  }
  /// The last index in [low, high] at which ends[] equals `value`, its value at `low`.
  __device__ std::uint32_t last_equal(std::uint32_t low, std::uint32_t high, Offset value) const {
    while (low < high) {
      const std::uint32_t middle = (low + high + 1) / 2;
      if (ends[middle] == value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
  /// The first index in [low, high] at which ends[] equals `value`, its value at `high`.
  __device__ std::uint32_t first_equal(std::uint32_t low, std::uint32_t high, Offset value) const {
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (ends[middle] == value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  std::uint16_t next_[kListThreads];
  bool reached_[kListThreads];
};

/// Calls `work(block, row)` for each bucket, with its first block and its row of bucket_counts.
template <class Word, class V, class Offset, class Work>
__device__ void for_each_bucket(const Pass<Word, V, Offset>& pass, const Work& work) {
  const auto is_first = [&](std::uint32_t b) { return pass.blocks()[b].keys == pass.blocks()[b].bucket_keys; };
  for_each_wanted(pass.state().blocks, is_first, [&](std::uint32_t b) {
    const BlockAssignment<Offset> block = pass.blocks()[b];
    work(block, pass.tables.bucket_counts + std::uint64_t{block.bucket} * pass.digits());
  });
}

/// Turns each bucket's histogram into the ends of its sub-buckets by a prefix sum, and counts the locally sorted ones
/// by size class.
template <class Word, class V, class Offset>
__global__ void __launch_bounds__(kListThreads) sum_histograms(Pass<Word, V, Offset> pass, Rules rules) {
  __shared__ Groups<Offset> groups;
  __shared__ Offset warps[kListThreads / kWarp];
  __shared__ std::uint32_t local[kMaxClasses];
  const std::uint32_t d = threadIdx.x;
  if (d < kMaxClasses) local[d] = 0;
  for_each_bucket(pass, [&](const BlockAssignment<Offset>& block, Offset* row) {
    const Offset count = d < pass.digits() ? row[d] : 0;
    Offset all;
    const Offset end = block.bucket_keys + exclusive_sum(count, all, warps) + count;
    groups.ends[d + 1] = end;
    if (d == 0) groups.ends[0] = block.bucket_keys;
    if (d < pass.digits()) row[d] = end;
    __syncthreads();
    if (!rules.list) return;
    const Group group = groups.thread_group(pass.digits(), rules.merge_keys);
    const Offset keys = groups.keys(group);
    if (keys > 0 && keys <= rules.local_keys) {
      atomicAdd(local + rules.classes.of(static_cast<std::uint32_t>(keys)), 1U);
    }
  });
  __syncthreads();
  if (d < kMaxClasses && local[d] > 0) atomicAdd(pass.state().local + d, local[d]);
}

/// Frequency with which two keys of a bucket, or of its groups, share their digit: sums of squares of the sub-buckets'
/// sizes.
struct SharedDigits {
  double squares[kListThreads + 1];  ///< exclusive prefix sum over the sub-buckets

  /// Expected comparisons per key of a ranked local sort of a group's `keys`. The sort bins them by as many bits as
  /// count `max_keys`. Bits below the pass's digit, about which nothing is known yet, are assumed to collide as often
  /// as the bucket's digit, which has `bits` bits and `bucket_keys` keys.
  __device__ float comparisons(Group group, double keys, double bucket_keys, std::uint32_t digits, int bits,
                               std::uint32_t max_keys) const {
    const int known = 32 - __clz(group.end - group.first - 1);
    const float below = static_cast<float>(max(0, 31 - __clz(max_keys) - known)) / static_cast<float>(bits);
    const float shared = log2f(static_cast<float>(squares[digits] / (bucket_keys * bucket_keys)));
    return static_cast<float>((squares[group.end] - squares[group.first]) / keys) * exp2f(shared * below);
  }
};

/// Lists each sub-bucket: under its class if it is sorted locally, else with its blocks for the next pass.
template <class Word, class V, class Offset>
__global__ void __launch_bounds__(kListThreads) list_buckets(Pass<Word, V, Offset> pass, Rules rules) {
  struct NextBucket {
    Offset keys;
    Offset count;
    std::uint32_t bucket;
    std::uint32_t first_block;
  };
  __shared__ Groups<Offset> groups;
  __shared__ SharedDigits shared;
  __shared__ double warps[kListThreads / kWarp];
  __shared__ std::uint32_t begin[kMaxClasses];  ///< begin of each class's list
  __shared__ std::uint32_t count[kMaxClasses];  ///< number of this bucket's groups per class
  __shared__ std::uint32_t place[kMaxClasses];  ///< position of the first of them in the list
  __shared__ NextBucket next[kListThreads];
  __shared__ std::uint32_t next_count;
  const std::uint32_t d = threadIdx.x;
  if (d < kMaxClasses) {
    begin[d] = 0;
    for (std::uint32_t c = 0; c < d; ++c) begin[d] += pass.state().local[c];
  }
  for_each_bucket(pass, [&](const BlockAssignment<Offset>& block, const Offset* row) {
    if (d < pass.digits()) groups.ends[d + 1] = row[d];
    if (d == 0) {
      groups.ends[0] = block.bucket_keys;
      next_count = 0;
    }
    if (d < kMaxClasses) count[d] = 0;
    __syncthreads();
    if (rules.ranked) {
      const double size = d < pass.digits() ? static_cast<double>(groups.ends[d + 1] - groups.ends[d]) : 0;
      double all;
      const double before = exclusive_sum(size * size, all, warps);
      shared.squares[d] = before;
      if (d + 1 == kListThreads) shared.squares[kListThreads] = all;
      __syncthreads();
    }
    const Group group = groups.thread_group(pass.digits(), rules.merge_keys);
    const Offset keys = groups.keys(group);
    const Offset begins = groups.ends[group.first];
    const bool local = keys > 0 && keys <= rules.local_keys;
    const int c = local ? rules.classes.of(static_cast<std::uint32_t>(keys)) : 0;
    const std::uint32_t rank = local ? atomicAdd(count + c, 1U) : 0;
    bool leave = false;
    if (local) {
      if (rules.ranked) {
        const auto bucket_keys = static_cast<double>(groups.ends[pass.digits()] - groups.ends[0]);
        const int bits_left = group.end - group.first == 1 ? pass.shift : pass.shift + pass.bits;
        leave = shared.comparisons(group, static_cast<double>(keys), bucket_keys, pass.digits(), pass.bits,
                                   rules.classes.keys[c]) > max_comparisons(bits_left);
        if (leave) atomicAdd(&pass.state().left, 1U);
      }
      atomicAdd(&pass.state().local_keys, static_cast<unsigned long long>(keys));
      if (group.end - group.first > 1) atomicAdd(&pass.state().merged, 1U);
    } else if (keys > 0) {
      const auto blocks = static_cast<std::uint32_t>((keys + pass.block_keys - 1) / pass.block_keys);
      next[atomicAdd(&next_count, 1U)] = {begins, keys, atomicAdd(&pass.next().buckets, 1U),
                                          atomicAdd(&pass.next().blocks, blocks)};
      atomicAdd(&pass.next().keys, static_cast<unsigned long long>(keys));
    }
    __syncthreads();
    if (d < kMaxClasses && count[d] > 0) place[d] = begin[d] + atomicAdd(pass.state().listed + d, count[d]);
    __syncthreads();
    if (local) {
      pass.tables.local[place[c] + rank] = {
          begins, static_cast<std::uint32_t>(keys),
          group.first | (group.end - group.first) << 16 | (leave ? LocalBucket<Offset>::kLeft : 0)};
    }
    for (std::uint32_t i = 0; i < next_count; ++i) {
      const NextBucket& bucket = next[i];
      const auto blocks = static_cast<std::uint32_t>((bucket.count + pass.block_keys - 1) / pass.block_keys);
      for (std::uint32_t b = d; b < blocks; b += kListThreads) {
        const Offset first = Offset{b} * pass.block_keys;
        const Offset left = bucket.count - first;
        pass.next_blocks()[bucket.first_block + b] = {
            bucket.keys + first, left < pass.block_keys ? static_cast<std::uint32_t>(left) : pass.block_keys,
            bucket.bucket, bucket.keys};
      }
    }
    __syncthreads();
  });
}

}  // namespace sortlab::hybrid_radix
