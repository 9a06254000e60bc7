// The resource that binds a phase: the one whose doubling shortens it most, by the same model.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/model.hpp"

namespace sortlab {

class Binding {
 public:
  /// `runner`: the host or device that runs the sorts.
  Binding(const MachineProfile& runner, bool device);

  /// The name of the resource that binds each phase of `now`, which `predict` gives for `runner`: "none" where doubling
  /// no resource gains a thousandth. Empty where the model cannot predict for any machine with a doubled resource.
  std::vector<std::string> of(const Prediction& now,
                              const std::function<Prediction(const MachineProfile&)>& predict) const;

 private:
  std::vector<std::pair<std::string_view, MachineProfile>>
      doubled_;  ///< machines by resource, half as long for a latency
};

}  // namespace sortlab
