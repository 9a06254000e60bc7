#include "harness/plan/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "core/identity.hpp"
#include "core/json_field.hpp"
#include "core/printable.hpp"
#include "generators/key_file.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/parse.hpp"
#include "harness/machine/checkout.hpp"

namespace sortlab {
namespace {

/// Each element of the list `key` of a sweep, read by `parse`; `target` stays as it is if the list is missing.
template <class T, class Parse>
void read_list(const JsonField& sweep, std::string_view key, std::vector<T>& target, Parse parse) {
  const auto list = sweep.find(key);
  if (!list) return;
  target.clear();
  for (const JsonField& element : list->elements()) {
    target.push_back(element.located([&] { return parse(element); }));
  }
}

/// Reads "my_sort", or {"name": …, "preset": …, "component": …, "parameters": {"digit_bits": [8, 11]}}. Lists of values
/// form a product.
std::vector<AlgorithmChoice> read_algorithm(const JsonField& field) {
  if (field.value().is_string()) {
    return {{.algorithm = field.located([&] { return &algorithm_named(field.text()); }), .preset = {}}};
  }
  field.only({"name", "preset", "component", "parameters"});
  const JsonField name = field.at("name");
  AlgorithmChoice choice{.algorithm = name.located([&] { return &algorithm_named(name.text()); }), .preset = {}};
  if (const auto preset = field.find("preset")) {
    choice.preset = preset->text();
    preset->located([&] { check_preset(*choice.algorithm, choice.preset); });
  }
  if (const auto component = field.find("component")) {
    choice.component = component->located([&] { return &component_named(*choice.algorithm, component->text()); });
  }
  std::vector<AlgorithmChoice> choices{choice};
  const auto parameters = field.find("parameters");
  if (!parameters) return choices;
  for (const auto& [key, member] : parameters->members()) {
    const auto values = member.value().is_array() ? member.elements() : std::vector{member};
    std::vector<AlgorithmChoice> product;
    for (const AlgorithmChoice& one : choices) {
      for (const JsonField& value : values) {
        product.push_back(one);
        product.back().parameters[key] = value.scalar();
        const Info& info = one.algorithm->info();  // checked here, since the position in the file is known
        value.located([&] { resolve(info.name, info.parameters, {{key, value.scalar()}}); });
      }
    }
    choices = std::move(product);
  }
  return choices;
}

/// Reads {"file": "keys.npy", "column": "a", "value": "b", "window": 0, "sample": "yes", "key": "u64"}; the key type
/// string means lines of text. A path is relative to the config's folder. With "if_absent", which says how to get it, a
/// file may be missing: that is told, and the result is nothing.
std::optional<NamedDistribution> read_file(const JsonField& field, const std::filesystem::path& folder,
                                           GivenLists& given) {
  field.only({"file", "column", "value", "window", "sample", "key", "if_absent"});
  const JsonField named = field.at("file");
  const std::string path = (folder / named.text()).string();
  if (const auto advice = field.find("if_absent")) {
    const std::string text = advice->text();
    if (std::error_code error; !std::filesystem::exists(path, error)) {
      tell(fmt::format("left out: {} is not there: {}", printable(std::filesystem::path{path}.filename().string()),
                       printable(text)));
      return std::nullopt;
    }
  }
  const auto key = field.find("key");
  std::string text = (key && key->scalar() == "string" ? "lines:" : "file:") + path;
  for (const char* const option : {"column", "window", "sample", "key"}) {
    if (const auto member = field.find(option)) text += fmt::format(",{}={}", option, escaped_text(member->scalar()));
  }
  NamedDistribution file = field.located([&] { return parse_distribution(text); });
  if (const auto value = field.find("value")) {
    // Values are record ids, whatever a column holds, so that the pairs can be verified: its width is all that counts.
    const std::uint64_t bytes = value->located([&] { return column_bytes(path, value->text()); });
    if (bytes != 4 && bytes != 8) {
      value->fail(fmt::format("a column of 4 or 8 bytes; '{}' has {}", value->text(), bytes));
    }
    given.values[file.text] = bytes == 4 ? ValueType::u32 : ValueType::u64;
  }
  return file;
}

/// Reads "energy": true, of a config or of one of its sweeps.
void read_energy(const JsonField& field, Protocol& protocol) {
  if (const auto energy = field.find("energy")) protocol.energy = energy->boolean();
}

std::vector<Sweep> read_sweep(const JsonField& field, const Protocol& protocol, const std::filesystem::path& folder) {
  field.only({"algorithms", "keys", "values", "n", "distributions", "threads", "seeds", "residency", "host_memory",
              "devices", "shard_sizes", "layout", "protocol", "energy"});
  Sweep sweep;
  sweep.where = field.where();
  for (const JsonField& algorithm : field.at("algorithms").elements()) {
    for (AlgorithmChoice& choice : read_algorithm(algorithm)) sweep.algorithms.push_back(std::move(choice));
  }
  read_list(field, "keys", sweep.keys, [](const JsonField& f) { return parse_key_type(f.text()); });
  read_list(field, "values", sweep.values, [](const JsonField& f) { return parse_value_type(f.text()); });
  GivenLists given{.keys = field.find("keys").has_value(), .n = field.find("n").has_value()};
  read_list(field, "n", sweep.n, [](const JsonField& f) { return parse_count(f.scalar()); });
  sweep.distributions.clear();
  bool any_absent = false;
  for (const JsonField& f : field.at("distributions").elements()) {
    f.located([&] {
      std::optional<NamedDistribution> one =
          f.value().is_object() ? read_file(f, folder, given) : parse_distribution(f.text());
      any_absent = any_absent || !one;
      if (one) sweep.distributions.push_back(*std::move(one));
    });
  }
  if (field.find("values")) given.values.clear();
  const auto is_file = [](const NamedDistribution& d) { return d.distribution->extent(d.parameters).has_value(); };
  const bool has_file = std::ranges::any_of(sweep.distributions, is_file);
  if (!has_file && any_absent && !given.n) return {};  // distributions beside files have their number of keys
  if (!has_file) field.at("n");                        // only a file says how many keys there are
  if (sweep.distributions.empty()) return {};
  read_list(field, "threads", sweep.threads,
            [](const JsonField& f) { return static_cast<int>(f.integer(1, kMaxThreads)); });
  read_list(field, "seeds", sweep.seeds,
            [](const JsonField& f) { return static_cast<std::uint64_t>(f.integer(0, INT64_MAX)); });
  read_list(field, "residency", sweep.residency, [](const JsonField& f) { return parse_residency(f.text()); });
  read_list(field, "devices", sweep.devices, [](const JsonField& f) { return parse_devices(f.scalar()); });
  read_list(field, "shard_sizes", sweep.shard_sizes, [](const JsonField& f) { return parse_shard_sizes(f.text()); });
  read_list(field, "host_memory", sweep.host_memory, [](const JsonField& f) { return parse_host_memory(f.text()); });
  if (const auto layout = field.find("layout")) {
    sweep.layout = layout->located([&] { return parse_layout(layout->text()); });
  }
  sweep.protocol = protocol;
  if (const auto own = field.find("protocol")) sweep.protocol = read_protocol(*own, protocol);
  read_energy(field, sweep.protocol);
  return sweep_files(sweep, given);
}

}  // namespace

Config read_config(const std::filesystem::path& named) {
  const std::filesystem::path path = given_or_shared(named);
  const nlohmann::ordered_json json = read_json_file(path);
  const JsonField root{json, path.string()};
  root.only({"$schema", "name", "title", "protocol", "energy", "sweeps", "artifacts"});
  if (const auto schema = root.find("$schema")) schema->text();
  Config config;
  config.name = root.at("name").text();
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (config.name.empty() || config.name.front() == '.' ||
      config.name.find_first_not_of(allowed) != std::string::npos) {
    root.at("name").fail("letters, digits, '_', '-' and '.': it names a file");
  }
  if (const auto title = root.find("title")) config.title = title->text();
  config.digest = digest_of_text(json.dump());
  Protocol protocol;
  if (const auto given = root.find("protocol")) protocol = read_protocol(*given, protocol);
  read_energy(root, protocol);
  for (const JsonField& sweep : root.at("sweeps").elements()) {
    std::ranges::move(read_sweep(sweep, protocol, path.parent_path()), std::back_inserter(config.sweeps));
  }
  if (const auto artifacts = root.find("artifacts")) {
    for (const JsonField& artifact : artifacts->list()) config.artifacts.push_back(artifact.text());
  }
  return config;
}

}  // namespace sortlab
