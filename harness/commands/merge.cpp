#include "harness/compare/merge.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/commands/commands.hpp"

namespace sortlab {

void add_merge(CLI::App& app, int& exit_status) {
  struct Options {
    std::vector<std::string> inputs;
    std::string out;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", "Writes the union of result sets, each record once");
  command->add_option("FILES", options->inputs, "Records to merge")->required();
  command->add_option("--out", options->out, "File for the union; if it exists, its records stay")->required();
  command->add_flag("--json", options->json, "One JSON object that says what was done");
  command->footer("Example: sortlab merge laptop.jsonl server.jsonl --out all.jsonl");
  command->callback([options, &exit_status] {
    const MergeReport report = merge({options->inputs.begin(), options->inputs.end()}, options->out);
    for (const std::string& note : report.notes) tell(fmt::format("note: {}", note));
    for (const std::string& conflict : report.conflicts) tell(fmt::format("conflict: {}", conflict));
    if (!report.conflicts.empty()) {
      tell(fmt::format("sortlab: {} conflicts; nothing written", report.conflicts.size()));
      exit_status = 1;
    }
    if (options->json) {
      const nlohmann::ordered_json line{{"out", options->out},           {"written", report.conflicts.empty()},
                                        {"records", report.records},     {"duplicates", report.duplicates},
                                        {"conflicts", report.conflicts}, {"notes", report.notes}};
      fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (report.conflicts.empty()) {
      const std::string summary = fmt::format("{}: {} records, {} duplicates left out", printable(options->out),
                                              report.records, report.duplicates);
      if (is_piped_output(options->out.c_str())) {
        tell(summary);  // the records are printed
      } else {
        fmt::print("{}\n", summary);
      }
    }
  });
}

}  // namespace sortlab
