// Histograms of digits, and the bits in which keys differ at all.
#pragma once

#include "algorithms/msd_radix_gpu/splitters.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kTopBytes = kTopWords * 4;
static_assert(kTopBytes <= kMaxDynamicBytes);

/// Number of counters packed into one word.
constexpr int packed_counters(const Top& top) {
  return 1U << top.bits() > 2 * kTopWords ? 4 : 2;
}

/// Key range that the top-digit histogram covers: the keys, in sort order, that agree with `prefix` above the lowest
/// `bits` bits. A key below the range counts as the first digit, one above it as the last.
template <class Word>
struct TopRange {
  static constexpr int kWidth = 8 * sizeof(Word);
  Word prefix = 0;
  int bits = kWidth;

  static __device__ TopRange around(Word key, int bits) {
    if (bits >= kWidth) return {};
    return {static_cast<Word>(key >> bits << bits), bits};
  }
  __device__ bool is_all() const { return bits == kWidth; }
};

/// Digit of a key, given in sort order: the highest `digit_bits` bits of its position in the range, clamped to it.
template <class Word>
struct RangeDigit {
  Word prefix;
  int shift;
  std::uint32_t last;

  __device__ RangeDigit(const TopRange<Word>& range, int digit_bits)
      : prefix(range.prefix), shift(range.bits - digit_bits), last((1U << digit_bits) - 1) {}
  __device__ std::uint32_t operator()(Word key) const {
    const Word within = (key < prefix ? Word{0} : static_cast<Word>(key - prefix)) >> shift;
    return within < last ? static_cast<std::uint32_t>(within) : last;
  }
};

/// The range that the top-digit histogram used.
template <class Word>
__device__ TopRange<Word> counted_range(const State& state) {
  Word prefix = static_cast<Word>(state.prefix[0]);
  if constexpr (sizeof(Word) > 8) prefix |= static_cast<Word>(state.prefix[1]) << 64;
  return {prefix, static_cast<int>(state.range_bits)};
}
/// True if there are keys outside that range.
__device__ inline bool has_outliers(const State& state) {
  return bit_length(state.differ) > static_cast<int>(state.range_bits);
}

/// Number of loads that a thread keeps in flight.
template <class Word>
constexpr int loads_in_flight() {
  return sizeof(Word) == 4 ? 16 : sizeof(Word) == 8 ? 8 : 4;
}

/// Calls `visit(key)` for the keys in [begin, end), shared among all threads of the block; a thread has several loads
/// in flight.
template <class Word, class Visit>
__device__ void visit_keys(const Word* keys, std::uint64_t begin, std::uint64_t end, const Visit& visit) {
  constexpr int kAhead = loads_in_flight<Word>();
  std::uint64_t i = begin + threadIdx.x;
  for (; i + (kAhead - 1) * std::uint64_t{blockDim.x} < end; i += kAhead * std::uint64_t{blockDim.x}) {
    Word ahead[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) ahead[k] = keys[i + k * std::uint64_t{blockDim.x}];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) visit(ahead[k]);
  }
  if (i >= end) return;
  Word ahead[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    if (i + k * std::uint64_t{blockDim.x} < end) ahead[k] = keys[i + k * std::uint64_t{blockDim.x}];
  }
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    if (i + k * std::uint64_t{blockDim.x} < end) visit(ahead[k]);
  }
}

/// Counts the digits of `count` keys: one full batch of the block's loads if kFull, fewer otherwise.
template <bool kFull, class Word, class DigitOf, class Add>
__device__ void count_batch(const Word* keys, std::uint32_t count, const DigitOf& get_digit, const Add& add) {
  constexpr int kAhead = loads_in_flight<Word>();
  const auto is_key = [&](int k) { return kFull || static_cast<std::uint32_t>(k) * blockDim.x + threadIdx.x < count; };
  Word ahead[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    if (is_key(k)) ahead[k] = keys[static_cast<std::uint32_t>(k) * blockDim.x + threadIdx.x];
  }
  std::uint32_t hot = hot_digit(is_key(0) ? get_digit(ahead[0]) : 0, is_key(0));
  if (hot == kNoDigit) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (is_key(k)) add(get_digit(ahead[k]), 1U);
    }
    return;
  }
  std::uint32_t keys_of_hot = 0;
  const auto add_hot = [&] {
    if (threadIdx.x % kWarp == 0 && keys_of_hot != 0) add(hot, keys_of_hot);
  };
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    const std::uint32_t digit = is_key(k) ? get_digit(ahead[k]) : kNoDigit;
    std::uint32_t lanes = __ballot_sync(kAllLanes, digit == hot);
    if (lanes == 0) {  // happens in sorted inputs
      add_hot();
      keys_of_hot = 0;
      hot = __shfl_sync(kAllLanes, digit, 0);
      if (hot == kNoDigit) return;
      lanes = __ballot_sync(kAllLanes, digit == hot);
    }
    keys_of_hot += static_cast<std::uint32_t>(__popc(lanes));
    if (is_key(k) && digit != hot) add(digit, 1U);
  }
  add_hot();
}

/// Counts the digits of keys with all threads of the block, by `add(digit, keys)`. If many keys of a warp share a
/// digit, the warp adds once for all of them.
template <class Word, class DigitOf, class Add>
__device__ void count_digits(const Word* keys, std::uint64_t count, const DigitOf& get_digit, const Add& add) {
  const std::uint32_t batch = loads_in_flight<Word>() * blockDim.x;
  for (; count >= batch; count -= batch, keys += batch) count_batch<true>(keys, batch, get_digit, add);
  if (count > 0) count_batch<false>(keys, static_cast<std::uint32_t>(count), get_digit, add);
}

/// A block's histogram of the top bits in shared memory, kPacked counters per word.
template <std::uint32_t kPacked>
struct TopCounts {
  static constexpr std::uint32_t kBits = 32 / kPacked, kMaxCount = (1U << kBits) - 1;

  std::uint32_t* words;
  int word_bits;  ///< the lowest word_bits bits of a digit select its word

  __device__ std::uint32_t count() const { return 1U << word_bits; }
  __device__ void clear() const {
    for (std::uint32_t w = threadIdx.x; w < count(); w += blockDim.x) words[w] = 0;
    __syncthreads();
  }
  /// Adds to a packed counter, which may overflow into the next one.
  __device__ void add_packed(std::uint32_t digit, std::uint32_t keys) const {
    const std::uint32_t w = digit & (count() - 1);
    if constexpr (kPacked == 2) {
      atomicAdd(words + w, digit == w ? keys : keys << kBits);
    } else {
      atomicAdd(words + w, keys << (digit >> word_bits) * kBits);
    }
  }
  /// Returns the largest counter and the sum of all counters. An overflow lowers the sum by kMaxCount or kMaxCount + 1,
  /// so the caller detects it by comparing the sum.
  __device__ void inspect(std::uint32_t& largest, std::uint32_t& sum, std::uint32_t* shared) const {
    std::uint32_t mine = 0, total = 0;
    for (std::uint32_t w = threadIdx.x; w < count(); w += blockDim.x) {
#pragma unroll
      for (std::uint32_t part = 0; part < kPacked; ++part) {
        const std::uint32_t counter = words[w] >> part * kBits & kMaxCount;
        mine = max(mine, counter);
        total += counter;
      }
    }
    if (threadIdx.x < 2) shared[threadIdx.x] = 0;
    __syncthreads();
    mine = warp_max(mine);
    total = warp_sum(total);
    if (threadIdx.x % kWarp == 0) {
      atomicMax(shared, mine);
      atomicAdd(shared + 1, total);
    }
    __syncthreads();
    largest = shared[0];
    sum = shared[1];
    __syncthreads();
  }
  /// Adds the counters to the histogram in global memory and clears them. `in_pairs`: see Lists::counts_in_pairs.
  __device__ void flush_packed(unsigned long long* top, bool in_pairs) const {
    for (std::uint32_t w = threadIdx.x; w < count(); w += blockDim.x) {
      const std::uint32_t word = words[w];
      if (word == 0) continue;
      words[w] = 0;
      const auto counter = [&](std::uint32_t part) { return std::uint64_t{word >> part * kBits & kMaxCount}; };
#pragma unroll
      for (std::uint32_t part = 0; part < kPacked; ++part) {
        const bool is_lower = part < kPacked / 2;
        const std::uint64_t sum = !in_pairs  ? counter(part)
                                  : is_lower ? counter(part) | counter(part + kPacked / 2) << 32
                                             : 0;
        if (sum != 0) atomicAdd(top + (part << word_bits) + w, static_cast<unsigned long long>(sum));
      }
    }
    __syncthreads();
  }
  /// Adds 32-bit counters of one part of the digits to the histogram in global memory.
  __device__ void flush_wide(unsigned long long* top, std::uint32_t part, bool in_pairs) const {
    const bool is_upper = in_pairs && part >= kPacked / 2;
    unsigned long long* const first = top + ((is_upper ? part - kPacked / 2 : part) << word_bits);
    for (std::uint32_t w = threadIdx.x; w < count(); w += blockDim.x) {
      if (words[w] != 0) atomicAdd(first + w, static_cast<unsigned long long>(words[w]) << (is_upper ? 32 : 0));
    }
  }
};

/// Draws a sample of one key per thread, the same in each block. Sets `range` to the range of the top digits and
/// returns true if the first 8 bits of it are skewed (splitters.cuh). `counters`: kDigits words of shared memory.
template <class Word>
__device__ bool is_top_uneven(const Word* keys, std::uint64_t n, const KeyOrder<Word>& order, const Lists& lists,
                              TopRange<Word>& range, std::uint32_t* counters) {
  const Word key = order.ordered(keys[sample_position(threadIdx.x, kTopThreads, n)]);
  const Word first = order.ordered(keys[sample_position(0, kTopThreads, n)]);
  if (lists.samples_range) {
    __shared__ unsigned long long differ[2];
    if (threadIdx.x < 2) differ[threadIdx.x] = 0;
    __syncthreads();
    or_into(differ, static_cast<Word>(key ^ first));
    __syncthreads();
    range = TopRange<Word>::around(first, max(bit_length(differ), lists.top_levels.bits() + kDigitBits));
  }
  if (lists.counts_buckets) return false;
  if (threadIdx.x < kDigits) counters[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(counters + RangeDigit<Word>{range, kDigitBits}(key), 1U);
  const bool differs = __syncthreads_or(key != first) != 0;
  const std::uint32_t count = threadIdx.x < kDigits ? counters[threadIdx.x] : 0;
  if (__syncthreads_or(count == kTopThreads) != 0) return lists.spares_levels && differs;
  return __syncthreads_or(count > skew_threshold(kTopThreads, kDigitBits, lists.spares_levels)) != 0;
}

/// Counts the block's share of the keys with kPacked counters per word. The first keys bound how many it may count
/// before it flushes the counters. If the sum reveals an overflow, those keys are read again once per part of the
/// digits and counted in 32 bits. `get_digit`: digit of a key in sort order.
template <std::uint32_t kPacked, class Word, class DigitOf>
__device__ void count_share(const Word* keys, std::uint64_t begin, std::uint64_t end, const KeyOrder<Word>& order,
                            const DigitOf& get_digit, const TopCounts<kPacked>& counts, const Lists& lists) {
  using Counts = TopCounts<kPacked>;
  constexpr std::uint64_t kFirst = 16384;  // keys counted before their skew is known
  __shared__ std::uint32_t scratch[2];
  const Word first = keys[0];
  Word differ = 0;
  const auto count_packed = [&](std::uint64_t from, std::uint64_t to) {
    count_digits(
        keys + from, to - from,
        [&](Word key) {
          differ |= key ^ first;
          return get_digit(order.ordered(key));
        },
        [&](std::uint32_t digit, std::uint32_t keys_of_digit) { counts.add_packed(digit, keys_of_digit); });
    __syncthreads();
  };
  counts.clear();
  // The counters hold keys [from, counted).
  std::uint64_t from = begin, counted = begin, next = end - begin <= Counts::kMaxCount ? end - begin : kFirst;
  while (from < end) {
    const std::uint64_t to = min(end, counted + next);
    count_packed(counted, to);
    counted = to;
    bool overflows = false;
    if (counted - from > Counts::kMaxCount || counted < end) {
      std::uint32_t largest, sum;
      counts.inspect(largest, sum, scratch);
      overflows = sum != counted - from;
      const std::uint64_t room = overflows ? kFirst : (counted - from) * (Counts::kMaxCount / 4 * 3) / largest;
      if (counted < end && !overflows && room >= 2 * (counted - from)) {
        next = room - (counted - from);
        continue;
      }
      next = room;
    }
    const std::uint64_t first_counted = from;
    from = counted;
    if (!overflows) {
      counts.flush_packed(lists.top, lists.counts_in_pairs());
      continue;
    }
    for (std::uint32_t part = 0; part < kPacked; ++part) {
      counts.clear();
      visit_keys(keys, first_counted, counted, [&](Word key) {
        const std::uint32_t digit = get_digit(order.ordered(key));
        if (digit >> counts.word_bits == part) atomicAdd(counts.words + (digit & (counts.count() - 1)), 1U);
      });
      __syncthreads();
      counts.flush_wide(lists.top, part, lists.counts_in_pairs());
      __syncthreads();
    }
    counts.clear();
  }
  or_into(lists.state->differ, differ);
}

/// Histogram of the top bits of all keys. If they are skewed, it leaves the keys to splitters.
template <class Word, std::uint32_t kPacked>
__global__ void __launch_bounds__(kTopThreads, 1)
    count_top(const Word* keys, std::uint64_t n, KeyOrder<Word> order, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const int bits = lists.top_levels.bits();
  const TopCounts<kPacked> counts{reinterpret_cast<std::uint32_t*>(shared), bits - kLog2<kPacked>};
  const std::uint64_t share = ((n + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
  const std::uint64_t begin = min(n, blockIdx.x * share), end = min(n, begin + share);
  TopRange<Word> range;
  const bool samples = lists.samples_range || !lists.counts_buckets;
  const bool is_uneven = samples && is_top_uneven(keys, n, order, lists, range, counts.words);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    lists.state->skips_top = is_uneven ? 1 : 0;
    lists.state->range_bits = static_cast<std::uint32_t>(range.bits);
    for (int half = 0; half < 2; ++half) lists.state->prefix[half] = word_half(range.prefix, half);
  }
  if (is_uneven || begin == end) return;
  if (range.is_all()) {
    const int shift = range.bits - bits;
    count_share(
        keys, begin, end, order, [&](Word key) { return static_cast<std::uint32_t>(key >> shift); }, counts, lists);
  } else {
    count_share(keys, begin, end, order, RangeDigit<Word>{range, bits}, counts, lists);
  }
}

template <class Word>
struct CountShared {
  Word tree[kDigits];  ///< search tree of splitters
  std::uint32_t counts[kDigits];
};

/// Counts the classes of `count` keys: one full batch of the block's loads if kFull, fewer otherwise.
template <bool kFull, class Word>
__device__ void count_classes(const Word* keys, std::uint32_t count, const KeyOrder<Word>& order, Word first,
                              Word& differ, CountShared<Word>& shared) {
  constexpr int kAhead = loads_in_flight<Word>() / 2;
  const auto is_key = [&](int k) { return kFull || static_cast<std::uint32_t>(k) * blockDim.x + threadIdx.x < count; };
  Word ahead[kAhead];
  std::uint32_t classes[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    ahead[k] = is_key(k) ? keys[static_cast<std::uint32_t>(k) * blockDim.x + threadIdx.x] : first;
  }
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    differ |= ahead[k] ^ first;
    ahead[k] = order.ordered(ahead[k]);
  }
  classify(shared.tree, kDigitBits, ahead, classes);
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    if (is_key(k)) atomicAdd(shared.counts + classes[k], 1U);
  }
}

/// Counts the digits of a level's segments. A block takes consecutive tiles and accumulates as long as they belong to
/// the same segment.
template <class Word, class V>
__device__ void count_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, CountShared<Word>& shared) {
  std::uint32_t* const counts = shared.counts;
  const std::uint32_t tiles = lists.state->tiles[level];
  const std::uint32_t share = (tiles + gridDim.x - 1) / gridDim.x;
  const std::uint32_t begin = min(tiles, blockIdx.x * share), end = min(tiles, begin + share);
  for (std::uint32_t d = threadIdx.x; d < kDigits; d += blockDim.x) counts[d] = 0;
  __syncthreads();
  for (std::uint32_t t = begin; t < end;) {
    const std::uint32_t number = lists.level_tiles(level)[t].segment;
    const Segment segment = lists.level_segments(level)[number];
    const Word* keys = arrays.keys_on(segment.buffer);
    const std::uint64_t first_key = lists.level_tiles(level)[t].begin;
    std::uint64_t last_key = first_key;
    for (; t < end && lists.level_tiles(level)[t].segment == number; ++t) {
      last_key = lists.level_tiles(level)[t].begin + lists.level_tiles(level)[t].count;
    }
    if (segment.kind == Kind::copy) continue;
    const Word first = keys[segment.begin];
    Word differ = 0;
    if (segment.by_splitters) {
      for (std::uint32_t c = threadIdx.x; c < kDigits; c += blockDim.x) {
        shared.tree[c] = lists.splitter_tree<Word>(number)[c];
      }
      __syncthreads();
      const std::uint32_t batch = loads_in_flight<Word>() / 2 * blockDim.x;
      std::uint64_t key = first_key;
      for (; key + batch <= last_key; key += batch) {
        count_classes<true>(keys + key, batch, arrays.order, first, differ, shared);
      }
      if (key < last_key) {
        count_classes<false>(keys + key, static_cast<std::uint32_t>(last_key - key), arrays.order, first, differ,
                             shared);
      }
    } else {
      visit_keys(keys, first_key, last_key, [&](Word key) {
        differ |= key ^ first;
        atomicAdd(counts + get_digit(arrays.order.ordered(key), segment.shift(), segment.digits()), 1U);
      });
    }
    or_into(lists.differ + 2 * std::uint64_t{number}, differ);
    __syncthreads();
    for (std::uint32_t d = threadIdx.x; d < kDigits; d += blockDim.x) {
      if (counts[d] != 0) atomicAdd(segment.row + d, static_cast<unsigned long long>(counts[d]));
      counts[d] = 0;
    }
    __syncthreads();
  }
}

}  // namespace sortlab::msd_gpu
