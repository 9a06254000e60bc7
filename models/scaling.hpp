// Machines not at hand: a measured profile, scaled resource by resource to another machine's datasheet, or to a
// question ("twice the bandwidth"). Which table follows which resource, and why: models/machines/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/machine_profile.hpp"

namespace sortlab {

/// A resource that may be scaled. A factor of 2 means twice as much of it, or a latency twice as long.
struct Resource {
  std::string_view name;  ///< "memory.bandwidth"
  std::string_view what;
  bool latency = false;  ///< a smaller value is better
};

/// The resources of a GPU (`device`), or of a host.
std::span<const Resource> scalable_resources(bool device);

/// Copy of `base` with more, or less, of some resources. Tables that no rule scales are left out, so that a model that
/// reads one declines. Factors multiply with those of an earlier scaling. Throws BadInput for a name that is no
/// resource, and MissingQuantity where a rule needs a quantity that the profile does not hold. The copy keeps the hash
/// of `base`: whoever names it calls set_hash, which takes longer than the scaling.
MachineProfile scaled(const MachineProfile& base, const Factors& factors, bool device);

/// Ratios of a datasheet's GPU to a measured one, resource by resource. Throws BadInput for an architecture
/// whose rates are not known here, or for a base that states no compute capability.
Factors factors_between(const MachineProfile& measured, const MachineProfile& datasheet);

/// The GPU of a datasheet as models read it: `measured`, scaled.
MachineProfile on_datasheet(const MachineProfile& measured, const MachineProfile& datasheet);

}  // namespace sortlab
