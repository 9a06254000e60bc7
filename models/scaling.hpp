// Machines not at hand: a measured profile, scaled resource by resource to another machine's datasheet, or to a
// question ("twice the bandwidth"). Which table follows which resource, and why: models/machines/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/machine_profile.hpp"

namespace sortlab {

/// What may be scaled: by how much more of it there is; for a latency, by how much longer it is.
struct Resource {
  std::string_view name;  ///< "memory.bandwidth"
  std::string_view what;
  bool latency = false;  ///< half of it is better
};

/// Those of a GPU, or of a host.
std::span<const Resource> resources_of(bool device);

/// `base` with so much more, or less, of some resources. Tables that no rule scales are left out, so that a model which
/// reads one declines. Factors of what was scaled before multiply. Throws BadInput for a name that is no resource, and
/// MissingQuantity where a rule needs a quantity that the profile does not hold.
MachineProfile scaled(const MachineProfile& base, const Factors& factors, bool device);

/// By how much a datasheet's GPU differs from a measured one, resource by resource. Throws BadInput for an architecture
/// whose rates are not known here, or for a base that states no compute capability.
Factors factors_between(const MachineProfile& measured, const MachineProfile& datasheet);

/// The GPU of a datasheet as models read it: `measured`, scaled.
MachineProfile on_datasheet(const MachineProfile& measured, const MachineProfile& datasheet);

}  // namespace sortlab
