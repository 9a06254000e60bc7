// The arguments of Stehle and Jacobsen 2017 as formulas: the bytes that a pass moves (STE-M6), how well a block's
// writes fill memory transactions (STE-M7), the rate at which a multiprocessor must count keys (STE-M8), and which
// share of the keys each counting pass still partitions (STE-M10, which the paper leaves to words). The bounds and the
// memory of section 4.5 (STE-M1 to STE-M5) are in algorithms/stehle_hybrid_radix/plan.hpp, the time of the
// heterogeneous sort (STE-M9) is a model in algorithms/stehle_heterogeneous.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/key_types.hpp"
#include "models/model.hpp"

namespace sortlab::stehle2017 {

/// Bytes of a key and of its value; 0 without values.
struct Element {
  double key = 0;
  double value = 0;
  double both() const { return key + value; }
};

Element element_bytes(const Workload& workload);

/// Phase that moves bytes at the bandwidth that section 4.3 measures by reading, whatever the direction.
PhasePrediction moved(const char* name, int pass, double bytes, const MachineProfile& machine);

/// Digits of a key, most significant first. The last one may be narrower.
struct Digits {
  int key_bits;
  int digit_bits;
  int passes() const { return (key_bits + digit_bits - 1) / digit_bits; }
  /// Bits of the first `count` digits.
  int prefix_bits(int count) const { return std::min(key_bits, count * digit_bits); }
};

// STE-M6: bytes of device memory, read and written, an element.

struct PassBytes {
  double histogram = 0;
  double scatter = 0;
  double sum() const { return histogram + scatter; }
};

/// A pass of an LSD radix sort, of any width of digit: keys are read to be counted, then keys and values are read and
/// written (section 6.1: "2.5 times instead of three times"). The paper neglects its histograms.
PassBytes lsd_pass(Element);

/// Bytes of a block's histogram, of 4-byte counters, relative to its keys: 4 r / (KPB · b_k) (section 4.3).
double block_histogram_share(Element, int digit_bits, double block_keys);

/// A counting pass of the hybrid radix sort: as an LSD pass, and the histogram writes those of the blocks, which the
/// scatter reads. The paper's factor counts the writing alone.
PassBytes counting_pass(Element, int digit_bits, double block_keys);

/// Keys and values are read and written once, whatever the passes in shared memory.
double local_sort_bytes(Element);

/// All passes of an LSD radix sort.
double lsd_bytes(Element, int digit_bits);

/// The whole hybrid radix sort. `shares[j]`: share of the keys that counting pass j partitions; those that do not reach
/// the last pass are sorted locally, once.
double hybrid_bytes(Element, int digit_bits, double block_keys, std::span<const double> shares);

// STE-M7: bytes of a block over those of the transactions that write it (section 4.4).

/// q / (q + partial · r), q = block_bytes / transaction_bytes: each digit's run has that many transactions that are not
/// full. The paper counts one, "neglecting inefficiencies due to misaligned writes"; a run that begins anywhere has two
/// (inconsistency X12).
double worst_write_efficiency(double block_bytes, int digit_bits, double transaction_bytes, int partial = 1);

/// L / (L + T - b_k) with runs of L = KPB · b_k / r bytes that begin at a random key: the mean that X12 sets beside the
/// paper's worst case. It is HA-M3.
double expected_write_efficiency(double block_keys, double key_bytes, int digit_bits, double transaction_bytes);

/// STE-M8: keys a second that each multiprocessor must count to keep up with memory, 8 BW / (k · |SMs|) (section 4.3).
double required_rate(double bytes_a_second, double key_bytes, int multiprocessors);

// STE-M10: shares[j] is that of the keys which lie in buckets of more than `local_keys` after j passes, and so are
// partitioned by counting pass j (0, 1, …). Buckets are taken at their mean sizes, without the scatter around them.

/// Shares for keys whose bits are one with probability `one`, independently: 1/2 for uniform keys, 2^-(t+1) for t ANDs
/// (Thearling and Smith), 0 for equal keys. After j digits a bucket whose prefix has w ones holds
/// n · one^w · (1 - one)^(d j - w) keys, and there are C(d j, w) such buckets.
std::vector<double> partitioned_shares(double n, double one, Digits digits, double local_keys);

/// Shares for any other input, from `sorted`, an ordered sample that represents n keys: a key with m others of the
/// sample in its bucket counts as in one of 1 + m (n - 1) / (sample - 1). Exact for a sample of all keys. Where
/// `local_keys` corresponds to fewer than some tens of sampled keys, buckets near that size are misclassified.
std::vector<double> partitioned_shares(double n, std::span<const uint128> sorted, Digits digits, double local_keys);

/// C = Σ shares: how often a key is partitioned, on average.
double effective_passes(std::span<const double> shares);

}  // namespace sortlab::stehle2017
