// Calibration: measures this machine with micro-benchmarks of its mechanisms and of pieces of our sorts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/calibrate/journal.hpp"
#include "harness/calibrate/rounds.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

struct CalibrationOptions {
  bool quick = false;                 ///< fewer repetitions and sizes
  bool energy = false;                ///< probes of a device are also held for a second each, by its counter of energy
  std::vector<std::string> probes{};  ///< names of the probes to run; empty: all
  std::optional<double> repeat_s{};   ///< seconds for repeating points with a wide interval; default: by `quick`
  std::optional<double> limit_s{};    ///< seconds that it takes at most; default: by `quick`, see below
  calibration::Journal* journal = nullptr;  ///< keeps samples, and has those of a calibration that was interrupted
  std::function<void(double share, double left_s)> progress = [](double, double) {};
};

/// Limits of a calibration in seconds, on any number of cores: of its host's part, of its device's part, and of the
/// whole, in which the loops are analysed, too, for `least_analysis_s` at least.
struct CalibrationLimits {
  double host_s;
  double device_s;
  double least_analysis_s;
  double whole_s;
};
constexpr CalibrationLimits calibration_limits(bool quick) {
  return quick ? CalibrationLimits{60, 15, 30, 120} : CalibrationLimits{400, 60, 60, 600};
}

/// A profile with this machine's facts and no tables.
MachineProfile host_facts(const CalibrationOptions& options);

/// host_facts() with every table that models of host sorts read, each point with its 95 % interval. Needs about 320 MiB
/// of memory per thread, or more with large caches; where memory or time does not suffice, fewer threads are measured.
MachineProfile calibrate_host(const CalibrationOptions& options);

/// Calibrates CUDA's device 0, with at most 20 GiB of its memory. Null in a build without CUDA. Throws DeviceError.
[[gnu::weak]] MachineProfile calibrate_device(const CalibrationOptions& options);

/// Names what the time limit left out of a calibration, as the profile's source says it. Empty if nothing.
std::string cuts(const MachineProfile& profile);

/// The reason why the energy of a device is not part of its calibration, as the profile's source says it. Empty if
/// none.
std::string missing_energy(const MachineProfile& profile);

/// True if the system did not bind the calibration's threads to their processors, as the profile's source says.
bool has_unbound_threads(const MachineProfile& profile);

/// True if the calibration's memory lay in small pages where it requested huge ones, as the profile's source says.
bool has_small_pages(const MachineProfile& profile);

namespace calibration {
/// Thread counts to measure as far as time allows: 1, 2, 4 … and `most`.
std::vector<int> thread_counts(int most);

/// Share of the limit after which no further arena is begun; the rounds have as much at least.
constexpr double kArenasShare = 0.2;

/// Extent of the host's rounds, `prepared_s` after its calibration began.
Extent host_extent(const CalibrationOptions& options, double prepared_s);

/// Says in the profile's source what was left out.
void add_cuts(MachineProfile& profile, const std::vector<std::string>& cuts);
void add_missing_energy(MachineProfile& profile, const std::string& reason);
}  // namespace calibration

/// Command, date and commit, which a calibrated profile names as its source.
std::string calibration_source(const CalibrationOptions& options);

}  // namespace sortlab
