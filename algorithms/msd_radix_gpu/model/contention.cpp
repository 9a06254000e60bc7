#include "algorithms/msd_radix_gpu/model/contention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "algorithms/msd_radix_gpu/plan.hpp"

namespace sortlab::msd_contention {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kNone = ~0U;
using Warp = std::array<std::uint32_t, kLanes>;

/// The longest queue of a bank. All but one of equal words are left out if no lane waits for the old value.
double wavefronts(const Warp& digits, std::uint32_t words, std::uint32_t without, bool combines) {
  std::array<std::uint32_t, kBanks> queue{};
  std::array<std::uint32_t, kLanes> seen{};
  std::uint32_t distinct = 0;
  for (const std::uint32_t digit : digits) {
    if (digit == without) continue;
    const std::uint32_t word = digit % words;
    if (combines && std::find(seen.begin(), seen.begin() + distinct, word) != seen.begin() + distinct) continue;
    seen[distinct++] = word;
    ++queue[word % kBanks];
  }
  return *std::ranges::max_element(queue);
}

/// The digit that most lanes have, if enough have it.
std::uint32_t find_hot_digit(const Warp& digits) {
  std::uint32_t most = 0, hot = kNone;
  for (const std::uint32_t digit : digits) {
    const auto lanes = static_cast<std::uint32_t>(std::ranges::count(digits, digit));
    if (lanes > most) most = lanes, hot = digit;
  }
  return most >= msd_gpu::kHotLanes ? hot : kNone;
}

Contention draw_warps(const DigitMix& mix) {
  std::mt19937_64 random{3};
  std::bernoulli_distribution one{mix.one};
  const auto draw = [&](int warp) {
    if (!mix.drawn.empty()) {
      const std::vector<std::uint32_t>& of = mix.drawn[static_cast<std::size_t>(warp) % mix.drawn.size()];
      return of[random() % of.size()];
    }
    std::uint32_t digit = 0;
    for (int bit = 0; bit < mix.bits; ++bit) digit = 2 * digit + (one(random) ? 1 : 0);
    return digit;
  };
  constexpr int kWarps = 600, kRows = 4;  // rows of keys of a warp; the first shows whether a digit is hot
  const std::uint32_t words = 1U << mix.word_bits;
  double hot = 0, plain = 0;
  Contention sum{.hot = 0, .added = 0, .placed = 0, .added_hot = 0, .placed_hot = 0};
  for (int i = 0; i < kWarps; ++i) {
    std::uint32_t hot_digit = kNone;
    for (int row = 0; row < kRows; ++row) {
      Warp digits;
      for (std::uint32_t& digit : digits) digit = draw(i);
      if (row == 0) hot_digit = find_hot_digit(digits);
      sum.added += wavefronts(digits, words, kNone, true);
      if (hot_digit == kNone) {
        plain += 1;
        sum.placed += wavefronts(digits, words, kNone, false);
      } else {
        hot += 1;
        sum.added_hot += wavefronts(digits, words, hot_digit, true);
        sum.placed_hot += 1 + wavefronts(digits, words, hot_digit, false);  // one lane for all that have it
      }
    }
  }
  const double all = hot + plain;
  return {.hot = hot / all,
          .added = sum.added / all,
          .placed = plain > 0 ? sum.placed / plain : 1,
          .added_hot = hot > 0 ? sum.added_hot / hot : 0,
          .placed_hot = hot > 0 ? sum.placed_hot / hot : 1};
}

}  // namespace

Contention draw_contention(const DigitMix& mix) {
  if (!mix.drawn.empty()) return draw_warps(mix);
  // Predictions of one input on many machines ask for the same few mixes, and a draw takes milliseconds.
  thread_local std::map<std::tuple<int, double, int>, Contention> known;
  const auto [found, is_new] = known.try_emplace({mix.bits, mix.one, mix.word_bits});
  if (is_new) found->second = draw_warps(mix);
  return found->second;
}

}  // namespace sortlab::msd_contention
