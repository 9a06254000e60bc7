#include "harness/calibration/calibrate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/checkout.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine.hpp"

namespace sortlab {

void add_calibrate(CLI::App& app, int& /*exit_status*/) {
  CLI::App* command = app.add_subcommand("calibrate", "Measures what this machine can do, for the models");
  struct Options {
    bool quick = false;
    bool json = false;
    std::string out;
  };
  auto options = std::make_shared<Options>();
  command->add_flag("--quick", options->quick, "fewer repetitions: at most a minute on two cores");
  command->add_option("--out", options->out, "the profile to write; else results/local/<machine>/profile.json");
  command->add_flag("--json", options->json, "print the profile on standard output");
  command->footer("Example: sortlab calibrate --quick");
  command->callback([options] {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const auto begin = std::chrono::steady_clock::now();
    MachineProfile profile = calibrate({.quick = options->quick, .progress = [terminal](double share) {
                                          if (terminal) fmt::print(stderr, "\rcalibrating: {:3.0f} %", 100 * share);
                                        }});
    if (terminal) fmt::print(stderr, "\r                    \r");
    const std::string path =
        options->out.empty() ? (local_results(machine_id()) / "profile.json").string() : options->out;
    write_profile(profile, path);
    if (options->json) {
      fmt::print("{}\n", to_json(profile).dump());
      return;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("{}: {:.2f} GHz, {} threads; calibrated in {:.0f} s\n{}\n", profile.name, profile.clock_hz / 1e9,
               profile.cores, seconds, path);
  });
}

}  // namespace sortlab
