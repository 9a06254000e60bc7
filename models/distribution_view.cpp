#include "models/distribution_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

namespace sortlab {
namespace {

constexpr std::uint64_t kLargestInput = std::uint64_t{1} << 24;  // bytes of keys made for a view: some ten milliseconds
constexpr std::uint64_t kBlocks = 64;

std::size_t digit(uint128 key, int shift, int bits) {
  return static_cast<std::size_t>(key >> shift) & ((std::size_t{1} << bits) - 1);
}

}  // namespace

DistributionView::DistributionView(const NamedDistribution& distribution, KeyType key, std::uint64_t n,
                                   std::uint64_t seed, std::uint64_t limit)
    : name_(distribution.text) {
  Input input{.key = key, .n = n, .seed = seed, .parameters = distribution.parameters};
  bit_probability_ = distribution.distribution->bit_probability(input);
  // A parameter resolved for n keys is kept for the smaller input made here: zipf has n distinct keys unless said
  // otherwise. Counts that grow with n, as that of swaps, are reduced.
  const std::uint64_t made = std::min(n, std::max(kLargestInput / byte_size(key), limit));
  input.parameters = distribution.distribution->scaled_to(input, made);
  input.n = made;
  if (auto reason = distribution.distribution->declines(input)) {
    throw BadInput(fmt::format("dist: {}: {}", distribution.text, *reason));
  }
  const auto bytes = std::make_unique_for_overwrite<uint128[]>((input.n * byte_size(key) + 15) / 16);
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  distribution.distribution->fill(input, bytes.get(), threads);

  const bool whole = input.n <= limit;
  block_ = std::max<std::uint64_t>(1, whole ? input.n : limit / kBlocks);
  const std::uint64_t blocks = input.n == 0 ? 0 : whole ? 1 : kBlocks;
  trace_.reserve(blocks * block_);
  spread_.reserve(trace_.capacity());
  with_key_type(key, [&]<class K>() {
    const auto key_at = [&](std::uint64_t i) {
      K value;
      std::memcpy(&value, reinterpret_cast<const std::byte*>(bytes.get()) + i * sizeof(K), sizeof(K));
      return uint128{to_ordered(value)};
    };
    for (std::uint64_t b = 0; b < blocks; ++b) {
      // The first block begins at the first key and the last ends at the last.
      const std::uint64_t begin = blocks == 1 ? 0 : (input.n - block_) / (blocks - 1) * b;
      for (std::uint64_t i = begin; i < begin + block_; ++i) trace_.push_back(key_at(i));
    }
    // At a random place of its part, so that no period of the input is hit.
    std::minstd_rand anywhere;
    for (std::uint64_t i = 0, begin = 0; i < blocks * block_; ++i) {
      const std::uint64_t end = input.n * (i + 1) / (blocks * block_);
      spread_.push_back(key_at(begin + anywhere() % (end - begin)));
      begin = end;
    }
  });
  std::ranges::sort(spread_);
  basis_ = input.n == n ? fmt::format("trace of {} of {} keys", trace_.size(), n)
                        : fmt::format("trace of {} of {} keys, for {} keys", trace_.size(), input.n, n);
}

std::vector<double> DistributionView::digit_shares(int shift, int bits) const {
  std::vector<double> shares(std::size_t{1} << bits);
  for (const uint128 key : trace_) shares[digit(key, shift, bits)] += 1;
  if (!trace_.empty()) {
    for (double& share : shares) share /= static_cast<double>(trace_.size());
  }
  return shares;
}

double DistributionView::distinct_digits(int shift, int bits, int window) const {
  if (trace_.empty()) return 0;
  const std::size_t width = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, window)), block_);
  std::vector<std::size_t> last(std::size_t{1} << bits, SIZE_MAX);  // the window in which each digit was last seen
  std::size_t windows = 0;
  std::size_t distinct = 0;
  for (std::size_t begin = 0; begin + block_ <= trace_.size(); begin += block_) {
    for (std::size_t first = begin; first + width <= begin + block_; first += width, ++windows) {
      for (std::size_t i = first; i < first + width; ++i) {
        std::size_t& seen = last[digit(trace_[i], shift, bits)];
        distinct += seen != windows;
        seen = windows;
      }
    }
  }
  return static_cast<double>(distinct) / static_cast<double>(windows);
}

template <class Holds>
double DistributionView::of_neighbours(const Holds& holds) const {
  std::size_t pairs = 0;
  std::size_t held = 0;
  for (std::size_t i = 1; i < trace_.size(); ++i) {
    if (i % block_ == 0) continue;  // neighbours in the trace, not in the input
    ++pairs;
    held += holds(trace_[i - 1], trace_[i]);
  }
  return pairs == 0 ? 0 : static_cast<double>(held) / static_cast<double>(pairs);
}

double DistributionView::repeated_digits(int shift, int bits) const {
  return of_neighbours([&](uint128 key, uint128 next) { return digit(key, shift, bits) == digit(next, shift, bits); });
}

double DistributionView::descents() const {
  return of_neighbours([](uint128 key, uint128 next) { return next < key; });
}

double DistributionView::equal_keys() const {
  const std::vector<uint128> keys = sorted();
  double equal = 0;  // ordered pairs
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    equal += static_cast<double>(end - begin) * static_cast<double>(end - begin - 1);
  }
  const auto all = static_cast<double>(keys.size());
  return keys.size() < 2 ? 0 : equal / (all * (all - 1));
}

std::vector<uint128> DistributionView::sorted() const {
  std::vector<uint128> keys = trace_;
  std::ranges::sort(keys);
  return keys;
}

std::string formula_basis(double bit_probability) {
  return fmt::format("formula: independent bits, each one with chance {:.6g}", bit_probability);
}

}  // namespace sortlab
