#include "harness/plan/config.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "core/identity.hpp"
#include "core/json_field.hpp"
#include "harness/plan/automatic.hpp"

namespace sortlab {
namespace {

template <class Names>
[[noreturn]] void unknown(std::string_view field, std::string_view text, const Names& all) {
  std::vector<std::string> names;
  for (const auto& item : all) names.emplace_back(name_of(item));
  throw BadInput(fmt::format("{}: unknown type '{}'{}; allowed: {}", field, text.substr(0, 40),
                             did_you_mean(text, names), join(names)));
}

template <class Number>
Number parse_integer(std::string_view field, std::string_view text, Number smallest, Number largest) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < smallest || number > largest) {
    throw BadInput(
        fmt::format("{}: '{}' is not allowed; allowed: {} to {}", field, text.substr(0, 40), smallest, largest));
  }
  return number;
}

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

/// "std_sort", or {"name": …, "preset": …, "component": …, "parameters": {"digit_bits": [8, 11]}}; a list of values is
/// a product.
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
        const Info& info = one.algorithm->info();  // checked here, where the place is known
        value.located([&] { resolve(info.name, info.parameters, {{key, value.scalar()}}); });
      }
    }
    choices = std::move(product);
  }
  return choices;
}

Sweep read_sweep(const JsonField& field, const Protocol& protocol) {
  field.only({"algorithms", "keys", "values", "n", "distributions", "threads", "seeds", "residency", "host_memory",
              "layout", "protocol"});
  Sweep sweep;
  sweep.where = field.where();
  for (const JsonField& algorithm : field.at("algorithms").elements()) {
    for (AlgorithmChoice& choice : read_algorithm(algorithm)) sweep.algorithms.push_back(std::move(choice));
  }
  read_list(field, "keys", sweep.keys, [](const JsonField& f) { return parse_key_type(f.text()); });
  read_list(field, "values", sweep.values, [](const JsonField& f) { return parse_value_type(f.text()); });
  field.at("n");
  read_list(field, "n", sweep.n, [](const JsonField& f) { return parse_count(f.scalar()); });
  field.at("distributions");
  read_list(field, "distributions", sweep.distributions,
            [](const JsonField& f) { return parse_distribution(f.text()); });
  read_list(field, "threads", sweep.threads, [](const JsonField& f) { return parse_threads(f.scalar()); });
  read_list(field, "seeds", sweep.seeds, [](const JsonField& f) { return parse_seed(f.scalar()); });
  read_list(field, "residency", sweep.residency, [](const JsonField& f) { return parse_residency(f.text()); });
  read_list(field, "host_memory", sweep.host_memory, [](const JsonField& f) { return parse_host_memory(f.text()); });
  if (const auto layout = field.find("layout")) {
    sweep.layout = layout->located([&] { return parse_layout(layout->text()); });
  }
  sweep.protocol = protocol;
  if (const auto own = field.find("protocol")) sweep.protocol = read_protocol(*own, protocol);
  return sweep;
}

Parameters parameters_of(const AlgorithmChoice& choice) {
  const Info& info = choice.algorithm->info();
  GivenParameters given;
  for (const auto& [name, preset] : info.presets) {
    if (name == choice.preset) given = preset;
  }
  for (const auto& [name, text] : choice.parameters) given.insert_or_assign(name, text);
  return resolve(fmt::format("algorithm {}", info.name), info.parameters, given);
}

void check_memory(const Sweep& sweep, KeyType key, ValueType value, std::uint64_t n, std::uint64_t memory) {
  const std::uint64_t element = 2 * pair_bytes(key, value);  // the input kept, and the array that is sorted
  if (n <= memory / element) return;
  throw BadInput(
      fmt::format("{}n: {} elements of {} bytes, kept and sorted, need {:.1f} GiB of memory; at most {} fit in "
                  "the {:.1f} GiB of this machine",
                  sweep.where.empty() ? "" : sweep.where + ".", n, element / 2,
                  static_cast<double>(n) * static_cast<double>(element) / 0x1p30, memory / element,
                  static_cast<double>(memory) / 0x1p30));
}

void check_record_memory(const Sweep& sweep, const NamedDistribution& distribution, std::uint64_t n, std::uint64_t seed,
                         std::uint64_t memory) {
  const std::uint64_t bytes = record_bytes(distribution, n, seed) + n * sizeof(Record);
  if (bytes <= memory / 2) return;
  throw BadInput(
      fmt::format("{}n: {} records of {}, kept and sorted, need {:.1f} GiB of memory; this machine has {:.1f}",
                  sweep.where.empty() ? "" : sweep.where + ".", n, distribution.text,
                  2 * static_cast<double>(bytes) / 0x1p30, static_cast<double>(memory) / 0x1p30));
}

/// Where input and result of an algorithm's sorts lie: each residency, end to end with each kind of host memory.
std::vector<std::pair<Residency, HostMemory>> places_of(const Sweep& sweep, const Algorithm& algorithm) {
  std::vector<Residency> residencies = sweep.residency;
  if (residencies.empty()) residencies.push_back(own_residency(algorithm.info().runs_on));
  std::vector<std::pair<Residency, HostMemory>> places;
  for (const Residency residency : residencies) {
    if (residency != Residency::end_to_end) places.emplace_back(residency, HostMemory{});
    if (residency != Residency::end_to_end) continue;
    for (const HostMemory memory : sweep.host_memory) places.emplace_back(residency, memory);
  }
  return places;
}

/// Whether input and result of any cell lie in the host's memory.
bool needs_host_memory(const Sweep& sweep) {
  return std::ranges::any_of(sweep.algorithms, [&](const AlgorithmChoice& choice) {
    return std::ranges::any_of(places_of(sweep, *choice.algorithm),
                               [](const auto& place) { return place.first != Residency::device; });
  });
}

}  // namespace

KeyType parse_key_type(std::string_view text) {
  if (const auto type = key_type_from(text)) return *type;
  unknown("key", text, kAllKeyTypes);
}

ValueType parse_value_type(std::string_view text) {
  if (const auto type = value_type_from(text)) return *type;
  unknown("value", text, kValueTypes);
}

std::optional<Layout> parse_layout(std::string_view text) {
  if (text == "native") return std::nullopt;
  if (text == "separate") return Layout::separate;
  if (text == "together") return Layout::together;
  throw BadInput(fmt::format("layout: '{}' is not allowed; allowed: native, separate, together", text.substr(0, 40)));
}

int parse_threads(std::string_view text) {
  return parse_integer<int>("threads", text, 1, 4096);
}

std::uint64_t parse_seed(std::string_view text) {
  return parse_integer<std::uint64_t>("seed", text, 0, INT64_MAX);
}

void check_preset(const Algorithm& algorithm, std::string_view preset) {
  std::vector<std::string> names;
  for (const auto& [name, parameters] : algorithm.info().presets) {
    if (name == preset) return;
    names.push_back(name);
  }
  throw BadInput(fmt::format("algorithm {}: unknown preset '{}'{}; allowed: {}", algorithm.info().name, preset,
                             did_you_mean(preset, names), names.empty() ? "none" : join(names)));
}

Config read_config(const std::filesystem::path& path) {
  const nlohmann::ordered_json json = read_json_file(path);
  const JsonField root{json, path.string()};
  root.only({"$schema", "name", "title", "protocol", "sweeps", "artifacts"});
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
  for (const JsonField& sweep : root.at("sweeps").elements()) config.sweeps.push_back(read_sweep(sweep, protocol));
  if (const auto artifacts = root.find("artifacts")) {
    if (!artifacts->value().is_array()) artifacts->fail("a list [...]");
    if (!artifacts->value().empty()) {
      for (const JsonField& artifact : artifacts->elements()) config.artifacts.push_back(artifact.text());
    }
  }
  return config;
}

std::vector<Cell> cells_of(const std::vector<Sweep>& sweeps, std::uint64_t memory, const Tunings& tunings,
                           const std::function<void(Case&)>& choose) {
  std::vector<Cell> cells;
  std::set<std::string> seen;
  for (const Sweep& sweep : sweeps) {
    std::vector<Parameters> parameters;
    for (const AlgorithmChoice& choice : sweep.algorithms) parameters.push_back(parameters_of(choice));
    // A product of nine lists. What makes an input stands outside, so that cells that share one stand together.
    for (const std::uint64_t n : sweep.n)
      for (const KeyType key : sweep.keys)
        for (const ValueType value : sweep.values) {
          if (needs_host_memory(sweep) || key == KeyType::string) check_memory(sweep, key, value, n, memory);
          for (const NamedDistribution& distribution : sweep.distributions)
            for (const std::uint64_t seed : sweep.seeds) {
              if (key == KeyType::string) check_record_memory(sweep, distribution, n, seed, memory);
              for (std::size_t a = 0; a < sweep.algorithms.size(); ++a)
                for (const auto& [residency, host_memory] : places_of(sweep, *sweep.algorithms[a].algorithm))
                  for (const int threads : sweep.threads) {
                    const Algorithm* algorithm = sweep.algorithms[a].algorithm;
                    const Layout native = sweep.layout.value_or(algorithm->info().layouts.front());
                    Case c{.algorithm = algorithm,
                           .component = sweep.algorithms[a].component,
                           .parameters = parameters[a],
                           .key = key,
                           .value = value,
                           .layout = value == ValueType::none ? Layout::separate : native,
                           .n = n,
                           .distribution = distribution,
                           .seed = seed,
                           .residency = residency,
                           .host_memory = host_memory,
                           .threads = threads};
                    const AlgorithmChoice& choice = sweep.algorithms[a];
                    if (choice.preset == kTunedPreset) use_tuning(c, choice.parameters, tunings);
                    choose ? choose(c) : resolve_automatic(c, local_profile(), tunings);
                    if (seen.insert(cell_id(c)).second) cells.push_back({std::move(c), sweep.protocol});
                  }
            }
        }
  }
  return cells;
}

}  // namespace sortlab
