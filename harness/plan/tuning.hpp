// The best settings that sweeps found on this machine. `sortlab tune` keeps them in results/local/<machine>/tuned.json
// (results/README.md). The preset `tuned` and `auto` parameters take them from there.
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"

namespace sortlab {

/// Name of the preset that a tuning replaces.
inline constexpr std::string_view kTunedPreset = "tuned";

/// A setting and its measured time in seconds.
struct TimedSetting {
  Parameters parameters;
  double median_s = 0;
  std::array<double, 2> ci95_s{};
};

/// The outcome of one sweep.
struct Tuning {
  Case subject;              ///< case with the chosen parameters
  TimedSetting chosen;       ///< chosen setting, measured in one round with `compiled`
  TimedSetting compiled;     ///< the plug-in's default setting
  std::string distribution;  ///< distribution of the measured input
  std::string device;        ///< the GPU's name; empty on the host
  std::string build;         ///< build digest of the plug-in
  std::size_t settings = 0;  ///< number of measured settings
  std::size_t declined = 0;  ///< number of settings that the plug-in declined
};

/// The tunings of one machine: one for each algorithm, device, key and value type, number of threads and n.
class Tunings {
 public:
  Tunings() = default;
  /// Reads the tunings of a file. A missing file holds none. Throws BadInput for any other file that cannot be read.
  explicit Tunings(std::filesystem::path path);

  /// The tuning of the same build, device, types and threads at the nearest n, up to 16 times larger or smaller. Null
  /// if there is none, or if the algorithm declines its parameters for this case.
  const Tuning* find(const Case& c) const;
  /// True if there is a tuning of the algorithm.
  bool has(const Algorithm& algorithm) const;

  /// Stores `tuning` in place of an older one of the same case, and writes the file. Throws std::runtime_error.
  void keep(Tuning tuning);

  const std::vector<Tuning>& all() const { return tunings_; }

 private:
  std::filesystem::path path_;
  std::vector<Tuning> tunings_;
  std::vector<nlohmann::ordered_json> others_;  ///< choices of sorts that this build lacks; kept as they are
};

/// Path of results/local/<machine>/tuned.json.
std::filesystem::path local_tunings_path();
/// The tunings of this machine, read once.
const Tunings& local_tunings();

/// Gives `c` the parameters of its tuning, if there is one, except the parameters in `given`.
void use_tuning(Case& c, const GivenParameters& given, const Tunings& tunings);

/// Replaces the `auto` parameters of `c` by those of its tuning, if all other parameters agree.
void use_tuning_where_auto(Case& c, const Tunings& tunings);

}  // namespace sortlab
