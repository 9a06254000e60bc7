#include "harness/commands/doctor_report.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine/loaded_libraries.hpp"

namespace sortlab {

void add_doctor(CLI::App& app, int& /*exit_status*/) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("doctor", "Says what is here, what is missing, and what each missing thing costs");
  command->add_flag("--json", *json, "One JSON object per finding");
  command->footer("Example: sortlab doctor");
  command->callback([json] {
    for (const Finding& finding : examine()) {
      if (*json) {
        const nlohmann::ordered_json line{
            {"what", finding.what}, {"good", finding.good}, {"detail", finding.detail}, {"cost", finding.cost}};
        fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        continue;
      }
      fmt::print("{:<3} {:<18} {}\n", finding.good ? "ok" : "!", finding.what, printable(finding.detail));
      if (!finding.cost.empty()) fmt::print("{:22} costs: {}\n", "", finding.cost);
    }
  });
}

void add_loaded_libraries(CLI::App& app) {
  CLI::App* command = app.add_subcommand(kLibrariesCommand, "The shared libraries of this start of the program");
  command->group("");  // internal
  command->callback([] { fmt::print("{}\n", nlohmann::json(loaded_libraries()).dump()); });
}

}  // namespace sortlab
