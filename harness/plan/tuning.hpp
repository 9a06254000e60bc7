// The best settings found by sweeps on this machine: `sortlab tune` keeps them in results/local/<machine>/tuned.json
// (results/README.md), from where the preset `tuned` and `auto` parameters take them.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"

namespace sortlab {

/// The preset that a tuning replaces.
inline constexpr std::string_view kTunedPreset = "tuned";

/// A setting with the time it was measured to take, in seconds.
struct TimedSetting {
  Parameters parameters;
  double median_s = 0;
  std::array<double, 2> ci95_s{};
};

/// The outcome of one sweep.
struct Tuning {
  Case what;                 ///< with the parameters chosen
  TimedSetting chosen;       ///< of one round with `compiled`
  TimedSetting compiled;     ///< the plug-in's default setting
  std::string distribution;  ///< of what was measured
  std::string device;        ///< the GPU's name; empty on the host
  std::string build;         ///< of the plug-in
  std::size_t settings = 0;  ///< measured
  std::size_t declined = 0;  ///< by the plug-in
};

/// The tunings of one machine, one for each algorithm, device, key and value type, number of threads and n.
class Tunings {
 public:
  Tunings() = default;
  /// Those of a file; a missing one holds none. Throws BadInput for any other that cannot be read.
  explicit Tunings(std::filesystem::path path);

  /// The tuning of the same build, device, types and threads at the nearest n, up to 16 times more or less; null if
  /// there is none, or if the algorithm declines its parameters for this case.
  const Tuning* find(const Case& c) const;

  /// Stores `tuning`, replacing an older one of the same case, and writes the file. Throws std::runtime_error.
  void keep(Tuning tuning);

  const std::vector<Tuning>& all() const { return tunings_; }

 private:
  std::filesystem::path path_;
  std::vector<Tuning> tunings_;
};

/// results/local/<machine>/tuned.json.
std::filesystem::path local_tunings_path();
/// This machine's, read once.
const Tunings& local_tunings();

/// Gives `c` the parameters of its tuning where there is one, but for those in `given`.
void use_tuning(Case& c, const GivenParameters& given, const Tunings& tunings);

/// Replaces the `auto` parameters of `c` by those of its tuning, if the two agree in all others.
void use_tuning_where_auto(Case& c, const Tunings& tunings);

}  // namespace sortlab
