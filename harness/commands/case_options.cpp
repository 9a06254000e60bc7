#include "harness/commands/case_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generators/file_input.hpp"
#include "generators/key_file.hpp"
#include "harness/cell/parse.hpp"

namespace sortlab {
namespace {

bool declares(const Algorithm& algorithm, std::string_view parameter) {
  return std::ranges::any_of(algorithm.info().parameters, [&](const Parameter& p) { return p.name == parameter; });
}

/// The algorithms of these names. `all` is every one that sorts one of the key types, or any if none is given.
std::vector<const Algorithm*> algorithms_named(const std::vector<std::string>& names,
                                               const std::vector<std::string>& keys) {
  std::vector<const Algorithm*> found;
  const auto add = [&](const Algorithm& algorithm) {
    if (std::ranges::find(found, &algorithm) == found.end()) found.push_back(&algorithm);
  };
  const auto sorts = [](const Algorithm& algorithm, const std::string& key) {
    return std::ranges::find(algorithm.info().keys, parse_key_type(key)) != algorithm.info().keys.end();
  };
  for (const std::string& name : names) {
    if (name != "all") {
      add(algorithm_named(name));
      continue;
    }
    for (const Algorithm* algorithm : all_algorithms()) {
      if (keys.empty() || std::ranges::any_of(keys, [&](const std::string& key) { return sorts(*algorithm, key); })) {
        add(*algorithm);
      }
    }
  }
  return found;
}

/// The requested components that the algorithm has; if none is requested, the sort itself, as null.
std::vector<const Component*> find_components(const Algorithm& algorithm, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return {nullptr};
  std::vector<const Component*> components;
  for (const Component* component : all_components()) {
    if (component->algorithm == algorithm.info().name && std::ranges::find(wanted, component->name) != wanted.end()) {
      components.push_back(component);
    }
  }
  return components;
}

/// Throws BadInput for a component that none of the given algorithms has.
void check_components(const std::vector<const Algorithm*>& algorithms, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    if (std::ranges::any_of(algorithms, [&](const Algorithm* a) { return !find_components(*a, {name}).empty(); }))
      continue;
    for (const Algorithm* algorithm : algorithms) component_named(*algorithm, name);
  }
}

/// The given values of each parameter, in order. Several values form a product: --param digit_bits=8 --param
/// digit_bits=11.
std::map<std::string, std::vector<std::string>> values_by_parameter(const CaseOptions& options,
                                                                    const std::vector<const Algorithm*>& algorithms) {
  std::map<std::string, std::vector<std::string>> given;
  for (const std::string& text : options.parameters) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw BadInput(fmt::format("param: '{}' is not allowed; allowed: NAME=VALUE, as digit_bits=8", text));
    }
    const std::string name = text.substr(0, equals);
    if (std::ranges::none_of(algorithms, [&](const Algorithm* a) { return declares(*a, name); })) {
      std::vector<std::string> names;
      for (const Algorithm* a : algorithms) {
        for (const Parameter& p : a->info().parameters) names.push_back(p.name);
      }
      throw BadInput(fmt::format("param: no algorithm given has a parameter '{}'{}; allowed: {}", name,
                                 did_you_mean(name, names), names.empty() ? "none" : join(names)));
    }
    given[name].push_back(text.substr(equals + 1));
  }
  return given;
}

std::vector<std::string> or_default(const std::vector<std::string>& given, const char* standard) {
  return given.empty() ? std::vector<std::string>{standard} : given;
}

/// The texts of the distributions, files among them. A file that is no .npy file is taken as raw keys, or as lines of
/// text, by each type given.
std::vector<std::string> distribution_texts(const CaseOptions& options) {
  std::vector<std::string> texts = options.distributions;
  if (options.inputs.empty()) return or_default(texts, "uniform");
  for (const std::string& input : options.inputs) {
    if (input.find(",key=") != std::string::npos || !is_raw_key_file(std::string{path_in(input)})) {
      texts.push_back("file:" + input);
      continue;
    }
    for (const std::string& key : options.keys) {
      const KeyType type = parse_key_type(key);
      texts.push_back(type == KeyType::string ? "lines:" + input : fmt::format("file:{},key={}", input, to_name(type)));
    }
    if (options.keys.empty()) texts.push_back("file:" + input);  // says that the type is missing
  }
  return texts;
}

}  // namespace

void add_case_options(CLI::App& command, CaseOptions& options, bool algorithm_required,
                      const std::string& input_meaning) {
  auto* algorithm =
      command.add_option("--algorithm,-a", options.algorithms, "A plug-in's name (`sortlab list algorithms`), or all");
  if (algorithm_required) algorithm->required();
  command.add_option("--key,-k", options.keys, "Key type: " + join(all_names<KeyType>()))->default_str("[u32]");
  command.add_option("--value,-v", options.values, "Value type: " + join(all_names<ValueType>()))
      ->capture_default_str();
  command.add_option("--n,-n", options.n, "Elements: 1000003, 2^24, 64M (of 2^20), 500e6")->default_str("[2^20]");
  command.add_option("--dist,-d", options.distributions, "Distribution: uniform, thearling:ands=2, zipf:theta=0.75 …")
      ->default_str("[uniform]");
  command.add_option("--input", options.inputs, input_meaning);
  command.add_option("--param,-p", options.parameters, "NAME=VALUE, for the algorithms that declare it");
  command.add_option("--preset", options.preset, "Named parameters, for the algorithms that have them: paper …");
  command.add_option(
      "--component", options.components,
      "A component to measure instead of the sort, for the algorithms that have it (`sortlab list components`)");
  command.add_option("--threads,-t", options.threads, "Threads of a sort")->capture_default_str();
  command.add_option("--seed", options.seeds, "Seed of the input")->capture_default_str();
  command.add_option("--residency", options.residency,
                     "Where input and result lie: host, device, end_to_end (there, sort, and back); default: where the "
                     "algorithm sorts");
  command
      .add_option("--host-memory", options.host_memory, "For residency end_to_end: " + join(all_names<HostMemory>()))
      ->capture_default_str();
  command
      .add_option("--devices", options.devices,
                  "For sorts on several devices: their number, one shard each; 4@0: four shards on device 0, for tests")
      ->capture_default_str();
  command
      .add_option("--shard-sizes", options.shard_sizes,
                  "For sorts on several devices, of their input: " + join(all_names<ShardSizes>()))
      ->capture_default_str();
  command.add_option("--layout", options.layout, "Layout of keys and values: native, separate, together")
      ->capture_default_str();
}

std::vector<Sweep> make_sweeps(const CaseOptions& options, const Protocol& protocol) {
  Sweep sweep;
  sweep.keys.clear();
  sweep.values.clear();
  sweep.threads.clear();
  sweep.seeds.clear();
  sweep.host_memory.clear();
  const bool has_files = !options.inputs.empty();  // a file says the type of its keys
  const std::vector<const Algorithm*> algorithms =
      algorithms_named(options.algorithms, has_files ? options.keys : or_default(options.keys, "u32"));
  const GivenLists given{.keys = !options.keys.empty(), .n = !options.n.empty()};
  for (const std::string& text : or_default(options.keys, "u32")) sweep.keys.push_back(parse_key_type(text));
  for (const std::string& text : options.values) sweep.values.push_back(parse_value_type(text));
  for (const std::string& text : or_default(options.n, "2^20")) sweep.n.push_back(parse_count(text));
  for (const std::string& text : distribution_texts(options)) sweep.distributions.push_back(parse_distribution(text));
  for (const std::string& text : options.threads) sweep.threads.push_back(parse_threads(text));
  for (const std::string& text : options.seeds) sweep.seeds.push_back(parse_seed(text));
  for (const std::string& text : options.residency) sweep.residency.push_back(parse_residency(text));
  for (const std::string& text : options.host_memory) sweep.host_memory.push_back(parse_host_memory(text));
  sweep.devices.clear();
  sweep.shard_sizes.clear();
  for (const std::string& text : options.devices) sweep.devices.push_back(parse_devices(text));
  for (const std::string& text : options.shard_sizes) sweep.shard_sizes.push_back(parse_shard_sizes(text));
  sweep.layout = parse_layout(options.layout);
  sweep.protocol = protocol;

  if (!options.preset.empty() &&
      std::ranges::none_of(algorithms, [&](const Algorithm* a) { return has_preset(*a, options.preset); })) {
    for (const Algorithm* algorithm : algorithms) check_preset(*algorithm, options.preset);
  }
  check_components(algorithms, options.components);
  const auto parameters = values_by_parameter(options, algorithms);
  for (const Algorithm* algorithm : algorithms) {
    AlgorithmChoice plain{.algorithm = algorithm, .preset = {}};
    if (has_preset(*algorithm, options.preset)) plain.preset = options.preset;
    std::vector<AlgorithmChoice> choices;
    for (const Component* component : find_components(*algorithm, options.components)) {
      choices.push_back(plain);
      choices.back().component = component;
    }
    for (const auto& [name, values] : parameters) {
      if (!declares(*algorithm, name)) continue;
      std::vector<AlgorithmChoice> product;
      for (const AlgorithmChoice& choice : choices) {
        for (const std::string& value : values) {
          product.push_back(choice);
          product.back().parameters[name] = value;
        }
      }
      choices = std::move(product);
    }
    sweep.algorithms.insert(sweep.algorithms.end(), choices.begin(), choices.end());
  }
  return sweep_files(sweep, given);
}

}  // namespace sortlab
