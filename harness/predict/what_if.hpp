// Effect of more, or less, of each resource of a machine on a sort's time, by the sort's model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"
#include "models/model.hpp"
#include "models/scaling.hpp"

namespace sortlab {

struct WhatIfAsked {
  Factors set;                   ///< factors of the machine in question
  double by = 2;                 ///< factor by which each resource alone is then made better, and worse
  const Model* model = nullptr;  ///< null: the sort's first model of kind component, else of kind hardware
};

/// Predictions as records. What binds a phase in them is the resource whose doubling shortens it most, "none" where
/// doubling none does.
struct WhatIf {
  struct Varied {
    Resource resource;
    nlohmann::ordered_json better, worse;
    std::string why_not{};  ///< reason the model cannot predict it; there are then no records
  };
  nlohmann::ordered_json now;    ///< prediction for the unchanged machine
  nlohmann::ordered_json asked;  ///< prediction with the factors in `set`
  std::vector<Varied> varied;    ///< changes from `asked`
};

/// True if the sort runs on a GPU, which has other resources than a host.
bool runs_on_device(const Case&);

/// Reads texts such as "memory.bandwidth=2x". Throws BadInput with the resource and the allowed values.
Factors read_factors(const std::vector<std::string>& texts, bool device);

/// Predicts the case on all these machines. Throws BadInput if no model predicts it, on this machine or on any scaled
/// one.
WhatIf what_if(const Case&, const MachineProfile& machine, const WhatIfAsked&);

}  // namespace sortlab
