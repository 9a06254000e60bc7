#include "harness/predict/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "models/scaling.hpp"

namespace sortlab {
namespace {

/// A file, or that of a machine in models/machines.
std::filesystem::path machine_file(const std::string& given) {
  if (std::filesystem::exists(given)) return given;
  const std::filesystem::path folder = checkout_root() / "models" / "machines";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  if (std::ranges::find(names, given) == names.end()) {
    throw BadInput(fmt::format("machine: no file and no machine '{}'{}; allowed: a profile's file, {}", given,
                               did_you_mean(given, names), join(names)));
  }
  return folder / (given + ".json");
}

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
  return read_machine(machine_file(given));
}

MachineProfile datasheet_named(const std::string& given) {
  MachineProfile read = read_profile(machine_file(given).string());
  if (read.origin != kDatasheetOrigin) {
    throw BadInput(fmt::format("machine: {}: origin: is {}; allowed: {}", given, read.origin, kDatasheetOrigin));
  }
  return read;
}

const MachineProfile* runs_on(const Case& c, const MachineProfile& machine) {
  return c.algorithm->info().runs_on == Processor::device ? machine.device() : &machine;
}

}  // namespace sortlab
