#include "harness/predict/profiles.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "harness/predict/known_profiles.hpp"
#include "models/scaling.hpp"

namespace sortlab {
namespace {

MachineProfile read_machine(const std::filesystem::path& file) {
  MachineProfile read = read_profile(file.string());
  if (read.origin != kDatasheetOrigin) return read;
  const std::filesystem::path base = checkout_root() / read.base;
  if (!std::filesystem::exists(base)) {
    throw BadInput(
        fmt::format("machine: {}: base: '{}' is not here; allowed: a measured profile's file, from the root "
                    "of the checkout",
                    file.string(), read.base));
  }
  const MachineProfile measured = read_profile(base.string());
  const MachineProfile* const device = measured.origin == "calibrated" ? measured.device() : nullptr;
  if (device == nullptr) {
    throw BadInput(fmt::format("machine: {}: base: '{}' has no device; allowed: a profile with a measured one",
                               file.string(), read.base));
  }
  try {
    return on_datasheet(*device, read);
  } catch (const MissingQuantity& error) {
    throw BadInput(fmt::format("machine: {}: {}", file.string(), error.what()));
  }
}

}  // namespace

const MachineProfile* local_profile() {
  static const std::optional<MachineProfile> profile = []() -> std::optional<MachineProfile> {
    const std::filesystem::path path = local_results(machine_id()) / "profile.json";
    if (!std::filesystem::exists(path)) return std::nullopt;
    return read_profile(path.string());
  }();
  return profile ? &*profile : nullptr;
}

MachineProfile profile_named(const std::string& given) {
  if (given.empty()) {
    if (const MachineProfile* profile = local_profile()) return *profile;
    throw BadInput("machine: this one is not calibrated yet; run `sortlab calibrate --quick`, or give --machine");
  }
  return read_machine(profile_file(given));
}

MachineProfile datasheet_named(const std::string& given) {
  MachineProfile read = read_profile(profile_file(given).string());
  if (read.origin != kDatasheetOrigin) {
    throw BadInput(fmt::format("machine: {}: origin: is {}; allowed: {}", given, read.origin, kDatasheetOrigin));
  }
  return read;
}

const MachineProfile* runs_on(const Case& c, const MachineProfile& machine) {
  return is_on_devices(c.algorithm->info().runs_on) ? machine.device() : &machine;
}

}  // namespace sortlab
