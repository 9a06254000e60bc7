#include "harness/calibrate/calibrate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/child_process.hpp"
#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "harness/commands/calibrate_here.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/count/count_cells.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

struct CalibrateOptions {
  bool quick = false;
  bool json = false;
  std::string only;
  std::vector<std::string> probes;
  std::string out;
  bool names_file = true;  ///< print the file's name at the end
};

/// The reason no device can be measured here, or an empty string.
std::string why_no_device() {
  if (calibrate_device == nullptr) return "this build is without CUDA";
  return gpus_here().names.empty() ? gpus_here().reason : "";
}

/// Calibrates the host or the device. Shows the progress on a terminal, and prints a line at the end. `kept`: the part
/// of the profile that survives a signal.
MachineProfile measured(MachineProfile (*part)(const CalibrationOptions&), const char* what, const char* cores,
                        const CalibrateOptions& options, std::string_view kept) {
  const StopSignals stop{fmt::format("{}; `{}` starts over", kept, command_text())};
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto begin = std::chrono::steady_clock::now();
  MachineProfile profile = part({.quick = options.quick, .probes = options.probes, .progress = [&](double share) {
                                   if (terminal)
                                     fmt::print(stderr, "\rcalibrating the {}: {:3.0f} %", what, 100 * share);
                                 }});
  if (terminal) fmt::print(stderr, "\r{:30}\r", "");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!options.json) {
    fmt::print("{}: {:.2f} GHz, {} {}; calibrated in {:.0f} s\n", profile.name, profile.clock_hz / 1e9, profile.cores,
               cores, seconds);
  }
  return profile;
}

/// The machine's existing profile, whose other part is kept. Throws BadInput for the profile of another machine.
std::optional<MachineProfile> profile_before(const std::string& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  MachineProfile before = read_profile(path);
  if (before.id != machine_id()) {
    throw BadInput(fmt::format("out: '{}' is the profile of {}; this machine is {}", path, before.id, machine_id()));
  }
  return before;
}

/// Adds the cost of this program's loops on a core to the profile, by static analysis. Prints one line about success or
/// failure.
void analyse_loops(const std::string& profile, bool says_so) {
  const auto say = [&](std::string_view why) {
    if (says_so) fmt::print("loops not analysed: {}; models named …-loops need it\n", why);
  };
  try {
    const std::string script = (checkout_root() / "harness/calibrate/loops.py").string();
    const std::optional<std::string> python = find_python();
    if (!python) return say("no python3 on PATH");
    if (!std::filesystem::exists(script)) return say(fmt::format("'{}' is missing", printable(script)));
    const auto& build = build_record();
    const std::string made_by =
        fmt::format("{}, {}", build.at("compiler").get<std::string>(), build.at("flags").get<std::string>());
    const auto begin = std::chrono::steady_clock::now();
    const ChildOutput run =
        run_child({.words = {*python, script, own_program(), "--profile", profile, "--build", made_by}},
                  [&] { return std::chrono::steady_clock::now() - begin > std::chrono::minutes{3}; });
    if (run.too_long) return say("it took longer than 3 minutes");
    const std::string_view said = std::string_view{run.text}.substr(0, run.text.find('\n'));
    if (said.starts_with("loops: ")) return say(said.substr(7));
    if (says_so) fmt::print("{}\n", said);
  } catch (const std::runtime_error& none) {  // no root, or no such program
    say(none.what());
  }
}

void calibrate(const CalibrateOptions& options) {
  if (!options.only.empty() && options.only != "host" && options.only != "device") {
    throw BadInput(fmt::format("only: '{}' is unknown; allowed: host, device", options.only));
  }
  const bool host_only = options.only == "host" || (options.only.empty() && !options.probes.empty());
  const std::string no_device = why_no_device();
  if (options.only == "device" && !no_device.empty()) {
    throw BadInput(fmt::format("only: there is no device to calibrate: {}", no_device));
  }
  const std::string path = options.out.empty() ? (local_results(machine_id()) / "profile.json").string() : options.out;
  const std::optional<MachineProfile> before = profile_before(path);

  const std::string as_before = before ? path + " is as it was" : "nothing is written";
  MachineProfile profile;
  if (options.only == "device") {
    profile = before ? *before : host_facts({.quick = options.quick});
  } else {
    profile = measured(calibrate_host, "host", "threads", options, as_before);
    if (before) profile.devices = before->devices;
    if (before && !options.probes.empty()) profile.tables.insert(before->tables.begin(), before->tables.end());
    write_profile(profile, path);  // in case the device fails
    if (options.probes.empty()) {
      analyse_loops(path, !options.json);
      profile = read_profile(path);
    }
  }
  if (!host_only && no_device.empty()) {
    MachineProfile device = measured(calibrate_device, "device", "multiprocessors", options,
                                     options.only == "device" ? as_before : path + " has the host's part");
    if (before && !options.probes.empty() && !before->devices.empty()) {
      device.tables.insert(before->devices[0].tables.begin(), before->devices[0].tables.end());
    }
    profile.devices = {std::move(device)};
    write_profile(profile, path);
  } else if (!host_only && options.only.empty() && !options.json) {
    fmt::print("no device: {}{}\n", no_device, profile.devices.empty() ? "" : "; its earlier calibration is kept");
  }
  if (options.names_file) fmt::print("{}\n", options.json ? to_json(profile).dump() : printable(path));
}

}  // namespace

void calibrate_here(const std::string& path, bool quick) {
  CalibrateOptions options;
  options.quick = quick;
  options.out = path;
  options.names_file = false;
  calibrate(options);
}

void add_calibrate(CLI::App& app, int& /*exit_status*/) {
  CLI::App* command = app.add_subcommand("calibrate", "Measures what this machine can do, for the models");
  auto options = std::make_shared<CalibrateOptions>();
  command->add_flag("--quick", options->quick,
                    "Fewer repetitions and thread counts: two or three minutes, 20 s on an H200");
  command->add_option("--only", options->only, "host or device: measure only that, and keep the rest of the profile");
  command->add_option(
      "--probe", options->probes,
      "Only this probe (a sort's, for instance) of the host, or of the device with --only device; the rest of "
      "the profile is kept");
  command->add_option("--out", options->out, "The profile to write; default: results/local/<machine>/profile.json");
  command->add_flag("--json", options->json, "Print the profile on standard output");
  command->footer("Example: sortlab calibrate --quick");
  command->callback([options] { calibrate(*options); });
}

}  // namespace sortlab
