#include "harness/cell/case.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "core/json_field.hpp"
#include "generators/record_distribution.hpp"
#include "harness/machine/gpu.hpp"

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

Problem problem_of(const Case& c) {
  return {.key = c.key,
          .value = c.value,
          .layout = c.layout,
          .residency = c.residency,
          .n = c.n,
          .needs_total_order = c.distribution.distribution->needs_total_order(input_of(c)),
          .bytes = c.key == KeyType::string ? record_bytes(c.distribution, c.n, c.seed) : 0};
}

Input input_of(const Case& c) {
  return {.key = c.key, .n = c.n, .seed = c.seed, .parameters = c.distribution.parameters};
}

std::uint64_t input_bytes(const Case& c) {
  if (c.key == KeyType::string) return record_bytes(c.distribution, c.n, c.seed);
  return c.n * (size_of(c.key) + size_of(c.value));
}

std::uint64_t record_bytes(const NamedDistribution& named, std::uint64_t n, std::uint64_t seed) {
  const auto* const records = dynamic_cast<const RecordDistribution*>(named.distribution);
  const Input input{.key = KeyType::string, .n = n, .seed = seed, .parameters = named.parameters};
  if (records == nullptr || records->declines(input)) return 0;
  static std::mutex counting;
  static std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::uint64_t> counted;
  const std::scoped_lock lock{counting};
  const auto [found, is_new] = counted.try_emplace({named.text, n, seed}, 0);
  if (is_new) found->second = records->total_bytes(input, static_cast<int>(std::thread::hardware_concurrency()));
  return found->second;
}

std::uint64_t pair_bytes(KeyType key, ValueType value) {
  return with_key_type(key, [&]<class K>() -> std::uint64_t {
    return with_value_type(value, [&]<class V>() -> std::uint64_t {
      if constexpr (std::is_same_v<V, NoValue>) {
        return sizeof(K);
      } else {
        return sizeof(Pair<K, V>);
      }
    });
  });
}

std::optional<std::string> refusal_of_input(const Case& c) {
  const Distribution& distribution = *c.distribution.distribution;
  const bool strings = distribution.makes_records();
  if (strings == (c.key == KeyType::string)) return distribution.declines(input_of(c));
  return fmt::format("{} makes {}", distribution.info().name, strings ? "strings alone" : "no strings");
}

std::optional<std::string> refusal(const Case& c) {
  if (auto reason = refusal_of_input(c)) return "the input cannot be made: " + *reason;
  if (c.component != nullptr && c.residency == Residency::end_to_end) {
    return "a component is measured where its algorithm sorts";
  }
  const Problem problem = problem_of(c);
  if (auto reason = refusal(*c.algorithm, problem, c.parameters, {.threads = c.threads, .cpus = {}})) return reason;
  if (c.component == nullptr || c.component->declines == nullptr) return std::nullopt;
  return c.component->declines(problem, c.parameters);
}

std::string text_of(const Case& c) {
  const Info& info = c.algorithm->info();
  const std::string name = c.component == nullptr ? info.name : fmt::format("{}/{}", info.name, c.component->name);
  std::string text = short_text(name, info.parameters, c.parameters);
  text += fmt::format(" {}", name_of(c.key));
  if (c.value != ValueType::none) text += fmt::format("/{} {}", name_of(c.value), name_of(c.layout));
  if (c.residency != own_residency(info.runs_on)) text += fmt::format(" {}", name_of(c.residency));
  if (c.residency == Residency::end_to_end) text += fmt::format("/{}", name_of(c.host_memory));
  text += fmt::format(" n={} {} threads={} seed={}", c.n, c.distribution.text, c.threads, c.seed);
  return text;
}

std::string cell_id(const Case& c) {
  ordered_json json{{"algorithm", c.algorithm->info().name},
                    {"parameters", to_json(c.parameters)},
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
  if (info.runs_on == Processor::device) facts.push_back(gpus_here().names.empty() ? "" : gpus_here().names.front());
  return digest_of_text(facts.dump());
}

ordered_json to_json(const Case& c, std::optional<double> entropy_bits, const std::vector<int>& affinity) {
  const Info& info = c.algorithm->info();
  ordered_json json{{"algorithm", info.name},
                    {"parameters", to_json(c.parameters)},
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

Residency parse_residency(std::string_view text) {
  for (const Residency residency : {Residency::host, Residency::device, Residency::end_to_end}) {
    if (name_of(residency) == text) return residency;
  }
  throw BadInput(fmt::format("residency: '{}' is not allowed; allowed: host, device, end_to_end", text.substr(0, 40)));
}

HostMemory parse_host_memory(std::string_view text) {
  for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable}) {
    if (name_of(memory) == text) return memory;
  }
  throw BadInput(fmt::format("host_memory: '{}' is not allowed; allowed: pinned, pageable", text.substr(0, 40)));
}

std::uint64_t parse_count(std::string_view text) {
  const auto fail = [&]() -> std::uint64_t {
    throw BadInput(
        fmt::format("n: '{}' is not allowed; allowed: 0 to 2^40, as 1000003, 2^24, 64M (K, M, G: 2^10, 2^20, "
                    "2^30) or 500e6",
                    text.substr(0, 40)));
  };
  constexpr std::uint64_t largest = std::uint64_t{1} << 40;
  const auto integer = [&](std::string_view digits) -> std::uint64_t {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) fail();
    return number;
  };
  const auto checked = [&](double value) {  // exact: products of a few small integers
    return value <= static_cast<double>(largest) ? static_cast<std::uint64_t>(value) : fail();
  };
  if (text.empty()) return fail();
  if (const auto caret = text.find('^'); caret != std::string_view::npos) {
    const std::uint64_t base = integer(text.substr(0, caret));
    const std::uint64_t exponent = integer(text.substr(caret + 1));
    return checked(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0) || number != std::floor(number)) {
      return fail();
    }
    return checked(number);
  }
  constexpr std::string_view suffixes = "KMG";
  if (const auto suffix = suffixes.find(text.back()); suffix != std::string_view::npos) {
    const std::uint64_t factor = std::uint64_t{1} << (10 * (suffix + 1));
    return checked(static_cast<double>(integer(text.substr(0, text.size() - 1))) * static_cast<double>(factor));
  }
  const std::uint64_t number = integer(text);
  return number <= largest ? number : fail();
}

}  // namespace sortlab
