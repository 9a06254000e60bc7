// How a machine with more, or less, of each resource would change a sort's time, by the sort's model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"
#include "models/model.hpp"
#include "models/scaling.hpp"

namespace sortlab {

struct WhatIfAsked {
  Factors set;                   ///< of the machine in question
  double by = 2;                 ///< then each resource alone is made that many times better, and worse
  const Model* model = nullptr;  ///< null: the sort's first of kind component, else of hardware
};

/// Predictions, as records.
struct WhatIf {
  struct Varied {
    Resource resource;
    nlohmann::ordered_json better, worse;
    std::string why_not{};  ///< if the model cannot predict it: then there are no records
  };
  nlohmann::ordered_json now;    ///< the machine as it is
  nlohmann::ordered_json asked;  ///< with what was set; the same without
  std::vector<Varied> varied;    ///< from there
};

/// Whether the sort runs on a GPU, which has other resources than a host.
bool runs_on_device(const Case&);

/// Reads "memory.bandwidth=2x". Throws BadInput naming the resource and what is allowed.
Factors read_factors(const std::vector<std::string>& texts, bool device);

/// Throws BadInput if no model predicts the case, on this machine or on any scaled one.
WhatIf what_if(const Case&, const MachineProfile& machine, const WhatIfAsked&);

}  // namespace sortlab
