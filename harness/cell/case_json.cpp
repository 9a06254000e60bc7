#include "harness/cell/case_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_field.hpp"
#include "harness/cell/problem.hpp"

namespace sortlab {

using nlohmann::ordered_json;

ordered_json to_json(const Parameters& parameters) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, value] : parameters.all()) {
    std::visit([&](const auto& v) { json[name] = v; }, value);
  }
  return json;
}

GivenParameters read_parameters(const JsonField& field) {
  GivenParameters given;
  for (const auto& [name, member] : field.members()) given[name] = member.scalar();
  return given;
}

ordered_json to_json(const Case& c, const MeasuredFacts& facts) {
  ordered_json json = ordered_json::object();
  for (const CaseField& field : case_fields()) {
    if (field.recorded && (field.applies == nullptr || field.applies(c))) json[field.name] = field.write(c, facts);
  }
  return json;
}

std::string end_to_end_text(const ordered_json& recorded_case) {
  if (!recorded_case.is_object() || !recorded_case.contains("residency")) return {};
  if (recorded_case["residency"] != to_name(Residency::end_to_end)) return {};
  const auto memory = recorded_case.find("host_memory");
  const bool known = memory != recorded_case.end() && memory->is_string();
  return fmt::format("end_to_end{}", known ? "/" + memory->get<std::string>() : "");
}

Case case_from_json(const ordered_json& json, const std::string& where) {
  const JsonField root{json, where};
  Case c;
  for (const CaseField& field : case_fields()) {
    if (field.read == nullptr) continue;
    const bool required = field.applies == nullptr || field.applies(c);
    if (const auto found = required ? root.at(field.name) : root.find(field.name)) field.read(c, *found);
  }
  if (const auto parameters = root.find("distribution_parameters")) {
    c.former_input = !parameters->find("version") && c.distribution.distribution->version(case_input(c)) != 1;
  }
  return c;
}

ordered_json message_from_case(const Case& c) {
  ordered_json json = to_json(c);
  const NamedDistribution& input = c.distribution;
  if (std::string facts = input.distribution->facts_for_workers(input.parameters); !facts.empty()) {
    json["input_facts"] = std::move(facts);
  }
  return json;
}

Case case_from_message(const ordered_json& json, const std::string& where) {
  const auto facts = json.find("input_facts");
  if (facts == json.end()) return case_from_json(json, where);
  const std::string text = json.at("distribution").get<std::string>();
  distribution_named(text.substr(0, text.find(':'))).take_facts(facts->get<std::string>());
  return case_from_json(json, where);
}

}  // namespace sortlab
