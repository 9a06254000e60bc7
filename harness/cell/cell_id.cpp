#include "harness/cell/cell_id.hpp"

#include <nlohmann/json.hpp>

#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "harness/cell/case_fields.hpp"
#include "harness/machine/gpu.hpp"

namespace sortlab {

using nlohmann::ordered_json;

std::string cell_id(const Case& c) {
  ordered_json json = ordered_json::object();
  for (const CaseField& field : case_fields()) {
    if (field.identifies && (field.applies == nullptr || field.applies(c))) json[field.name] = field.write(c, {});
  }
  return digest_of_text(json.dump());
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
