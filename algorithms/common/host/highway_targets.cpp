#include "algorithms/common/host/highway_targets.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <limits>
#include <stdexcept>

namespace sortlab {

HighwayTargets HighwayTargets::by_name(std::int64_t compiled) {
  HighwayTargets targets;
  targets.compiled_ = compiled;
  for (std::int64_t left = compiled; left != 0; left &= left - 1) {  // wider targets have lower bits
    const std::int64_t bit = left & -left;
    targets.targets_.push_back({hwy::TargetName(bit), bit});
  }
  return targets;
}

HighwayTargets HighwayTargets::by_width(std::int64_t compiled, const Target& scalar) {
  HighwayTargets targets;
  targets.compiled_ = compiled;
  targets.targets_ = {{"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}};
  // The others stay known, so that one is told that this build lacks them.
  if (HWY_ARCH_ARM != 0) targets.targets_.push_back({"neon", HWY_NEON});
  targets.targets_.push_back(scalar);
  return targets;
}

std::string HighwayTargets::word_of_128_bits() {
  return HWY_ARCH_ARM != 0 ? "neon" : "sse4";
}

std::vector<std::string> HighwayTargets::words() const {
  std::vector<std::string> words;
  for (const Target& target : targets_) words.push_back(target.word);
  return words;
}

bool HighwayTargets::runs_here(std::string_view word) const {
  const Target* target = find(word);
  return target != nullptr && (target->bit == 0 || (target->bit & compiled_ & hwy::SupportedTargets()) != 0);
}

std::optional<std::string> HighwayTargets::lacking(std::string_view word) const {
  if (runs_here(word)) return std::nullopt;
  return fmt::format("{} lacks {}", (target_bit(word) & compiled_) == 0 ? "this build" : "the processor", word);
}

std::int64_t HighwayTargets::target_bit(std::string_view word) const {
  if (const Target* target = find(word)) return target->bit;
  throw std::invalid_argument(fmt::format("no instruction set {}; there are {}", word, fmt::join(words(), ", ")));
}

std::string HighwayTargets::widest() const {
  for (const Target& target : targets_) {
    if (runs_here(target.word)) return target.word;
  }
  return {};
}

std::string HighwayTargets::fastest(const std::function<double(std::int64_t bit)>& seconds) const {
  constexpr double margin = 1.5;
  std::string chosen;
  double chosen_seconds = std::numeric_limits<double>::infinity();
  for (const Target& target : targets_) {
    if (!runs_here(target.word)) continue;
    const double taken = seconds(target.bit);
    if (taken * margin > chosen_seconds) continue;
    chosen = target.word;
    chosen_seconds = taken;
  }
  return chosen;
}

const HighwayTargets::Target* HighwayTargets::find(std::string_view word) const {
  for (const Target& target : targets_) {
    if (target.word == word) return &target;
  }
  return nullptr;
}

void choose_highway_target(std::int64_t bit) {
  hwy::GetChosenTarget().Update(bit);
}

}  // namespace sortlab
