#include "harness/predict/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "core/printable.hpp"
#include "core/replace_file.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/predict_cases.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/what_if_energy.hpp"
#include "harness/record/record_appender.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct WhatIfOptions {
  std::optional<double> power_cap_w;
  std::optional<double> dram_traffic;
  CaseOptions cases;
  std::string machine;
  std::string model;
  std::vector<std::string> set;
  double by = 2;
  std::string out;
  bool json = false;
};

const Model* model_named(const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const Model* model : all_models()) {
    const ModelKind kind = model->info().kind;
    if (kind != ModelKind::component && kind != ModelKind::hardware) continue;
    if (model->info().name == name) return model;
    names.push_back(model->info().name);
  }
  throw BadInput(fmt::format("model: unknown name '{}'{}; allowed: {}", name, did_you_mean(name, names), join(names)));
}

double predicted_seconds(const Json& record) {
  return record["seconds"].get<double>();
}

/// The share of time in which each resource binds: "dram 61 %, latency 39 %".
std::string binding_text(const Json& record) {
  std::map<std::string, double> by_resource;
  double all = 0;
  for (const Json& phase : record["phases"]) {
    by_resource[phase["binding"].get<std::string>()] += phase["seconds"].get<double>();
    all += phase["seconds"].get<double>();
  }
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [resource, seconds] : by_resource) sorted.emplace_back(seconds, resource);
  std::ranges::sort(sorted, std::greater{});
  std::vector<std::string> said;
  for (const auto& [seconds, resource] : sorted) {
    if (seconds >= 0.005 * all) said.push_back(fmt::format("{} {:.0f} %", resource, 100 * seconds / all));
  }
  return join(said);
}

void print_for_people(const WhatIf& found, const std::string& cell, double by) {
  const double asked = predicted_seconds(found.asked);
  const std::string base = printable(found.asked["profile"]["name"].get<std::string>());
  fmt::print("{}\n  {} ({}) on {}: {:.4g} ms; bound by {}\n", printable(cell), found.now["model"].get<std::string>(),
             found.now["model_kind"].get<std::string>(), printable(found.now["profile"]["name"].get<std::string>()),
             1e3 * predicted_seconds(found.now), binding_text(found.now));
  if (found.asked.contains("what_if")) {
    fmt::print("  {}: {:.4g} ms, {:.3f} times as fast as {}; bound by {}\n", base, 1e3 * asked,
               predicted_seconds(found.now) / asked, printable(found.now["profile"]["name"].get<std::string>()),
               binding_text(found.asked));
  }
  fmt::print("    times as fast as {}, of which one resource changes:\n", base);
  fmt::print("    {:<24}{:>16}{:>16}   then bound by\n", "resource", fmt::format("{:g} x as good", by),
             fmt::format("{:g} x as bad", by));
  std::vector<const WhatIf::Varied*> order;
  for (const WhatIf::Varied& one : found.varied) {
    if (one.why_not.empty()) order.push_back(&one);
  }
  std::ranges::stable_sort(order, {}, [](const WhatIf::Varied* one) { return predicted_seconds(one->better); });
  for (const WhatIf::Varied* one : order) {
    fmt::print("    {:<24}{:>16.3f}{:>16.3f}   {}\n", one->resource.name, asked / predicted_seconds(one->better),
               asked / predicted_seconds(one->worse), binding_text(one->better));
  }
}

std::vector<const Json*> all_records(const WhatIf& found) {
  std::vector<const Json*> records{&found.now};
  if (found.asked.contains("what_if")) records.push_back(&found.asked);
  for (const WhatIf::Varied& one : found.varied) {
    if (one.why_not.empty()) records.insert(records.end(), {&one.better, &one.worse});
  }
  return records;
}

fs::path write(const std::vector<WhatIf>& answers, const std::string& folder) {
  const fs::path path = fs::path{folder} / "what_if.jsonl";
  std::string text;
  for (const WhatIf& found : answers) {
    for (const Json* record : all_records(found)) text += record_line(*record) + '\n';
  }
  replace_file(path, text);
  return path;
}

Json state_json(const EnergyState& state) {
  return {{"seconds", state.seconds},
          {"joules", state.energy.joules},
          {"watts", state.watts()},
          {"clock_share", state.clock}};
}

/// Answers questions on energy, one line a state, or one JSON object a case.
void ask_energy(const WhatIfOptions& options, const MachineProfile& machine, const std::vector<Case>& cases) {
  if (!options.set.empty()) throw BadInput("set: not together with power-cap and dram-traffic; allowed: one of them");
  const auto positive = [](const char* name, double value) {
    if (!(value > 0 && value <= 1e6)) throw BadInput(fmt::format("{}: {:g}; allowed: above 0, up to 1e6", name, value));
  };
  if (options.power_cap_w) positive("power-cap", *options.power_cap_w);
  if (options.dram_traffic) positive("dram-traffic", *options.dram_traffic);
  const EnergyQuestion question{.power_cap_w = options.power_cap_w, .dram_traffic = options.dram_traffic.value_or(1)};
  for (const Case& c : cases) {
    const EnergyAnswer answer = what_if_energy(c, machine, question);
    if (options.json) {
      const Json cap = options.power_cap_w ? Json(*options.power_cap_w) : Json();
      fmt::print("{}\n", Json{{"case", to_json(c)},
                              {"model", answer.model->info().name},
                              {"power_cap_w", cap},
                              {"dram_traffic", question.dram_traffic},
                              {"now", state_json(answer.now)},
                              {"asked", state_json(answer.asked)}}
                             .dump());
      continue;
    }
    fmt::print("{} by {}\n", printable(case_text(c)), answer.model->info().name);
    for (const auto& [name, state] : {std::pair{"now", &answer.now}, std::pair{"asked", &answer.asked}}) {
      fmt::print("  {:<6}{:>10.4g} ms {:>10.4g} J {:>8.0f} W at {:3.0f} % of the clock\n", name, 1e3 * state->seconds,
                 state->energy.joules, state->watts(), 100 * state->clock);
    }
  }
}

void ask(const WhatIfOptions& options, int& exit_status) {
  if (!options.cases.any()) throw BadInput("algorithm: none given; allowed: those of `sortlab list algorithms`");
  if (!(options.by >= 1.01 && options.by <= 100)) {
    throw BadInput(fmt::format("by: {:g}; allowed: from 1.01 to 100", options.by));
  }
  const Model* const model = model_named(options.model);
  const MachineProfile machine = profile_named(options.machine);
  const PredictedCases asked = cases_on(machine, options.cases, "");
  if (std::ranges::any_of(asked.cases, [](const Case& c) { return c.n == 0; })) {
    throw BadInput("n: 0 elements take no time, so that no resource matters; allowed: 1 to 2^40");
  }
  if (asked.cases.empty()) throw BadInput("nothing can be predicted: " + asked.left_out.front());
  const bool device = runs_on_device(asked.cases.front());
  if (std::ranges::any_of(asked.cases, [&](const Case& c) { return runs_on_device(c) != device; })) {
    throw BadInput("algorithm: sorts of a GPU and of a host have other resources; allowed: one kind at a time");
  }
  if (options.power_cap_w || options.dram_traffic) {
    ask_energy(options, machine, asked.cases);
    exit_status = 0;
    return;
  }
  const WhatIfAsked question{.set = read_factors(options.set, device), .by = options.by, .model = model};

  std::vector<WhatIf> answers;
  for (const Case& c : asked.cases) answers.push_back(what_if(c, machine, question));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (options.json) {
      for (const Json* record : all_records(answers[i])) fmt::print("{}\n", record->dump());
    } else {
      print_for_people(answers[i], case_text(asked.cases[i]), options.by);
    }
    for (const WhatIf::Varied& one : answers[i].varied) {
      if (!one.why_not.empty()) tell(fmt::format("not varied: {}: {}", one.resource.name, one.why_not));
    }
  }
  exit_status = 0;
  if (options.out.empty()) return;
  const std::string records = write(answers, options.out).string();
  flush_standard_output();
  const std::vector<const char*> render{"sortlab",  "render",  "--records", records.c_str(),
                                        "--figure", "WHAT-IF", "--out",     options.out.c_str()};
  run_python_command(static_cast<int>(render.size()), render.data());
}

}  // namespace

void add_what_if(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("what-if", "Predicts what more, or less, of each resource of a machine does to sorts");
  auto options = std::make_shared<WhatIfOptions>();
  add_case_options(*command, options->cases, false);
  command->add_option("--machine", options->machine,
                      "A profile of `sortlab list machines`, its file, or a machine's id; default: this machine");
  command
      ->add_option("--set", options->set, "RESOURCE=FACTOR, as in memory.bandwidth=2x: a machine changed in this way")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--power-cap", options->power_cap_w,
                      "Of GPU sorts: time and joules under this cap in watts; needs a profile by `calibrate --energy`");
  command->add_option("--dram-traffic", options->dram_traffic,
                      "Of GPU sorts: time and joules with so many times the traffic with memory, as 0.5");
  command->add_option("--by", options->by, "Factor by which each resource alone gets better, and worse (2)");
  command->add_option("--model", options->model,
                      "Only this model; default: the first of kind component, else of kind hardware");
  command->add_option("--out", options->out, "Write what_if.jsonl and a page with tornado charts to this folder");
  command->add_flag("--json", options->json, "Print the records on standard output");
  const auto names = [](bool device) {
    std::vector<std::string> all;
    for (const Resource& resource : scalable_resources(device)) all.emplace_back(resource.name);
    return join(all);
  };
  command->footer(
      fmt::format("Resources of a GPU: {}.\nOf a host: {}.\nExample: sortlab what-if -a cub_radix -a "
                  "cub_merge -n 2^26 --machine b200 --set memory.bandwidth=2x",
                  names(true), names(false)));
  command->callback([options, &exit_status] { ask(*options, exit_status); });
}

}  // namespace sortlab
