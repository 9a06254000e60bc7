// Capabilities of a machine, as micro-benchmarks measured them or a paper states them: the only input of a model
// besides the problem. Profiles are JSON files: models/machines/*.json for the papers' machines, results/…/ for
// calibrated ones.
#pragma once

#include <initializer_list>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/model_kind.hpp"

namespace sortlab {

class TableLog;

using Factors = std::map<std::string, double, std::less<>>;  ///< resource name (scaling.hpp) to factor

/// Size in bytes that means the largest point of a table, whatever that is: a working set far beyond every cache.
inline constexpr double kBeyondCaches = 1e12;
/// Entropy in bits that means the same.
inline constexpr double kFullEntropy = 64;

/// MachineProfile::origin of profiles that scaling.hpp makes; no file has it.
inline constexpr std::string_view kScaledOrigin = "scaled";
/// MachineProfile::origin of a file with a datasheet's figures, which names the profile to scale.
inline constexpr std::string_view kDatasheetOrigin = "datasheet";

/// One quantity as a function of its arguments (threads, bytes, digit bits …), tabulated; no arguments: a constant.
struct ProfileTable {
  std::string unit;                    ///< unit of `value`: "B/s", "s", "s/element", "1/s", "cycles/element", "share"
  std::string source;                  ///< instrument that measured it, or paper and section
  std::vector<std::string> arguments;  ///< names, in order; one that ends in "bytes" is a size: see MachineProfile::at
  struct Point {
    std::vector<double> at;
    double value = 0;
    std::optional<std::pair<double, double>> ci95;
  };
  std::vector<Point> points;
  std::string kind{};  ///< models that may read it: "hardware" or "component"; empty if not stated
};

/// A machine, or a device of it: of a GPU the cores are its multiprocessors, and the caches "shared" (memory of a
/// multiprocessor) and "L2".
struct MachineProfile {
  std::string id;      ///< machine identity from stable facts
  std::string name;    ///< processor or GPU, for people
  std::string origin;  ///< "paper", "calibrated", "fitted", "datasheet" or "scaled"
  std::string source;  ///< paper and section, or commit and date of the calibration
  double clock_hz = 0;
  int cores = 1;
  std::vector<std::pair<std::string, double>> cache_bytes{};  ///< {"L1d", 32768} … per core, L3 as shared
  double memory_bytes = 0;
  std::map<std::string, ProfileTable, std::less<>> tables{};
  /// Compute capability that a device's tables were measured for; empty if a paper or an older calibration does not
  /// state it.
  std::string compute_capability{};                             ///< "9.0"
  std::map<std::string, std::string, std::less<>> libraries{};  ///< versions: {"CUB", "3.0.1"}
  std::string base{};  ///< for a datasheet, the file of the profile to scale; for a scaled profile, that profile's id
  Factors factors{};   ///< factors of the scaled resources
  std::vector<MachineProfile> devices{};  ///< its GPUs, as CUDA numbers them; they have no devices of their own
  std::string hash{};  ///< digest of the whole profile with its devices, 16 hexadecimal digits: predictions name it
  TableLog* log = nullptr;  ///< log of the reads of `at`, or null; not part of the profile

  bool has(std::string_view table) const { return tables.find(table) != tables.end(); }

  /// Device that a GPU sort runs on: the first of `devices`, or this profile if it describes a GPU (a paper's, or one
  /// that states "shared" memory); null if there is none.
  const MachineProfile* device() const;

  /// Looks a quantity up: linear between its points, argument by argument in order (in the logarithm of a size), and
  /// constant beyond them. A size of kBeyondCaches and an entropy of kFullEntropy mean the largest point of the
  /// table: that is no extrapolation. Throws MissingQuantity.
  double at(std::string_view quantity, std::initializer_list<double> arguments = {}) const;
  double at(std::string_view quantity, std::span<const double> arguments) const;

  /// The factor by which a resource differs from the measured one.
  double factor(std::string_view resource) const {
    const auto found = factors.find(resource);
    return found == factors.end() ? 1 : found->second;
  }

  /// Bytes of one cache. Throws MissingQuantity.
  double cache(std::string_view level) const;
};

/// A model needs a quantity that the profile does not hold; the message names both.
class MissingQuantity : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws BadInput naming the file and the field.
MachineProfile read_profile(const std::string& path);

/// Sets `hash`, also of each device, and writes the file with one point a line. Throws std::runtime_error if it cannot
/// be written.
void write_profile(MachineProfile& profile, const std::string& path);

/// Recomputes `hash`, but not the hashes of its devices.
void set_hash(MachineProfile& profile);

nlohmann::ordered_json to_json(const MachineProfile&);

}  // namespace sortlab
