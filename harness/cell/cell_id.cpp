#include "harness/cell/cell_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "core/names.hpp"
#include "harness/cell/case_fields.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/machine/gpu.hpp"

namespace sortlab {

using nlohmann::ordered_json;

namespace {

/// Parameters that are declared as real numbers: an identity has 1.0 of theirs, and 1 of all others.
constexpr std::array kReals{"theta"};

/// The integer that a number is, whether or not it is written as one, or nullopt.
std::optional<std::int64_t> as_integer(const ordered_json& number) {
  if (number.is_number_float()) {
    const double real = number.get<double>();
    if (real != std::floor(real) || real < -0x1p63 || real >= 0x1p63) return std::nullopt;
    return static_cast<std::int64_t>(real);
  }
  if (number.is_number_unsigned() && number.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return number.get<std::int64_t>();
}

/// One text for all numbers that are equal, though a tool that wrote a record again may have made 1 of 1.0.
std::string number_text(const std::string& name, const ordered_json& number) {
  if (std::ranges::find(kReals, name) == kReals.end()) {
    if (const auto whole = as_integer(number)) return fmt::format("{}", *whole);
  }
  std::string text = fmt::format("{}", number.get<double>() + 0.0);  // -0.0 is 0.0
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// The object's members in their order.
std::string object_text(const ordered_json& object) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    const std::string shown = value.is_object()   ? object_text(value)
                              : value.is_number() ? number_text(name, value)
                                                  : value.dump();
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", ordered_json(name).dump(), shown);
  }
  return "{" + text + "}";
}

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
    json[field.name] = found->is_object() ? in_order(*found) : *found;
  }
  return digest_of_text(object_text(json));
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
