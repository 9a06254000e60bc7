#include "harness/cell/protocol.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/json_field.hpp"

namespace sortlab {

nlohmann::ordered_json to_json(const Protocol& protocol) {
  nlohmann::ordered_json json{{"processes", protocol.processes},           {"warmup", protocol.warmup},
                              {"interval_share", protocol.interval_share}, {"min_samples", protocol.min_samples},
                              {"max_samples", protocol.max_samples},       {"budget_s", protocol.budget_s}};
  if (protocol.samples) json["samples"] = *protocol.samples;
  if (protocol.same_input) json["input"] = "same";
  if (!protocol.interleaved.empty()) json["interleaved"] = protocol.interleaved;
  json["timeout_s"] = protocol.timeout_s;
  return json;
}

Protocol read_protocol(const JsonField& field, const Protocol& otherwise) {
  field.only({"processes", "warmup", "interval_share", "min_samples", "max_samples", "budget_s", "samples", "input",
              "interleaved", "timeout_s"});
  constexpr int most = 1'000'000;
  constexpr int most_processes = 1000;
  constexpr double week = 7 * 86400.0;
  Protocol protocol = otherwise;
  const auto integer = [&](const char* key, int& target, int smallest) {
    if (const auto member = field.find(key)) target = static_cast<int>(member->integer(smallest, most));
  };
  if (const auto member = field.find("processes")) {
    protocol.processes = static_cast<int>(member->integer(1, most_processes));
  }
  integer("warmup", protocol.warmup, 0);
  integer("min_samples", protocol.min_samples, 1);
  integer("max_samples", protocol.max_samples, 1);
  if (const auto member = field.find("interval_share")) protocol.interval_share = member->number(1e-6, 10);
  if (const auto member = field.find("budget_s")) protocol.budget_s = member->number(0, week);
  if (const auto member = field.find("timeout_s")) protocol.timeout_s = member->number(1e-3, week);
  if (const auto member = field.find("samples")) protocol.samples = static_cast<int>(member->integer(1, most));
  if (const auto member = field.find("interleaved")) protocol.interleaved = member->text();
  if (const auto member = field.find("input")) {
    const std::string input = member->text();
    if (input != "fresh" && input != "same") {
      throw BadInput(fmt::format("{}: '{}' is unknown; allowed: fresh, same", member->where(), input));
    }
    protocol.same_input = input == "same";
  }
  if (protocol.max_samples < protocol.min_samples) {
    throw BadInput(field.where() + ": max_samples must be at least min_samples");
  }
  return protocol;
}

}  // namespace sortlab
