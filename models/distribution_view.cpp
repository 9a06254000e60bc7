#include "models/distribution_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

using KeyBytes = std::unique_ptr<uint128[]>;

KeyBytes room_for(std::uint64_t n, KeyType key) {
  return std::make_unique_for_overwrite<uint128[]>((n * byte_size(key) + 15) / 16);
}

template <class K>
uint128 ordered_key(const KeyBytes& bytes, std::uint64_t i) {
  K value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(bytes.get()) + i * sizeof(K), sizeof(K));
  return uint128{to_ordered(value)};
}

std::uint64_t count_keys(const std::vector<KeyRange>& ranges) {
  std::uint64_t keys = 0;
  for (const KeyRange& range : ranges) keys += range.count;
  return keys;
}

/// Ordered images of the keys of each list of ranges, one range after the other. Makes the whole input where the
/// distribution cannot do without.
std::vector<std::vector<uint128>> read_keys(const Distribution& distribution, const Input& input,
                                            std::span<const std::vector<KeyRange>> lists) {
  std::vector<std::vector<uint128>> found;
  KeyBytes whole;
  if (!distribution.has_ranges()) {
    whole = room_for(input.n, input.key);
    distribution.fill(input, whole.get(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  }
  for (const std::vector<KeyRange>& ranges : lists) {
    KeyBytes bytes;
    if (!whole) {
      bytes = room_for(count_keys(ranges), input.key);
      distribution.fill_ranges(input, ranges, bytes.get());
    }
    std::vector<uint128>& keys = found.emplace_back();
    keys.reserve(count_keys(ranges));
    with_key_type(input.key, [&]<class K>() {
      for (const KeyRange& range : ranges) {
        const std::uint64_t first = whole ? range.first : keys.size();
        for (std::uint64_t i = 0; i < range.count; ++i)
          keys.push_back(ordered_key<K>(whole ? whole : bytes, first + i));
      }
    });
  }
  return found;
}

}  // namespace

/// Keys of an input of n keys that a view of at most `limit` keys holds.
struct DistributionView::Places {
  std::uint64_t block = 1;         ///< keys in a block
  std::vector<KeyRange> blocks{};  ///< consecutive keys, evenly spread
  std::vector<KeyRange> spread{};  ///< single keys, one in each of as many equal parts as the blocks have keys

  Places(std::uint64_t n, std::uint64_t limit) {
    const bool whole = n <= limit;
    block = std::max<std::uint64_t>(1, whole ? n : limit / kBlocks);
    const std::uint64_t count = n == 0 ? 0 : whole ? 1 : kBlocks;
    for (std::uint64_t b = 0; b < count; ++b) {
      // The first block begins at the first key and the last ends at the last.
      blocks.push_back({count == 1 ? 0 : (n - block) / (count - 1) * b, block});
    }
    // At a random place of its part, so that no period of the input is hit.
    std::minstd_rand anywhere;
    for (std::uint64_t i = 0, begin = 0; i < count * block; ++i) {
      const std::uint64_t end = n * (i + 1) / (count * block);
      spread.push_back({begin + anywhere() % (end - begin), 1});
      begin = end;
    }
  }
};

DistributionView::DistributionView(const NamedDistribution& named, KeyType key, std::uint64_t n, std::uint64_t seed,
                                   std::uint64_t limit)
    : distribution_(named.distribution), name_(named.text) {
  const Distribution& distribution = *named.distribution;
  Input input{.key = key, .n = n, .seed = seed, .parameters = named.parameters};
  bit_probability_ = distribution.bit_probability(input);
  if (!distribution.has_ranges()) {
    // A parameter resolved for n keys is kept for the smaller input made here: zipf has n distinct keys unless said
    // otherwise. Counts that grow with n, as that of swaps, are reduced.
    const std::uint64_t made = std::min(n, std::max(kLargestInput / byte_size(key), limit));
    input.parameters = distribution.scaled_to(input, made);
    input.n = made;
  }
  if (auto reason = distribution.declines(input)) {
    throw BadInput(fmt::format("dist: {}: {}", named.text, *reason));
  }
  input_ = input;
  const Places places{input.n, limit};
  block_ = places.block;
  const std::array lists{places.blocks, places.spread};
  auto keys = read_keys(distribution, input, lists);
  trace_ = std::move(keys[0]);
  spread_ = std::move(keys[1]);
  std::ranges::sort(spread_);
  basis_ = input.n == n ? fmt::format("trace of {} of {} keys", trace_.size(), n)
                        : fmt::format("trace of {} of {} keys, for {} keys", trace_.size(), input.n, n);
}

std::vector<uint128> DistributionView::consecutive(std::uint64_t count, std::uint64_t parts) const {
  const std::uint64_t whole = input_.n / count;
  std::vector<KeyRange> ranges;
  if (whole == 0) ranges.push_back({0, input_.n});
  for (std::uint64_t part = 0, of = std::min(whole, parts); part < of; ++part) {
    ranges.push_back({(2 * part + 1) * whole / (2 * of) * count, count});
  }
  return read_keys(*distribution_, input_, {&ranges, 1}).front();
}

DistributionView DistributionView::of_half_width(int bits) const {
  const int half = bits / 2;
  const uint128 lower = (uint128{1} << half) - 1;
  const auto upper_half = [&](uint128 key) { return key >> half; };
  const bool same = std::ranges::adjacent_find(trace_, std::ranges::not_equal_to{}, upper_half) == trace_.end();
  DistributionView view = *this;
  view.known_ = {};
  for (std::vector<uint128>* keys : {&view.trace_, &view.spread_}) {
    for (uint128& key : *keys) key = same ? key & lower : upper_half(key);
  }
  return view;
}

std::vector<double> DistributionView::digit_shares(int shift, int bits) const {
  std::vector<double>& shares = known_.shares[{shift, bits}];
  if (!shares.empty()) return shares;
  shares.resize(std::size_t{1} << bits);
  for (const uint128 key : trace_) shares[digit(key, shift, bits)] += 1;
  if (!trace_.empty()) {
    for (double& share : shares) share /= static_cast<double>(trace_.size());
  }
  return shares;
}

double DistributionView::distinct_digits(int shift, int bits, int window) const {
  if (trace_.empty()) return 0;
  const auto [known, is_new] = known_.distinct.try_emplace({shift, bits, window});
  if (!is_new) return known->second;
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
  return known->second = static_cast<double>(distinct) / static_cast<double>(windows);
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
  const auto [known, is_new] = known_.repeated.try_emplace({shift, bits});
  if (!is_new) return known->second;
  return known->second = of_neighbours(
             [&](uint128 key, uint128 next) { return digit(key, shift, bits) == digit(next, shift, bits); });
}

double DistributionView::descents() const {
  if (!known_.descents) known_.descents = of_neighbours([](uint128 key, uint128 next) { return next < key; });
  return *known_.descents;
}

double DistributionView::equal_keys() const {
  if (known_.equal) return *known_.equal;
  const std::vector<uint128> keys = sorted();
  double equal = 0;  // ordered pairs
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    equal += static_cast<double>(end - begin) * static_cast<double>(end - begin - 1);
  }
  const auto all = static_cast<double>(keys.size());
  known_.equal = keys.size() < 2 ? 0 : equal / (all * (all - 1));
  return *known_.equal;
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
