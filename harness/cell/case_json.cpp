#include "harness/cell/case_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/build_digest.hpp"
#include "core/json_field.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/parse.hpp"
#include "harness/cell/problem.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

template <class T>
T known(const std::optional<T>& value, const JsonField& field, std::string_view expected) {
  if (!value) field.fail(expected);
  return *value;
}

}  // namespace

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

ordered_json to_json(const Case& c, std::optional<double> entropy_bits, const std::vector<int>& affinity) {
  const Info& info = c.algorithm->info();
  ordered_json json{{"algorithm", info.name},
                    {"parameters", to_json(recorded(info.parameters, c.parameters))},
                    {"build", build_digest(info.name)},
                    {"version", info.version},
                    {"key_type", name_of(c.key)},
                    {"value_type", name_of(c.value)},
                    {"layout", name_of(c.layout)},
                    {"n", c.n},
                    {"distribution", c.distribution.text},
                    {"distribution_parameters", to_json(c.distribution.distribution->resolved(input_of(c)))},
                    {"seed", c.seed},
                    {"entropy_bits", entropy_bits ? ordered_json(*entropy_bits) : ordered_json()},
                    {"residency", name_of(c.residency)},
                    {"threads", c.threads},
                    {"affinity", affinity}};
  if (c.key == KeyType::string) json["bytes"] = input_bytes(c);
  if (c.component != nullptr) json["component"] = c.component->name;
  if (c.residency == Residency::end_to_end) json["host_memory"] = name_of(c.host_memory);
  return json;
}

std::string end_to_end_text(const ordered_json& what) {
  if (!what.is_object() || !what.contains("residency") || what["residency"] != name_of(Residency::end_to_end))
    return {};
  const auto memory = what.find("host_memory");
  const bool known = memory != what.end() && memory->is_string();
  return fmt::format("end_to_end{}", known ? "/" + memory->get<std::string>() : "");
}

Case case_from_json(const ordered_json& json, const std::string& where) {
  const JsonField field{json, where};
  Case c;
  const JsonField algorithm = field.at("algorithm");
  c.algorithm = algorithm.located([&] { return &algorithm_named(algorithm.text()); });
  if (const auto component = field.find("component")) {
    c.component = component->located([&] { return &component_named(*c.algorithm, component->text()); });
  }
  const JsonField parameters = field.at("parameters");
  c.parameters = parameters.located(
      [&] { return resolve(c.algorithm->info().name, c.algorithm->info().parameters, read_parameters(parameters)); });
  const JsonField key = field.at("key_type");
  c.key = known(key_type_from(key.text()), key, "u32, u64, i32, i64, f32, f64, u128 or string");
  const JsonField value = field.at("value_type");
  c.value = known(value_type_from(value.text()), value, "none, u32 or u64");
  const JsonField layout = field.at("layout");
  const std::string layout_name = layout.text();
  if (layout_name != "separate" && layout_name != "together") layout.fail("separate or together");
  c.layout = layout_name == "separate" ? Layout::separate : Layout::together;
  c.n = static_cast<std::uint64_t>(field.at("n").integer(0, std::int64_t{1} << 40));
  const JsonField distribution = field.at("distribution");
  c.distribution = distribution.located([&] { return parse_distribution(distribution.text()); });
  const JsonField seed = field.at("seed");
  if (!seed.value().is_number_unsigned() && !seed.value().is_number_integer()) seed.fail("an integer from 0");
  c.seed = seed.value().get<std::uint64_t>();
  const JsonField residency = field.at("residency");
  c.residency = residency.located([&] { return parse_residency(residency.text()); });
  if (c.residency == Residency::end_to_end) {
    const JsonField memory = field.at("host_memory");
    c.host_memory = memory.located([&] { return parse_host_memory(memory.text()); });
  }
  c.threads = static_cast<int>(field.at("threads").integer(1, 1 << 20));
  return c;
}

}  // namespace sortlab
