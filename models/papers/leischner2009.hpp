// The arguments of Leischner, Osipov and Sanders 2009 as formulas: levels of distribution against levels of merging
// (LEI-M1), bytes and operations of a level (LEI-M2), the evenness of a sample's splits (LEI-M3), and the share of a
// sort's time that follows bandwidth, from its times on two machines (LEI-M4).
#pragma once

#include <cstdint>
#include <vector>

namespace sortlab::leischner2009 {

/// The paper's parameters (section 5).
inline constexpr int kWays = 128;                ///< k
inline constexpr std::int64_t kBucket = 131072;  ///< M: buckets of at most that many elements are not split again
inline constexpr int kThreads = 256;             ///< t
inline constexpr int kItems = 8;                 ///< l, elements a thread
inline constexpr int kLanes = 8;                 ///< scalar processors of a multiprocessor (section 2)

/// a: 30 "for smaller keys", 15 "for 64-bit integers".
int oversampling(std::uint64_t key_bytes);

/// Bytes of a key and of its value; 0 without values.
struct Element {
  double key = 0;
  double value = 0;
  double both() const { return key + value; }
};

// LEI-M1

/// p = ⌈n / (t · l)⌉.
std::uint64_t tiles(std::uint64_t n, int threads = kThreads, int items = kItems);

/// ⌈log_k(n / M)⌉ levels of distribution, if every bucket were of mean size.
int levels(std::uint64_t n, int ways = kWays, std::int64_t bucket = kBucket);

/// ⌈log2(n / run)⌉ levels of merging two runs, from sorted tiles of `run` elements (section 3: 256).
int merge_levels(std::uint64_t n, std::uint64_t run = 256);

// LEI-M2

/// Bytes of device memory, read and written, an element and level.
struct LevelBytes {
  double find = 0;     ///< phase 2: keys are read, a histogram of k counters a tile is written
  double scan = 0;     ///< phase 3: histograms are read and written
  double scatter = 0;  ///< phase 4: keys and values are read and written, histograms read
  double sum() const { return find + scan + scatter; }
};
LevelBytes level_bytes(Element, int ways = kWays, int tile = kThreads * kItems);

/// Operations an element of phase 2, and of phase 4 again: log2 k compares of the tree, and an atomic addition.
double find_operations(int ways = kWays);

/// Comparators an element of Batcher's odd-even merge sort, and of his bitonic sort, of a power of two of elements.
double odd_even_compares(double elements);
double bitonic_compares(double elements);

// LEI-M3. The buckets of one level hold shares of the input like the gaps between every a-th of a·k ordered uniform
// numbers: Beta(a, a·k + 1 - a), whatever the keys, as long as they differ.

double sample_bytes(int oversampling, int ways, double key_bytes);

/// Standard deviation of a bucket over its mean: 1 / √a for many ways.
double bucket_deviation(int oversampling, int ways = kWays);

/// Probability that an element lies in a bucket of at most `share` of the input: larger buckets hold more elements, so
/// that theirs is Beta(a + 1, a·k + 1 - a).
double elements_in_buckets_below(double share, int oversampling, int ways = kWays);

/// Expected distribution of n elements over all levels.
struct Distributed {
  struct Bucket {
    double size = 0;
    double share = 0;  ///< share of the elements that end in buckets of about this size
  };
  std::vector<double> shares;   ///< shares of the elements that level 0, 1, … distributes
  std::vector<Bucket> buckets;  ///< buckets that are small enough
};
Distributed distributed(std::uint64_t n, int oversampling, int ways = kWays, std::int64_t bucket = kBucket);

// LEI-M4

/// Share of the slower machine's time that scales with bandwidth, if the rest scales with the clock:
/// 1 / gain = (1 - share) / clock_ratio + share / bandwidth_ratio. Not held to 0 … 1: a gain outside the two ratios
/// follows neither.
double memory_share(double gain, double clock_ratio, double bandwidth_ratio);

}  // namespace sortlab::leischner2009
