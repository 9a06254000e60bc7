#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/interleaved.hpp"
#include "harness/compare/gate.hpp"
#include "harness/run/session.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr std::array kVerdicts{Verdict::faster, Verdict::slower, Verdict::same, Verdict::ambiguous,
                               Verdict::incomparable};

struct CompareOptions {
  std::string a;
  std::string b;
  InterleavedRun interleaved{};  ///< without a config: A and B are records
  std::string metric{to_name(Metric::time)};
  double fail_if_slower = 0;  ///< percent
  bool json = false;
};

template <class T>
ordered_json known(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json comparison_json(const CellComparison& cell, Metric metric) {
  const bool is_time = metric == Metric::time;
  return {{"cell", cell.cell},
          {"verdict", verdict_text(cell.verdict, metric)},
          {"reason", cell.reason.empty() ? ordered_json(nullptr) : ordered_json(cell.reason)},
          {"case", cell.subject},
          {is_time ? "a_s" : "a_joules", known(cell.a)},
          {is_time ? "b_s" : "b_joules", known(cell.b)},
          {"ratio", cell.ratio ? ordered_json(cell.ratio->value) : ordered_json(nullptr)},
          {"ci95", cell.ratio ? ordered_json{cell.ratio->lower, cell.ratio->upper} : ordered_json(nullptr)},
          {"median_ratio", known(cell.medians)}};
}

ordered_json summary_json(const Comparison& comparison) {
  ordered_json counts;
  for (const Verdict verdict : kVerdicts) counts[verdict_text(verdict, comparison.metric)] = comparison.count(verdict);
  return {{"cells", comparison.cells.size()},          {"counts", counts},
          {"skipped_in_both", comparison.skipped},     {"typical_ratio", known(comparison.typical)},
          {"process_noise", comparison.process_noise}, {"notes", comparison.notes}};
}

void print_json(const ordered_json& value) {
  fmt::print("{}\n", value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

/// A value in thousandths of its unit.
std::string in_thousandths(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value * 1e3) : "-";
}

void print_text(const Comparison& comparison) {
  const Metric metric = comparison.metric;
  std::vector<std::vector<std::string>> rows;
  for (const CellComparison& cell : comparison.cells) {
    const std::string value = member_text(cell.subject, "value_type");
    rows.push_back(
        {verdict_text(cell.verdict, metric), runner_text(cell.subject),
         member_text(cell.subject, "key_type") + (value == "none" ? "" : "/" + value), member_text(cell.subject, "n"),
         member_text(cell.subject, "distribution"), member_text(cell.subject, "threads"), in_thousandths(cell.a),
         in_thousandths(cell.b), cell.ratio ? fmt::format("{:.3f}", cell.ratio->value) : "-",
         cell.ratio ? fmt::format("[{:.3f}, {:.3f}]", cell.ratio->lower, cell.ratio->upper) : "-", cell.reason});
  }
  const std::string unit = metric == Metric::time ? " ms" : " mJ";
  fmt::print("{}\n",
             table({"verdict", "algorithm", "type", "n", "input", "threads", "A" + unit, "B" + unit, "B/A", "95 %", ""},
                   rows));
  for (const std::string& note : comparison.notes) fmt::print("note: {}\n", printable(note));
  fmt::print("{} cells:", comparison.cells.size());
  for (const Verdict verdict : kVerdicts) {
    fmt::print(" {} {},", comparison.count(verdict), verdict_text(verdict, metric));
  }
  if (comparison.skipped > 0) fmt::print(" {} more skipped in both,", comparison.skipped);
  fmt::print(" noise between {} {:.1f} %", metric == Metric::time ? "processes" : "windows",
             100 * comparison.process_noise);
  if (comparison.typical) fmt::print(", typical B/A {:.3f}", *comparison.typical);
  fmt::print("\n");
}

}  // namespace

void add_compare(CLI::App& app, int& exit_status) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "Compares two result sets: for each cell, is B faster or slower than A?");
  command->add_option("A", options->a, "Records to compare with; with --interleaved a program")->required();
  command->add_option("B", options->b, "Records to judge; with --interleaved a program")->required();
  CLI::Option* interleaved = command->add_option(
      "--interleaved", options->interleaved.config,
      "Measure this config by two builds of sortlab, A and B, that take samples in turn, so that what slows one slows "
      "the other: for machines that others use");
  command->add_option("--filter", options->interleaved.filter, "With --interleaved: as for `run`")->needs(interleaved);
  command
      ->add_option("--samples", options->interleaved.samples,
                   "With --interleaved: samples of each cell by each program")
      ->needs(interleaved)
      ->check(CLI::Range(6, 100'000))
      ->capture_default_str();
  command
      ->add_option("--processes", options->interleaved.processes,
                   "With --interleaved: worker processes that take the samples")
      ->needs(interleaved)
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command
      ->add_option("--out,-o", options->interleaved.out,
                   "With --interleaved: new folder for the records, a.jsonl and b.jsonl")
      ->needs(interleaved);
  command
      ->add_option("--metric", options->metric,
                   "What to compare: time, or the joules of a sort, where they were metered (--energy)")
      ->check(CLI::IsMember(all_names<Metric>()))
      ->capture_default_str();
  CLI::Option* threshold = command->add_option(
      "--fail-if-slower", options->fail_if_slower,
      "Exit with status 1 if a cell is judged slower, by more than this many percent; 3 if a sort of B is "
      "wrong or failed; 4 if no cell could be judged");
  command->add_flag("--json", options->json, "One JSON object per cell, then a summary");
  command->footer(
      "Example: sortlab compare before.jsonl after.jsonl --fail-if-slower 5\n"
      "Example: sortlab compare old/sortlab new/sortlab --interleaved configs/quick.json --filter std_sort");
  command->callback([options, threshold, &exit_status] {
    if (threshold->count() > 0 && !(options->fail_if_slower >= 0 && options->fail_if_slower <= 1000)) {
      throw BadInput("--fail-if-slower: allowed: 0 to 1000 percent");
    }
    std::optional<InterleavedRecords> measured;
    if (!options->interleaved.config.empty()) {
      StopSignals stop{fmt::format("nothing is measured yet; `{}` starts over", command_text())};
      stop.hold();
      measured.emplace(measure_interleaved(options->a, options->b, options->interleaved, stop));
      if (stop.caught() != 0) {
        tell(fmt::format("sortlab: stopped by {}: {}", signal_name(stop.caught()),
                         kept_after_signal(options->interleaved)));
        exit_status = signal_exit_status(stop.caught());
        return;
      }
    }
    const Metric metric = *value_named<Metric>(options->metric);
    const Comparison comparison =
        measured ? compare(measured->a, measured->b, metric) : compare(options->a, options->b, metric);
    if (options->json) {
      for (const CellComparison& cell : comparison.cells) print_json(comparison_json(cell, comparison.metric));
      print_json(summary_json(comparison));
    } else {
      print_text(comparison);
    }
    if (threshold->count() == 0) return;
    const GateAnswer answer = gate(comparison, options->fail_if_slower);
    std::ranges::for_each(answer.lines, tell);
    exit_status = static_cast<int>(answer.status);
  });
}

}  // namespace sortlab
