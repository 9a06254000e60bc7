#include "harness/cell/cell_id.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "core/json_field.hpp"
#include "core/names.hpp"
#include "harness/cell/case_fields.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/machine/gpu.hpp"

namespace sortlab {

using nlohmann::ordered_json;

namespace {

/// Parameters in the order in which identities hold them: by name, the version of a distribution last.
ordered_json in_order(const ordered_json& parameters) {
  ordered_json ordered = nlohmann::json(parameters);
  const auto version = ordered.find("version");
  if (version == ordered.end()) return ordered;
  ordered_json value = *version;
  ordered.erase(version);
  ordered["version"] = std::move(value);
  return ordered;
}

}  // namespace

std::string cell_id(const ordered_json& recorded_case) {
  ordered_json json = ordered_json::object();
  for (const CaseField& field : case_fields()) {
    if (!field.identifies) continue;
    if (!field.recorded) {  // the state of the caches, which follows from the residency
      json[field.name] = cache_state(*value_named<Residency>(recorded_case.at("residency").get<std::string>()));
      continue;
    }
    const auto found = recorded_case.find(field.name);
    if (found == recorded_case.end()) continue;
    if (found->is_object()) {
      json[field.name] = in_order(*found);
    } else if (found->is_number()) {
      json[field.name] = JsonField{*found, field.name}.integer(0, INT64_MAX);  // 1000.0 is 1000
    } else {
      json[field.name] = *found;
    }
  }
  return digest_of_text(json.dump());
}

std::string cell_id(const Case& c) {
  return cell_id(to_json(c));
}

std::string resume_key(const Case& c, std::string_view machine_id) {
  const Info& info = c.algorithm->info();
  ordered_json facts{cell_id(c), machine_id, build_digest(info.name), info.version};
  if (info.runs_on != Processor::host) facts.push_back(gpus_here().names.empty() ? "" : gpus_here().names.front());
  // A module's distribution may make other keys once it is built again.
  const std::string& distribution = c.distribution.distribution->info().name;
  if (const std::string* digest = find_build_digest(distribution_digest_name(distribution))) facts.push_back(*digest);
  return digest_of_text(facts.dump());
}

}  // namespace sortlab
