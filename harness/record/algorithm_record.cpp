#include "harness/record/algorithm_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/record/record_appender.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

template <class Types>
ordered_json to_names(const Types& types) {
  ordered_json names = ordered_json::array();
  for (const auto type : types) names.push_back(to_name(type));
  return names;
}

/// Returns the parameters given, each with its own type. Throws BadInput for one that the algorithm does not take.
ordered_json typed(const Info& info, const std::string& role, const GivenParameters& given) {
  const Parameters resolved = resolve(fmt::format("{} as {}", info.name, role), info.parameters, given);
  ordered_json parameters = ordered_json::object();
  for (const auto& [name, text] : given) {
    std::visit([&](const auto& value) { parameters[name] = value; }, resolved.all().at(name));
  }
  return parameters;
}

}  // namespace

ordered_json algorithm_facts(const Info& info) {
  ordered_json presets = ordered_json::object();
  for (const auto& [name, given] : info.presets) presets[name] = given;
  ordered_json limits = ordered_json::array();
  for (const Limit& limit : info.limits) limits.push_back(limit.text);
  ordered_json roles = ordered_json::object();
  for (const auto& [role, given] : info.roles) roles[role] = typed(info, role, given);
  return {
      {"name", info.name},
      {"title", info.title.empty() ? info.name : info.title},
      {"source", info.source},
      {"family", info.family},
      {"origin", to_name(info.origin)},
      {"paper", info.paper.empty() ? ordered_json() : ordered_json(info.paper)},
      {"runs_on", to_name(info.runs_on)},
      {"parallel", info.parallel},
      {"stable", info.stable},
      {"in_place", info.in_place},
      {"allocates_inside", info.allocates_inside},
      {"keys", to_names(info.keys)},
      {"values", to_names(info.values)},
      {"layouts", to_names(info.layouts)},
      {"presets", std::move(presets)},
      {"roles", std::move(roles)},
      {"phases", info.phases},
      {"limits", std::move(limits)},
  };
}

ordered_json algorithm_record(const Info& info) {
  ordered_json record{{"schema", 1}, {"kind", "algorithm"}};
  record.update(algorithm_facts(info));
  return record;
}

void append_algorithms(RecordAppender& out) {
  for (const Algorithm* algorithm : all_algorithms()) out.append_once(algorithm_record(algorithm->info()));
}

}  // namespace sortlab
