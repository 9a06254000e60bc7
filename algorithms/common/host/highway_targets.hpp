// Highway's instruction sets as values of a plug-in's parameter: their names, availability, and the choice of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// The instruction sets that a file's kernels were compiled for. They depend on the macros and flags of that file,
/// which passes its HWY_TARGETS.
class HighwayTargets {
 public:
  struct Target {
    std::string word;      ///< value of the parameter
    std::int64_t bit = 0;  ///< Highway's bit; 0: code without Highway
  };

  /// Instruction sets under Highway's names: AVX3, AVX2 …
  static HighwayTargets by_name(std::int64_t compiled);
  /// Instruction sets by vector width: avx512, avx2, sse4, on Arm neon, and `scalar`, code for any processor.
  static HighwayTargets by_width(std::int64_t compiled, const Target& scalar);

  /// by_width()'s name for vectors of 128 bits, the width for which the papers of 2007 and 2008 wrote: sse4 or neon.
  static std::string word_of_128_bits();

  std::vector<std::string> words() const;  ///< values of the parameter, the widest first; some may not run here
  bool runs_here(std::string_view word) const;
  /// The reason kernels of this name do not run here, or nullopt.
  std::optional<std::string> lacking(std::string_view word) const;
  /// Throws std::invalid_argument for a word not in words().
  std::int64_t target_bit(std::string_view word) const;

  /// The widest instruction set that runs here; empty if none does.
  std::string widest() const;
  /// The widest instruction set that runs here, unless a narrower one is 1.5 times as fast. (Zen 4's memory form of the
  /// AVX-512 compress instructions is microcoded, for example.) The choice is part of a cell's identity; the margin
  /// makes it the same in every run.
  std::string fastest(const std::function<double(std::int64_t bit)>& seconds) const;

 private:
  const Target* find(std::string_view word) const;

  std::int64_t compiled_ = 0;
  std::vector<Target> targets_;  ///< sorted, the widest first
};

/// Sets the target of Highway's dispatch tables. The whole program shares this state, and every plug-in changes it:
/// look up the function pointers at once, and keep them.
void choose_highway_target(std::int64_t bit);

}  // namespace sortlab
