#include "harness/plan/recorded_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {
namespace {

/// The id of a case without its parameters.
std::string id_without_parameters(Case c) {
  c.parameters = {};
  return cell_id(c);
}

bool agree_but_for_auto(const Parameters& asked, const Parameters& recorded) {
  return std::ranges::all_of(asked.all(), [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    const auto found = recorded.all().find(name);
    return found != recorded.all().end() && (asked.is_auto(name) || found->second == value);
  });
}

}  // namespace

RecordedChoices::RecordedChoices(const std::string& machine_id, std::string_view algorithm) {
  // As JSON has them: the sort's records, and those of runs.
  const std::vector<std::string> marks{fmt::format("\"{}\"", algorithm), "\"started\""};
  for (const std::filesystem::path& folder :
       {checkout_root() / "results" / "reference" / machine_id, local_results(machine_id)}) {
    for (const std::filesystem::path& file : record_files(folder, FolderDepth::alone)) {
      const std::vector<nlohmann::ordered_json> records = read_records(file, marks).records;
      starts_.take(records);
      for (const nlohmann::ordered_json& record : records) {
        if (record["kind"] != "measurement" || record.value("status", "") != "ok" || !record.contains("case")) continue;
        try {
          Case c = case_from_json(record.at("case"), file.string());
          choices_[id_without_parameters(c)].emplace_back(record.value("run", ""), std::move(c.parameters));
        } catch (const BadInput&) {
          continue;  // this build does not have the algorithm
        }
      }
    }
  }
}

bool RecordedChoices::apply(Case& c) const {
  const auto of_input = choices_.find(id_without_parameters(c));
  if (of_input == choices_.end()) return false;
  const std::pair<std::string, Parameters>* newest = nullptr;
  for (const auto& choice : of_input->second) {
    if (!agree_but_for_auto(c.parameters, choice.second)) continue;
    if (newest == nullptr || starts_.of(newest->first) <= starts_.of(choice.first)) newest = &choice;
  }
  if (newest != nullptr) c.parameters = newest->second;
  return newest != nullptr;
}

std::function<void(Case&)> make_chooser(const MachineProfile& machine, std::set<std::string>& chosen_here) {
  return [&machine, &chosen_here, recorded = std::map<std::string, RecordedChoices>{}](Case& c) mutable {
    const Info& info = c.algorithm->info();
    const auto is_auto = [&](const Parameter& parameter) { return c.parameters.is_auto(parameter.name); };
    if (std::ranges::none_of(info.parameters, is_auto)) return;
    auto of_sort = recorded.find(info.name);
    if (of_sort == recorded.end()) of_sort = recorded.emplace(info.name, RecordedChoices{machine.id, info.name}).first;
    // A record that is older than a parameter leaves it `auto`.
    if (of_sort->second.apply(c) && std::ranges::none_of(info.parameters, is_auto)) return;
    if (algorithm_models(info.name).empty()) return;
    for (const Parameter& parameter : info.parameters) {
      if (info.runs_on == Processor::host && c.parameters.is_auto(parameter.name) &&
          c.algorithm->automatic(parameter.name, case_problem(c), {.threads = c.threads, .cpus = {}})) {
        chosen_here.insert(info.name + " " + parameter.name);
      }
    }
    resolve_automatic(c, &machine);
  };
}

}  // namespace sortlab
