#include "harness/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/child_process.hpp"
#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "core/replace_file.hpp"
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
  bool energy = false;
  std::string only;
  std::vector<std::string> probes;
  std::string out;
  bool names_file = true;                 ///< print the file's name at the end
  std::string resuming = command_text();  ///< the command that resumes it
};

using Clock = std::chrono::steady_clock;

/// Time for analysing loops even where measuring took all of its own: half of the models need it.

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The reason no device can be measured here, or an empty string.
std::string why_no_device() {
  if (calibrate_device == nullptr) return "this build is without CUDA";
  return gpus_here().names.empty() ? gpus_here().reason : "";
}

/// Shows the share done and the time left: on a terminal as they change, elsewhere a line every half minute.
class CalibrationProgress {
 public:
  explicit CalibrationProgress(std::string_view what) : what_(what) {}
  void operator()(double share, double left_s) {
    const std::string text =
        fmt::format("calibrating the {}: {:3.0f} %, at most {:.0f} s left", what_, 100 * share, left_s);
    line_.show(text);
    if (line_.is_shown() || seconds_since(told_) < 30) return;
    tell(text);
    told_ = Clock::now();
  }

  void end() const { line_.wipe(); }

 private:
  std::string_view what_;
  StatusLine line_{};
  Clock::time_point told_ = Clock::now();
};

/// The part of a machine that is calibrated: the host or the device.
struct Part {
  MachineProfile (*calibrate)(const CalibrationOptions&);
  std::string name;
  std::string_view cores;
};

/// File that keeps a part's samples until the profile is written.
std::filesystem::path samples_file(const std::string& profile, const Part& part) {
  return profile + "." + part.name + ".samples";
}

/// Title of a journal: machine, program and probes. A calibration goes on with the samples of another if they agree.
std::string journal_title(const CalibrateOptions& options, const Part& part) {
  std::error_code unknown;
  const auto built = std::filesystem::last_write_time(own_program(), unknown).time_since_epoch().count();
  return fmt::format("{} of {}, sortlab {} built at {}{}, probes: {}", part.name, machine_id(), version(), built,
                     options.quick ? ", quick" : "", join(options.probes));
}

/// Samples of a calibration that was interrupted within the last day, if it is this one. Nothing where the profile goes
/// to a pipe or a device, beside which no file can be made.
std::optional<calibration::Journal> open_journal(const CalibrateOptions& options, const Part& part) {
  if (std::filesystem::exists(options.out) && !std::filesystem::is_regular_file(options.out)) return std::nullopt;
  const std::filesystem::path path = samples_file(options.out, part);
  std::error_code none;
  std::filesystem::create_directories(path.parent_path(), none);
  const auto changed = std::filesystem::last_write_time(path, none);
  if (!none && std::filesystem::file_time_type::clock::now() - changed > std::chrono::hours{24}) {
    std::filesystem::remove(path, none);
  }
  return std::optional<calibration::Journal>{std::in_place, path, journal_title(options, part)};
}

/// Calibrates a part of the machine. Shows the progress, and prints a line at the end.
MachineProfile measured(const Part& part, const CalibrateOptions& options) {
  std::optional<calibration::Journal> journal = open_journal(options, part);
  const std::string file = samples_file(options.out, part).string();
  if (journal && journal->spent_s() > 0) {
    tell(fmt::format("going on with the samples of {} after {:.0f} s", file, journal->spent_s()));
  }
  const StopSignals stop{journal ? fmt::format("what was measured is kept in {}; `{}` resumes", file, options.resuming)
                                 : fmt::format("nothing is kept; `{}` starts over", options.resuming)};
  const auto begin = Clock::now();
  CalibrationProgress progress{part.name};
  MachineProfile profile = part.calibrate({.quick = options.quick,
                                           .energy = options.energy,
                                           .probes = options.probes,
                                           .journal = journal ? &*journal : nullptr,
                                           .progress = std::ref(progress)});
  progress.end();
  if (!options.json) {
    fmt::print("{}: {:.2f} GHz, {} {}; calibrated in {:.0f} s\n", profile.name, profile.clock_hz / 1e9, profile.cores,
               part.cores, seconds_since(begin));
  }
  if (const std::string left_out = cuts(profile); !left_out.empty()) {
    tell(fmt::format("the {}'s calibration was cut short by its time limit: {}", part.name, left_out));
  }
  if (const std::string reason = missing_energy(profile); !reason.empty()) {
    tell(fmt::format("the {}'s energy was not calibrated: {}", part.name, reason));
  }
  if (has_unbound_threads(profile)) {
    tell(
        "the system did not bind threads to their processors, and the profile says so: rates of several threads may be "
        "those of fewer processors");
  }
  if (has_small_pages(profile)) {
    tell(
        "the system gave small pages for memory that requested huge ones, and the profile says so: latencies and rates "
        "may be those of small pages");
  }
  return profile;
}

/// Throws BadInput if the profile could not be written at the end.
void check_out(const std::string& path) {
  try {
    check_replaceable(path);
  } catch (const std::runtime_error& error) {
    throw BadInput(fmt::format("out: {}; nothing was measured", error.what()));
  }
}

/// The machine's existing profile, whose other part is kept. Throws BadInput for the profile of another machine.
std::optional<MachineProfile> profile_before(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  MachineProfile before = read_profile(path);
  if (before.id != machine_id()) {
    throw BadInput(fmt::format("out: '{}' is the profile of {}; this machine is {}", path, before.id, machine_id()));
  }
  return before;
}

/// Throws BadInput if the machine's own profile would hold the tables of some probes only: later commands take it for a
/// whole calibration. Another file may.
void require_rest(const CalibrateOptions& options, const std::optional<MachineProfile>& before) {
  const std::filesystem::path own = local_results(machine_id()) / "profile.json";
  if (std::filesystem::weakly_canonical(options.out) != std::filesystem::weakly_canonical(own)) return;
  const bool of_device = options.only == "device";
  const bool has_rest = before && (of_device ? !before->devices.empty() : !before->tables.empty());
  if (has_rest) return;
  throw BadInput(fmt::format(
      "probe: '{}' has no calibration of this {} to which a probe could be added; run `sortlab calibrate{} --quick` "
      "first, or give --out another file",
      printable(options.out), of_device ? "device" : "host", of_device ? " --only device" : ""));
}

/// Adds the cost of this program's loops on a core to the profile, by static analysis, in at most `limit_s`. Prints one
/// line about success or failure.
void analyse_loops(const std::string& profile, double limit_s, bool says_so) {
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
    const auto begin = Clock::now();
    const ChildOutput run = run_child(
        python_setup({*python, script, own_program(), "--profile", profile, "--build", made_by}),
        [&] { return seconds_since(begin) > limit_s; }, std::chrono::milliseconds{0});
    if (run.too_long) return say(fmt::format("it took longer than {:.0f} s", limit_s));
    const std::string_view said = std::string_view{run.text}.substr(0, run.text.find('\n'));
    if (said.starts_with("loops: ")) return say(said.substr(7));
    if (says_so) fmt::print("{}\n", said);
  } catch (const std::runtime_error& none) {  // no root, or no such program
    say(none.what());
  }
}

void calibrate(CalibrateOptions options) {
  const auto begin = Clock::now();
  if (!options.only.empty() && options.only != "host" && options.only != "device") {
    throw BadInput(fmt::format("only: '{}' is unknown; allowed: host, device", options.only));
  }
  const bool host_only = options.only == "host" || (options.only.empty() && !options.probes.empty());
  const std::string no_device = why_no_device();
  if (options.only == "device" && !no_device.empty()) {
    throw BadInput(fmt::format("only: there is no device to calibrate: {}", no_device));
  }
  if (options.out.empty()) options.out = (local_results(machine_id()) / "profile.json").string();
  const std::string& path = options.out;
  check_out(path);
  const std::optional<MachineProfile> before = profile_before(path);
  if (!options.probes.empty()) require_rest(options, before);
  const Part host{calibrate_host, "host", "threads"};
  const Part of_device{calibrate_device, "device", "multiprocessors"};
  const bool with_device = !host_only && no_device.empty();
  if (options.energy && !with_device) {
    throw BadInput(fmt::format("energy: there is no device to calibrate: {}", host_only ? "--only host" : no_device));
  }
  MachineProfile profile;
  if (options.only == "device") {
    profile = before ? *before : host_facts({.quick = options.quick});
  } else {
    profile = measured(host, options);
    if (before) profile.devices = before->devices;
    if (before && !options.probes.empty()) profile.tables.insert(before->tables.begin(), before->tables.end());
    write_profile(profile, path);  // in case the device fails
    if (options.probes.empty()) {
      const CalibrationLimits limits = calibration_limits(options.quick);
      const double left_s = limits.whole_s - (with_device ? limits.device_s : 0) - seconds_since(begin);
      analyse_loops(path, std::max(limits.least_analysis_s, left_s), !options.json);
      profile = read_profile(path);
    }
  }
  if (with_device) {
    MachineProfile device = measured(of_device, options);
    if (before && !options.probes.empty() && !before->devices.empty()) {
      device.tables.insert(before->devices[0].tables.begin(), before->devices[0].tables.end());
    }
    profile.devices = {std::move(device)};
    write_profile(profile, path);
  } else if (!host_only && options.only.empty() && !options.json) {
    fmt::print("no device: {}{}\n", no_device, profile.devices.empty() ? "" : "; its earlier calibration is kept");
  }
  for (const Part& part : {host, of_device}) std::filesystem::remove(samples_file(path, part));
  if (options.names_file) fmt::print("{}\n", options.json ? to_json(profile).dump() : printable(path));
}

}  // namespace

void calibrate_here(const std::string& path, bool quick, bool energy, const std::string& resuming) {
  CalibrateOptions options;
  options.quick = quick;
  options.energy = energy;
  options.out = path;
  options.names_file = false;
  options.resuming = resuming;
  calibrate(options);
}

void add_calibrate(CLI::App& app, int& /*exit_status*/) {
  CLI::App* command = app.add_subcommand("calibrate", "Measures what this machine can do, for the models");
  auto options = std::make_shared<CalibrateOptions>();
  command->add_flag("--quick", options->quick,
                    "Fewer repetitions and sizes: at most 2 minutes instead of 10, on any number of cores");
  command->add_flag("--energy", options->energy,
                    "Of the GPU: also hold its probes for a second each, and tell joules an operation by its counter "
                    "of energy");
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
