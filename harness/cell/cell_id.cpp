#include "harness/cell/cell_id.hpp"

#include <nlohmann/json.hpp>

#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/gpu.hpp"

namespace sortlab {

using nlohmann::ordered_json;

std::string cell_id(const Case& c) {
  const Info& info = c.algorithm->info();
  ordered_json json{{"algorithm", info.name},
                    {"parameters", to_json(recorded(info.parameters, c.parameters))},
                    {"key_type", name_of(c.key)},
                    {"value_type", name_of(c.value)},
                    {"layout", name_of(c.layout)},
                    {"n", c.n},
                    {"distribution", c.distribution.text},
                    {"distribution_parameters", to_json(c.distribution.distribution->resolved(input_of(c)))},
                    {"seed", c.seed},
                    {"residency", name_of(c.residency)},
                    {"threads", c.threads},
                    {"cache", cache_state(c.residency)}};
  if (c.component != nullptr) json["component"] = c.component->name;
  if (c.residency == Residency::end_to_end) json["host_memory"] = name_of(c.host_memory);
  return digest_of_text(json.dump());
}

std::string key_of(const Case& c, std::string_view machine_id) {
  const Info& info = c.algorithm->info();
  ordered_json facts{cell_id(c), machine_id, build_digest(info.name), info.version};
  if (info.runs_on != Processor::host) facts.push_back(gpus_here().names.empty() ? "" : gpus_here().names.front());
  return digest_of_text(facts.dump());
}

}  // namespace sortlab
