#include <fmt/format.h>

#include <filesystem>

#include "core/printable.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/work.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  CaseOptions cases;
  std::string samples;
  std::string out;
  std::string dump;
  bool json = false;
};

int read_samples(const std::string& text) {
  const nlohmann::json number = nlohmann::json::parse(text, nullptr, false);
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() < 1 || number.get<std::uint64_t>() > 1'000'000) {
    throw BadInput(fmt::format("samples: '{}' is not allowed; allowed: 1 to 1000000", text.substr(0, 40)));
  }
  return number.get<int>();
}

/// Creates the folder for --dump. Throws BadInput if it is not empty, or if a cell is a component.
void make_dump_folder(const std::string& folder, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    for (const Cell& cell : block) {
      if (cell.what.component == nullptr) continue;
      throw BadInput(fmt::format("dump: {} is a component; allowed: whole sorts", cell.what.component->name));
    }
  }
  if (printable(folder) != folder) {
    throw BadInput(
        fmt::format("dump: '{}' is not allowed; allowed: a name in UTF-8 without control characters", folder));
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw BadInput(fmt::format("dump: cannot make {}: {}", folder, error.message()));
  const bool holds_nothing = std::filesystem::is_empty(folder, error);
  if (error) throw BadInput(fmt::format("dump: cannot read {}: {}", folder, error.message()));
  if (!holds_nothing) throw BadInput(fmt::format("dump: {} is not empty; give a new folder", folder));
}

/// Prints one row per cell: the usual figures, with the interval in per cent of the median.
void print_row(const ordered_json& record) {
  const ordered_json& c = record.at("case");
  std::string parameters;
  for (const auto& [name, value] : c.at("parameters").items()) {
    parameters += fmt::format("{}{}={}", parameters.empty() ? ":" : ",", name,
                              value.is_string() ? value.get<std::string>() : value.dump());
  }
  const std::string component = c.contains("component") ? "/" + c["component"].get<std::string>() : "";
  if (const std::string residency = end_to_end_text(c); !residency.empty()) parameters += " " + residency;
  const std::string value = c.at("value_type");
  const std::string type = c.at("key_type").get<std::string>() + (value == "none" ? "" : "/" + value);
  const std::string head = fmt::format(
      "{:<34} {:<9} {:>11} {:<18} {:>3}", c.at("algorithm").get<std::string>() + component + parameters, type,
      c.at("n").get<std::uint64_t>(), c.at("distribution").get<std::string>(), c.at("threads").get<int>());
  if (record.at("status") != "ok") {
    fmt::print("{}  {}: {}\n", head, record.at("status").get<std::string>(),
               printable(record.at("reason").get<std::string>()));
    return;
  }
  const double median = record.at("median_s");
  const double half_width = (record.at("ci95_s").at(1).get<double>() - record.at("ci95_s").at(0).get<double>()) / 2;
  const double n = c.at("n");
  fmt::print("{} {:>10} {:>5.1f} {:>9.3f} {:>9.1f} {:>7.2f} {:>4}{}\n", head, duration_text(median),
             100 * half_width / median, n > 0 ? 1e9 * median / n : 0.0, record.at("keys_per_s").get<double>() / 1e6,
             record.at("cpe_core").is_null() ? 0.0 : record.at("cpe_core").get<double>(), record.at("samples_s").size(),
             record.at("disturbed") == true ? "  disturbed" : "");
}

}  // namespace

void add_bench(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measures cells straight from the command line; never resumes");
  command->footer("Example: sortlab bench --algorithm my_sort --algorithm another_sort --n 2^20 --n 2^24 --samples 9");
  add_case_options(*command, options->cases, true);
  command->add_option("--samples", options->samples, "Exactly this many samples, instead of the stopping rule");
  command->add_option("--out,-o", options->out, "Append the records to this file");
  command->add_option("--dump", options->dump,
                      "New folder for each sort's input and output as NumPy arrays, for `python3 -m plots.check`");
  command->add_flag("--json", options->json, "One JSON record per line on standard output");
  command->callback([options, &exit_status] {
    Protocol protocol;
    if (!options->samples.empty()) protocol.samples = read_samples(options->samples);
    const std::vector<Block> blocks = group_into_blocks(expand_sweeps({make_sweep(options->cases, protocol)}));
    if (!options->dump.empty()) make_dump_folder(options->dump, blocks);
    std::optional<RecordAppender> out;
    if (!options->out.empty()) out.emplace(options->out);
    if (out && !out->repaired().empty()) tell(out->repaired());
    if (!options->json) {
      fmt::print("{:<34} {:<9} {:>11} {:<18} {:>3} {:>10} {:>5} {:>9} {:>9} {:>7} {:>4}\n", "algorithm", "type", "n",
                 "distribution", "thr", "median", "+-%", "ns/key", "Mkeys/s", "cpe", "of");
    }
    const auto show = [&](const ordered_json& record) {
      if (options->json) {
        fmt::print("{}\n", record.dump());
      } else {
        print_row(record);
      }
      std::fflush(stdout);
    };
    const Work work = plan_work(blocks);
    StopSignals stop{fmt::format("nothing is measured yet; `{}` starts over", command_text())};
    stop.hold();
    const SessionResult result =
        run_session(work, {.command = command_line()},
                    {.out = out ? &*out : nullptr,
                     .show = show,
                     .quiet = true,
                     .supervisor = {.time_budget_s = {}, .stop = &stop, .dump = options->dump}});
    if (!options->dump.empty()) {
      fmt::print(stderr, "dump: to check it: python3 -m plots.check {}\n", options->dump);
    }
    exit_status = conclude(result);
    if (stop.caught() != 0 && result.left > 0) {
      tell(fmt::format("sortlab: stopped by {}: {} cells measured{}, {} are left; `{}` starts over",
                       signal_name(stop.caught()), result.measured, out ? " are kept in " + options->out : "",
                       result.left, command_text()));
      exit_status = signal_exit_status(stop.caught());
    }
  });
}

}  // namespace sortlab
