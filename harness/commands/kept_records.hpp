// Facts about machines that are not here, which `recommend` reads from the kept records (results/reference/): errors of
// models in validations, and times of sorts without a model.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fitted.hpp"
#include "models/model_kind.hpp"

namespace sortlab {

/// Errors of predictions in kept validations.
class KeptErrors {
 public:
  /// Reads every validation of the checkout; empty where there is none.
  KeptErrors();

  struct Interval {
    std::array<double, 2> factors{};  ///< 5th and 95th percentile of measured over predicted time
    std::size_t cells = 0;            ///< cells that these are of
  };
  /// The interval for a kind of model and a sort: of the sort's cells if there are at least kLeastCells, else of the
  /// cells of all sorts on the host, or on a device, that the kind predicted; nullopt if these are fewer, too.
  std::optional<Interval> of(ModelKind kind, const std::string& algorithm, bool on_host) const;

  static constexpr std::size_t kLeastCells = 20;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<double>> ratios_;  ///< sorted ratios by kind and sort
};

/// Times of the sorts that kept records of this machine hold, in the order of their files' names.
std::vector<SortTime> kept_times(const std::string& machine_id);

}  // namespace sortlab
