// Energy an operation, from probes that were held for a second each while a counter of energy ran.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sortlab::calibration {

/// Operations whose energy is known of a device: what a model counts of a sort.
inline constexpr const char* kInstructions = "instructions";       ///< instructions of a warp
inline constexpr const char* kSharedAccesses = "shared_accesses";  ///< passes of a warp through shared memory
inline constexpr const char* kL2Bytes = "bytes.l2";
inline constexpr const char* kDramBytes = "bytes.dram";
inline constexpr const char* kLinkBytes = "bytes.link";

/// A probe that ran for a while, the joules that the device drew meanwhile, and the operations that it did.
struct HeldProbe {
  std::string adds;  ///< operation that no probe before it does
  double seconds = 0;
  double joules = 0;
  std::map<std::string, double> operations{};
};

/// Joules an operation: of each probe what remains without static power and without the operations known before, over
/// the operation that it adds. An operation that seems to cost less than nothing costs nothing.
std::map<std::string, double> energy_per_operation(double static_w, const std::vector<HeldProbe>& probes);

}  // namespace sortlab::calibration
