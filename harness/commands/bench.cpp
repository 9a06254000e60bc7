#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/parse.hpp"
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
  std::string processes;
  std::string out;
  std::string dump;
  bool energy = false;
  bool wait_for_quiet = false;
  bool json = false;
};

/// Creates the folder for --dump. Throws BadInput if it is not empty, or if a cell is a component or lies in shards.
void make_dump_folder(const std::string& folder, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    for (const Cell& cell : block) {
      if (cell.subject.residency == Residency::shards) {
        throw BadInput(
            fmt::format("dump: {} sorts shards; allowed: sorts of one array", cell.subject.algorithm->info().name));
      }
      if (cell.subject.component == nullptr) continue;
      throw BadInput(fmt::format("dump: {} is a component; allowed: whole sorts", cell.subject.component->name));
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

/// Takes the words `fresh` and `same` from the values of --input, which are files otherwise. True if the last is
/// `same`. A file with such a name is given as ./same.
bool take_input_words(CaseOptions& cases) {
  bool same = false;
  std::erase_if(cases.inputs, [&](const std::string& input) {
    if (input != "fresh" && input != "same") return false;
    same = input == "same";
    return true;
  });
  return same;
}

/// Throws BadInput for a file with more keys than this machine's memory can hold and sort. Other cells are skipped.
void refuse_large_files(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    const NamedDistribution& input = block.front().subject.distribution;
    if (!input.distribution->extent(input.parameters)) continue;
    const auto reason = reason_to_skip(block.front());
    if (!reason || reason->code != ReasonCode::too_little_memory) continue;
    throw BadInput(
        fmt::format("input: {}: {}; -n takes fewer of the file's keys", input.parameters.word("name"), reason->text));
  }
}

/// Without a file of records, what is printed is all that the measuring is for. A signal ends the run by itself.
void stop_if_output_is_lost(const StopSignals& stop) {
  if (lost_output() && stop.caught() == 0)
    throw std::runtime_error("standard output cannot be written, and there is no --out");
}

/// A line below the row of a cell whose energy was asked for.
std::string energy_text(const Cell& cell, const CellEnergy& energy) {
  if (!energy.reason.empty()) return fmt::format("    no energy: {}\n", printable(energy.reason));
  const ValueAndInterval gross = energy.gross();
  const double n = static_cast<double>(cell.subject.n);
  std::string text = fmt::format(
      "    {:.4g} J a sort +-{:.1f} % ({:.4g} J net of idle), {:.4g} nJ a key, {:.4g} W while sorting, {:.4g} W idle\n",
      gross.value, 100 * (gross.ci95[1] - gross.value) / gross.value, energy.net().value,
      n > 0 ? 1e9 * gross.value / n : 0.0, energy.mean_power_w(), (energy.idle_before_w + energy.idle_after_w) / 2);
  if (!energy.missing.empty()) text += fmt::format("    not part of it: {}\n", printable(energy.missing));
  const double integrated = energy.integrated_over_counter.value_or(1);
  if (std::abs(integrated - 1) > kMaxPowerDifference) {
    text += fmt::format("    not to be believed: the driver's power, integrated, is {:.1f} % of the counter's joules\n",
                        100 * integrated);
  }
  return text;
}

/// One row of a cell: the figures that people compare, with the interval in per cent of the median.
std::string row_text(const Cell& cell, const Measured& m) {
  const Case& c = cell.subject;
  const Info& info = c.algorithm->info();
  std::string name = info.name;
  if (c.component != nullptr) name += "/" + c.component->name;
  std::string separator = ":";
  const Parameters shown = recorded(info.parameters, c.parameters);
  for (const auto& [parameter, value] : shown.all()) {
    name += fmt::format("{}{}={}", std::exchange(separator, ","), parameter, to_text(value));
  }
  if (c.residency == Residency::end_to_end) name += fmt::format(" end_to_end/{}", to_name(c.host_memory));
  if (c.residency == Residency::shards) {
    name += fmt::format(" devices={} {}", to_text(c.devices), to_name(c.shard_sizes));
  }
  std::string type{to_name(c.key)};
  if (c.value != ValueType::none) type += fmt::format("/{}", to_name(c.value));
  const std::string head =
      fmt::format("{:<34} {:<9} {:>11} {:<18} {:>3}", name, type, c.n, c.distribution.text, c.threads);
  if (m.status != Status::ok) {
    return fmt::format("{}  {}: {}", head, to_name(m.status), printable(m.reason));
  }
  const auto n = static_cast<double>(c.n);
  // One sample has no interval.
  const std::string width = m.samples_s.size() > 1 ? half_width_text(m.median_s, m.ci95_s) : "none";
  return fmt::format("{} {:>10} {:>5} {:>9.3f} {:>9.1f} {:>7.2f} {:>4}{}", head, duration_text(m.median_s), width,
                     n > 0 ? 1e9 * m.median_s / n : 0.0, n / m.median_s / 1e6, m.cpe_core.value_or(0),
                     m.samples_s.size(), m.is_disturbed() ? "  disturbed" : "");
}

}  // namespace

void add_bench(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measures cells straight from the command line; never resumes");
  command->footer("Example: sortlab bench --algorithm my_sort --algorithm another_sort --n 2^20 --n 2^24 --samples 9");
  add_case_options(*command, options->cases, true,
                   fmt::format("{}. Or each sample's input: fresh, or the same again, which a processor learns and "
                               "sorts too fast (default: fresh)",
                               kInputMeaning));
  command->add_option("--samples", options->samples, "Exactly this many samples, instead of the stopping rule");
  command->add_option("--processes", options->processes,
                      "Worker processes that take the samples, one after the other; 3 unless given");
  command->add_option("--out,-o", options->out, "Append the records to this file");
  command->add_option("--dump", options->dump,
                      "New folder for each sort's input and output as NumPy arrays, for `sortlab check`");
  command->add_flag("--energy", options->energy,
                    "Then run each sort back to back for some 16 s, and tell what it costs in joules");
  command->add_flag("--wait-for-quiet", options->wait_for_quiet,
                    "Before each sample wait until other programs leave its processors free, up to an hour in all");
  command->add_flag("--json", options->json, "One JSON record per line on standard output");
  command->callback([options, &exit_status] {
    Protocol protocol;
    protocol.same_input = take_input_words(options->cases);
    protocol.energy = options->energy;
    if (!options->samples.empty()) {
      protocol.samples = static_cast<int>(parse_count(options->samples, {"samples", 1, 1'000'000}));
    }
    if (!options->processes.empty()) {
      protocol.processes = static_cast<int>(parse_count(options->processes, {"processes", 1, 1000}));
    }
    const std::vector<Block> blocks = group_into_blocks(expand_sweeps(make_sweeps(options->cases, protocol)));
    refuse_large_files(blocks);
    if (!options->dump.empty()) make_dump_folder(options->dump, blocks);
    std::optional<RecordAppender> out;
    if (!options->out.empty()) {
      RecordAppender::refuse_output(options->out);
      out.emplace(options->out);
    }
    if (out) std::ranges::for_each(out->notes(), tell);
    if (!options->json) {
      print_now(fmt::format("{:<34} {:<9} {:>11} {:<18} {:>3} {:>10} {:>5} {:>9} {:>9} {:>7} {:>4}\n", "algorithm",
                            "type", "n", "distribution", "thr", "median", "+-%", "ns/key", "Mkeys/s", "cpe", "of"));
    }
    StopSignals stop{fmt::format("nothing is measured yet; `{}` starts over", command_text())};
    SessionOptions session{.out = out ? &*out : nullptr, .quiet = true, .supervisor = {}};
    if (options->json) {
      session.recorded = [&stop, kept = out.has_value()](const ordered_json& record) {
        print_now(record_line(record) + '\n');
        if (!kept) stop_if_output_is_lost(stop);
      };
    } else {
      session.measured = [&stop, kept = out.has_value()](const Cell& cell, const Measured& m) {
        print_now(row_text(cell, m) + '\n');
        if (m.energy) print_now(energy_text(cell, *m.energy));
        if (!kept) stop_if_output_is_lost(stop);
      };
    }
    const Work work = plan_work(blocks);
    stop.hold();
    session.supervisor = {
        .time_budget_s = {}, .stop = &stop, .dump = options->dump, .wait_for_quiet = options->wait_for_quiet};
    const SessionResult result = run_session(work, {.command = command_line()}, session);
    if (stop.caught() != 0 && result.left > 0) {
      tell(fmt::format("sortlab: stopped by {}: {} cells measured{}, {} are left; `{}` starts over",
                       signal_name(stop.caught()), result.measured, out ? " are kept in " + options->out : "",
                       result.left, command_text()));
      exit_status = signal_exit_status(stop.caught());
      return;
    }
    if (!options->dump.empty()) {
      tell(fmt::format("dump: to check it: sortlab check {}", shell_word(options->dump)));
    }
    exit_status = conclude(result);
  });
}

}  // namespace sortlab
