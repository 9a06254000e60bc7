#include "algorithms/msd_radix_gpu/model/keys.hpp"

#include <array>
#include <bit>
#include <numeric>

namespace sortlab::msd_tree {

using namespace msd_gpu;

namespace {

constexpr std::uint32_t kRow = 32;  ///< lanes of a warp

}  // namespace

template <class PartOf>
double Judge::chance_of_clumps(const std::vector<Word>& keys, const PartOf& part_of) {
  constexpr int kTries = 24;
  int found = 0;
  for (int i = 0; i < kTries; ++i) {
    std::uint32_t rows = 0;
    for (std::uint32_t row = 0; row < kEvennessSamples; ++row) {
      std::array<std::uint32_t, kRow> in_part{};
      for (std::uint32_t lane = 0; lane < kRow; ++lane) ++in_part[part_of(keys[random_() % keys.size()])];
      rows += *std::ranges::max_element(in_part) >= kSkewedPartKeys ? 1 : 0;
    }
    found += rows > kEvennessSamples / 2 ? 1 : 0;
  }
  return found / static_cast<double>(kTries);
}

std::vector<Word> Judge::draw_keys(const Sample& sample, double count) {
  std::vector<Word> keys;
  const auto wanted = static_cast<std::size_t>(std::max(1.0, std::round(count)));
  if (sample.size() == wanted) {
    for (std::size_t i = 0; i < wanted; ++i) keys.push_back(sample.at(i));
    return keys;
  }
  constexpr std::size_t kOften = 8;
  std::vector<Word> often, others;
  double equal = 0;
  for (std::size_t first = 0, last = 0; first < sample.size(); first = last) {
    while (last < sample.size() && sample.at(last) == sample.at(first)) ++last;
    (last - first >= kOften ? often : others)
        .insert((last - first >= kOften ? often : others).end(), last - first, sample.at(first));
    if (last - first < kOften) equal += pairs(static_cast<double>(last - first));
  }
  const double distinct = equal >= kPairs ? pairs(static_cast<double>(others.size())) / equal : 0;
  const auto other = [&](double place, Word within) {
    const auto i = std::min(static_cast<std::size_t>(place * static_cast<double>(others.size())), others.size() - 1);
    constexpr std::size_t kBeside = 8;
    const Word low = others[i < kBeside ? 0 : i - kBeside], high = others[std::min(i + kBeside, others.size() - 1)];
    return high > low ? low + within % (high - low) : low;
  };
  std::uniform_real_distribution<double> anywhere;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t which = random_() % sample.size();
    if (which < often.size()) {
      keys.push_back(often[which]);
    } else if (distinct > 0) {
      const double value = std::floor(anywhere(random_) * distinct);
      keys.push_back(other((value + 0.5) / std::max(distinct, 1.0), static_cast<Word>(value) * 0x9E3779B97F4A7C15U));
    } else {
      keys.push_back(other(anywhere(random_), random_()));
    }
  }
  return keys;
}

Kinds Judge::judged(const std::vector<Word>& keys, const Shape& block) {
  const auto count = static_cast<double>(keys.size());
  Word differ = 0;
  for (const Word key : keys) differ |= key ^ keys.front();
  if (differ == 0) return {.equal = 1};
  const int bits = bits_ == 32 ? 32 : static_cast<int>(std::bit_width(differ));
  const auto upper = [&](Word key) {
    return static_cast<std::uint32_t>(bits > 32 ? key >> (bits - 32) : key << (32 - bits));
  };
  std::uint32_t low = ~0U, high = 0;
  for (const Word key : keys) {
    low = std::min(low, upper(key));
    high = std::max(high, upper(key));
  }
  const std::uint32_t range = high - low, bins = std::bit_floor(block.elements());
  const bool exact = bits + 1 < static_cast<int>(std::bit_width(bins)) || (bits <= 32 && range < bins / 2);
  const auto part = [&](Word key, std::uint32_t parts) {
    const double of_range = static_cast<double>(upper(key) - low) / (static_cast<double>(range) + 1);
    return static_cast<std::size_t>(of_range * parts);
  };
  const double clumped = exact ? 0 : chance_of_clumps(keys, [&](Word key) { return part(key, kRow); });
  if (clumped > 0.9) return {.uneven = 1};
  std::vector<std::uint32_t> in_bin(bins);
  for (const Word key : keys) ++in_bin[part(key, bins)];
  double equal = 0;
  for (const std::uint32_t of_bin : in_bin) equal += pairs(of_bin);
  if (!exact) {
    const std::uint32_t of_thread = bins / static_cast<std::uint32_t>(block.threads);
    for (auto bin = in_bin.begin(); bin < in_bin.end(); bin += of_thread) {
      if (*std::max_element(bin, bin + of_thread) > kMaxKeysPerBin) return {.uneven = 1};
      if (std::accumulate(bin, bin + of_thread, 0U) > kMaxThreadKeys) return {.uneven = 1};
    }
  }
  const double share = count < 2 ? 0 : std::max(0.0, equal / pairs(count) - 1.0 / bins);
  return {.even = (1 - clumped) * (1 - share), .uneven = clumped, .equal = (1 - clumped) * share};
}

}  // namespace sortlab::msd_tree
