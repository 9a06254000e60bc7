#include "harness/cell/case_fields.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <type_traits>

#include "core/build_digest.hpp"
#include "core/json_field.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/parse.hpp"
#include "harness/cell/problem.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

ordered_json write_parameters(const Case& c, const MeasuredFacts&) {
  return to_json(recorded(c.algorithm->info().parameters, c.parameters));
}

ordered_json write_build(const Case& c, const MeasuredFacts&) {
  return build_digest(c.algorithm->info().name);
}

ordered_json write_distribution_parameters(const Case& c, const MeasuredFacts&) {
  const Distribution& distribution = *c.distribution.distribution;
  const Input input = case_input(c);
  ordered_json json = to_json(recorded(distribution.info().parameters, distribution.resolved(input)));
  if (const std::int64_t version = distribution.version(input); version != 1 && !c.former_input) {
    json["version"] = version;
  }
  return json;
}

ordered_json write_entropy(const Case&, const MeasuredFacts& facts) {
  return facts.entropy_bits ? ordered_json(*facts.entropy_bits) : ordered_json();
}

void read_algorithm(Case& c, const JsonField& field) {
  c.algorithm = field.located([&] { return &algorithm_named(field.text()); });
}

void read_component(Case& c, const JsonField& field) {
  c.component = field.located([&] { return &component_named(*c.algorithm, field.text()); });
}

void read_own_parameters(Case& c, const JsonField& field) {
  const Info& info = c.algorithm->info();
  c.parameters = field.located([&] { return resolve(info.name, info.parameters, read_parameters(field)); });
}

void read_distribution(Case& c, const JsonField& field) {
  c.distribution = field.located([&] { return parse_distribution(field.text()); });
}

void read_seed(Case& c, const JsonField& field) {
  c.seed = static_cast<std::uint64_t>(field.integer(0, INT64_MAX));
}

/// Writer and reader of a field that holds an enumeration's name.
template <auto member>
ordered_json write_name(const Case& c, const MeasuredFacts&) {
  return to_name(c.*member);
}
template <auto member>
void read_name(Case& c, const JsonField& field) {
  c.*member = field.named<std::remove_reference_t<decltype(c.*member)>>();
}

bool in_shards(const Case& c) {
  return c.residency == Residency::shards;
}

const std::array kFields{
    CaseField{.name = "algorithm",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.algorithm->info().name; },
              .read = read_algorithm},
    CaseField{.name = "parameters", .write = write_parameters, .read = read_own_parameters},
    CaseField{.name = "build", .write = write_build, .identifies = false},
    CaseField{.name = "version",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.algorithm->info().version; },
              .identifies = false},
    CaseField{.name = "key_type", .write = write_name<&Case::key>, .read = read_name<&Case::key>},
    CaseField{.name = "value_type", .write = write_name<&Case::value>, .read = read_name<&Case::value>},
    CaseField{.name = "layout", .write = write_name<&Case::layout>, .read = read_name<&Case::layout>},
    CaseField{.name = "n",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.n; },
              .read = [](Case& c, const JsonField& field) { c.n = field.integer(0, std::int64_t{1} << 40); }},
    // The text holds all parameters: those of `distribution_parameters` are written for readers of records.
    CaseField{.name = "distribution",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.distribution.text; },
              .read = read_distribution},
    CaseField{.name = "distribution_parameters", .write = write_distribution_parameters},
    CaseField{.name = "seed",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.seed; },
              .read = read_seed},
    CaseField{.name = "entropy_bits", .write = write_entropy, .identifies = false},
    CaseField{.name = "residency", .write = write_name<&Case::residency>, .read = read_name<&Case::residency>},
    CaseField{
        .name = "threads",
        .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.threads; },
        .read = [](Case& c, const JsonField& field) { c.threads = static_cast<int>(field.integer(1, kMaxThreads)); }},
    CaseField{.name = "cache",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return cache_state(c.residency); },
              .recorded = false},
    CaseField{.name = "affinity",
              .write = [](const Case&, const MeasuredFacts& facts) -> ordered_json { return facts.affinity; },
              .identifies = false},
    CaseField{.name = "bytes",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return input_bytes(c); },
              .identifies = false,
              .applies = [](const Case& c) { return c.key == KeyType::string; }},
    CaseField{.name = "component",
              .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return c.component->name; },
              .read = read_component,
              .applies = [](const Case& c) { return c.component != nullptr; }},
    CaseField{.name = "host_memory",
              .write = write_name<&Case::host_memory>,
              .read = read_name<&Case::host_memory>,
              .applies = [](const Case& c) { return c.residency == Residency::end_to_end; }},
    CaseField{
        .name = "devices",
        .write = [](const Case& c, const MeasuredFacts&) -> ordered_json { return to_text(c.devices); },
        .read = [](Case& c,
                   const JsonField& field) { c.devices = field.located([&] { return parse_devices(field.text()); }); },
        .applies = in_shards},
    CaseField{.name = "shard_sizes",
              .write = write_name<&Case::shard_sizes>,
              .read = read_name<&Case::shard_sizes>,
              .applies = in_shards},
};

}  // namespace

std::span<const CaseField> case_fields() {
  return kFields;
}

}  // namespace sortlab
