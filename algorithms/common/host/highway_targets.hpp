// Highway's instruction sets as plug-ins offer them: the words of a parameter, which of them run here, and the choice.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// The instruction sets that some kernels were compiled for. They depend on the macros and flags of the file that holds
/// the kernels, which states them: HWY_TARGETS.
class HighwayTargets {
 public:
  struct Target {
    std::string word;      ///< what the parameter calls it
    std::int64_t bit = 0;  ///< Highway's; 0: code without Highway
  };

  /// By Highway's names: AVX3, AVX2 …
  static HighwayTargets by_name(std::int64_t compiled);
  /// By the width of vectors: avx512, avx2, sse4, and `without`, which every processor runs.
  static HighwayTargets by_width(std::int64_t compiled, const Target& without);

  std::vector<std::string> words() const;  ///< of a parameter, the widest first; some may not run here
  bool runs_here(std::string_view word) const;
  /// Why kernels of this word do not run here, in words, or nothing.
  std::optional<std::string> lacking(std::string_view word) const;
  /// Throws std::invalid_argument for a word not in words().
  std::int64_t bit_of(std::string_view word) const;

  /// The widest that runs here; empty if none does.
  std::string widest() const;
  /// The widest that runs here, unless a narrower one is 1.5 times as fast: Zen 4's memory form of the AVX-512 compress
  /// instructions is microcoded, for one. The margin makes the choice, which is part of a cell's identity, the same
  /// from run to run.
  std::string fastest(const std::function<double(std::int64_t bit)>& seconds) const;

 private:
  const Target* find(std::string_view word) const;

  std::int64_t compiled_ = 0;
  std::vector<Target> targets_;  ///< the widest first
};

/// Sets the target of Highway's dispatch tables. This is one state for the whole program, which every plug-in changes:
/// take the function pointers at once, and keep them.
void choose_highway_target(std::int64_t bit);

}  // namespace sortlab
