#include "models/papers/stehle2017.hpp"

#include <cmath>
#include <numeric>

#include "models/cost.hpp"
#include "models/papers/ha2010.hpp"

namespace sortlab::stehle2017 {
namespace {

constexpr double kCounterBytes = 4;
constexpr double kOverlap = HUGE_VAL;

}  // namespace

Element element_bytes(const Workload& workload) {
  return {.key = static_cast<double>(byte_size(workload.key)), .value = static_cast<double>(byte_size(workload.value))};
}

PhasePrediction moved(const char* name, int pass, double bytes, const MachineProfile& machine) {
  return phase(name, pass, {{"memory", "bytes.memory", bytes, bytes / machine.at("bandwidth")}}, kOverlap);
}

PassBytes lsd_pass(Element element) {
  return {.histogram = element.key, .scatter = 2 * element.both()};
}

double block_histogram_share(Element element, int digit_bits, double block_keys) {
  return kCounterBytes * std::exp2(digit_bits) / (block_keys * element.key);
}

PassBytes counting_pass(Element element, int digit_bits, double block_keys) {
  const PassBytes keys = lsd_pass(element);
  const double counters = block_histogram_share(element, digit_bits, block_keys) * element.key;
  return {.histogram = keys.histogram + counters, .scatter = keys.scatter + counters};
}

double local_sort_bytes(Element element) {
  return 2 * element.both();
}

double lsd_bytes(Element element, int digit_bits) {
  return Digits{static_cast<int>(8 * element.key), digit_bits}.passes() * lsd_pass(element).sum();
}

double hybrid_bytes(Element element, int digit_bits, double block_keys, std::span<const double> shares) {
  const double sorted_locally = 1 - shares.back();
  return effective_passes(shares) * counting_pass(element, digit_bits, block_keys).sum() +
         sorted_locally * local_sort_bytes(element);
}

double worst_write_efficiency(double block_bytes, int digit_bits, double transaction_bytes, int partial) {
  const double full = block_bytes / transaction_bytes;
  return full / (full + partial * std::exp2(digit_bits));
}

double expected_write_efficiency(double block_keys, double key_bytes, int digit_bits, double transaction_bytes) {
  return ha2010::write_efficiency(block_keys / std::exp2(digit_bits), key_bytes, transaction_bytes);
}

double required_rate(double bytes_a_second, double key_bytes, int multiprocessors) {
  return bytes_a_second / (key_bytes * multiprocessors);
}

std::vector<double> partitioned_shares(double n, double one, Digits digits, double local_keys) {
  std::vector<double> shares(static_cast<std::size_t>(digits.passes()));
  for (int pass = 0; pass < digits.passes(); ++pass) {
    const int prefix_bits = digits.prefix_bits(pass);
    double buckets = 1;  // C(prefix_bits, ones)
    for (int ones = 0; ones <= prefix_bits; ++ones) {
      const double size = std::pow(one, ones) * std::pow(1 - one, prefix_bits - ones);
      if (n * size > local_keys) shares[static_cast<std::size_t>(pass)] += buckets * size;
      buckets *= static_cast<double>(prefix_bits - ones) / (ones + 1);
    }
  }
  return shares;
}

std::vector<double> partitioned_shares(double n, std::span<const uint128> sorted, Digits digits, double local_keys) {
  std::vector<double> shares(static_cast<std::size_t>(digits.passes()));
  if (sorted.empty()) return shares;
  const auto sample = static_cast<double>(sorted.size());
  const double stands_for = sample > 1 ? (n - 1) / (sample - 1) : 1;
  shares[0] = n > local_keys ? 1 : 0;
  for (int pass = 1; pass < digits.passes(); ++pass) {
    const int below = digits.key_bits - digits.prefix_bits(pass);
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      while (end < sorted.size() && sorted[end] >> below == sorted[begin] >> below) ++end;
      const auto keys = static_cast<double>(end - begin);
      if (1 + (keys - 1) * stands_for > local_keys) shares[static_cast<std::size_t>(pass)] += keys / sample;
    }
  }
  return shares;
}

double effective_passes(std::span<const double> shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

}  // namespace sortlab::stehle2017
